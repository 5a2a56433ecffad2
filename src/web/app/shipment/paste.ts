/** Pasted text → rows and the column that holds codes. Codes alone, one a line or many, are a table of one column. */

import { looksLikeCode } from '../../../codes/in-text.js'

export const ROWS_MAX = 5000

export interface Pasted {
  header: string[] | null
  rows: string[][]
  column: number
  isCut: boolean
}

const SEPARATORS = ['\t', ';', ','] as const
const hasDigit = (text: string) => /\p{Nd}/u.test(text)
const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0

/** Cells of a separated text; quotes may hold separators, quotes and ends of lines. */
export function cells(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endRow = () => {
    row.push(cell)
    rows.push(row)
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
    } else cell += char
  }
  endRow()
  return rows
}

const isBlank = (row: readonly string[]) => row.every(cell => cell.trim() === '')

/** Blank lines keep their places, so that what comes back lines up with what was pasted; those at the end are none. */
function withoutLastBlanks(rows: string[][]): string[][] {
  let end = rows.length
  while (end > 0 && isBlank(rows[end - 1] as string[])) end--
  return rows.slice(0, end)
}

/** The separator by which most rows have the same, largest number of cells. */
function table(text: string): string[][] {
  let best: string[][] = []
  let bestScore = 0
  for (const separator of SEPARATORS) {
    const rows = withoutLastBlanks(cells(text, separator))
    const full = rows.filter(row => !isBlank(row))
    const width = full[0]?.length ?? 0
    const even = full.filter(row => row.length === width).length / Math.max(1, full.length)
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
    const digits = countDigits(cell)
    sum += digits >= 6 ? 1 : digits >= 4 ? 0.7 : 0.2
  }
  return sum / Math.max(1, rows.length)
}

const HEADER = /code|hs|tariff|رمز|بند|تعرف/iu

const WORDS_HEADER = /item|product|descri|goods|title|name|commodit|article|صنف|وصف|بضاع|منتج|اسم|بيان|سلع/iu
/** Enough rows to know a column by. */
const SAMPLE_ROWS = 200
/** Fewer letters a cell are units, currencies and countries. */
const LETTERS_MIN = 4
const NAMED_FACTOR = 3

/** The column with the words of the goods: named so, or the one with most letters; -1 where there is none. */
export function wordsColumn({ header, rows, column }: Pasted): number {
  const sample = rows.slice(0, SAMPLE_ROWS).filter(row => !isBlank(row))
  const width = Math.max(0, ...sample.map(row => row.length))
  let best = -1
  let most = LETTERS_MIN
  for (let at = 0; at < width; at++) {
    if (at === column) continue
    const letters = sample.reduce((sum, row) => sum + (row[at]?.match(/\p{L}/gu)?.length ?? 0), 0) / sample.length
    const score = WORDS_HEADER.test(header?.[at] ?? '') ? letters * NAMED_FACTOR : letters
    if (score >= most) {
      best = at
      most = score
    }
  }
  return best
}

/** One code a row, however they are strung together. */
function list(text: string): Pasted {
  const lines = withoutLastBlanks(text.split('\n').map(line => line.split(/[,;\t]/)))
  const rows = lines.flatMap(line => (isBlank(line) ? [['']] : line.filter(one => one.trim() !== '').map(one => [one.trim()])))
  const first = rows.findIndex(row => !isBlank(row))
  // a first line of words alone is a heading
  const isHeader = rows.length - first > 1 && first >= 0 && !hasDigit(rows[first]?.[0] ?? '')
  const body = isHeader ? rows.slice(first + 1) : rows
  return {
    header: isHeader ? (rows[first] as string[]) : null,
    rows: body.slice(0, ROWS_MAX),
    column: 0,
    isCut: body.length > ROWS_MAX,
  }
}

export function readPasted(pasted: string): Pasted {
  const text = pasted.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const rows = table(text)
  const first = rows.findIndex(row => !isBlank(row))
  const head = rows[first] ?? []
  if (rows.length - first < 2 || head.length < 2) return list(text)
  const isHeader = !head.some(looksLikeCode)
  const body = isHeader ? rows.slice(first + 1) : rows
  const width = Math.max(...rows.map(row => row.length))
  let column = 0
  let best = -1
  for (let at = 0; at < width; at++) {
    const named = isHeader && HEADER.test(head[at] ?? '') ? 0.5 : 0
    const share = codeShare(body, at) + named
    if (share > best) {
      best = share
      column = at
    }
  }
  return {
    header: isHeader ? head : null,
    rows: body.slice(0, ROWS_MAX),
    column,
    isCut: body.length > ROWS_MAX,
  }
}
