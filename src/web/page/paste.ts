/** Pasted text → rows and the column that holds codes. Codes alone, one a line or many, are a table of one column. */

export const ROWS_MAX = 5000

export interface Pasted {
  header: string[] | null
  rows: string[][]
  column: number
  isCut: boolean
}

const SEPARATORS = ['\t', ';', ','] as const
/** Digits with what people put between them; from two digits on. */
const CODE_LIKE = /^['"]?(?:hs)?[\s.:]*[\d٠-٩۰-۹](?:[\d٠-٩۰-۹.\s\-/]*[\d٠-٩۰-۹])['"]?$/iu
const SCIENTIFIC = /^\d(?:[.,]\d+)?e\+?\d+$/i

const digitsIn = (text: string) => text.replace(/[^\d٠-٩۰-۹]/gu, '').length

export function looksLikeCode(cell: string): boolean {
  const text = cell.trim()
  if (SCIENTIFIC.test(text)) return true
  const digits = digitsIn(text)
  return CODE_LIKE.test(text) && digits >= 2 && digits <= 14
}

/** Cells of a separated text; quotes may hold separators, quotes and ends of lines. */
export function cells(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endRow = () => {
    row.push(cell)
    if (row.some(one => one.trim() !== '')) rows.push(row)
    row = []
    cell = ''
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') cell += text[++i]
      else isQuoted = false
    } else if (char === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (char === separator) {
      row.push(cell)
      cell = ''
    } else if (char === '\n') {
      endRow()
      // a heading and one more than are taken: enough to know that some are left out
      if (rows.length > ROWS_MAX + 1) return rows
    } else if (char !== '\r') cell += char
  }
  endRow()
  return rows
}

/** The separator by which most rows have the same, largest number of cells. */
function table(text: string): string[][] {
  let best: string[][] = []
  let bestScore = 0
  for (const separator of SEPARATORS) {
    const rows = cells(text, separator)
    const width = rows[0]?.length ?? 0
    const even = rows.filter(row => row.length === width).length / Math.max(1, rows.length)
    const score = width > 1 ? even * Math.min(width, 6) : 0
    if (score > bestScore && even >= 0.6) {
      best = rows
      bestScore = score
    }
  }
  return best
}

/** How many of a column's cells are codes; those of usual lengths count more than amounts and years. */
function codeShare(rows: readonly string[][], column: number): number {
  let sum = 0
  for (const row of rows) {
    const cell = row[column]?.trim() ?? ''
    if (!looksLikeCode(cell)) continue
    const digits = digitsIn(cell)
    sum += digits >= 6 ? 1 : digits >= 4 ? 0.7 : 0.2
  }
  return sum / Math.max(1, rows.length)
}

const HEADER = /code|hs|tariff|رمز|بند|تعرف/iu

export function readPasted(text: string): Pasted {
  const rows = table(text.replace(/^\ufeff/, ''))
  const isList = rows.length < 2 || rows.every(row => row.every(cell => cell.trim() === '' || looksLikeCode(cell)))
  if (isList && !(rows.length > 1 && (rows[0]?.length ?? 0) > 1)) {
    const list = text
      .replace(/^\ufeff/, '')
      .split(/[\n\r,;\t]+/)
      .map(one => one.trim())
      .filter(one => one !== '')
    // a first line of words alone is a heading
    const header = list.length > 1 && !/[\d٠-٩۰-۹]/u.test(list[0] as string) ? [list.shift() as string] : null
    return {
      header,
      rows: list.slice(0, ROWS_MAX).map(one => [one]),
      column: 0,
      isCut: list.length > ROWS_MAX,
    }
  }
  const first = rows[0] as string[]
  const isHeader = !first.some(looksLikeCode)
  const body = isHeader ? rows.slice(1) : rows
  const width = Math.max(...rows.map(row => row.length))
  let column = 0
  let best = -1
  for (let at = 0; at < width; at++) {
    const named = isHeader && HEADER.test(first[at] ?? '') ? 0.5 : 0
    const share = codeShare(body, at) + named
    if (share > best) {
      best = share
      column = at
    }
  }
  return {
    header: isHeader ? first : null,
    rows: body.slice(0, ROWS_MAX),
    column,
    isCut: body.length > ROWS_MAX,
  }
}
