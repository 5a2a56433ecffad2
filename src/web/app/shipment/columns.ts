/** Finds the role of each column of a table by its cells and its heading, and reads the fields of a row accordingly. */
import { asciiDigits, withLostZero } from '../../../codes/digits.js'
import { codeInCell, looksLikeCode } from '../../../codes/in-text.js'
import { isScientific } from '../../../codes/readings.js'
import { CURRENCIES } from '../text/amounts.js'
import { originOf } from '../text/origin-names.js'
import { ADDED, isHeading, isNoAmount, ownColumnsFrom, rankOf } from './headings.js'
import { hasDigit, hasLetter, isAmount, isBlank } from './read-table.js'
import type { Columns, Role, RowText, Source } from './state.js'
import { withCurrency } from './stated-currency.js'
import { withUnit } from './units.js'

/** Number of rows that are read to recognise a column. */
const SAMPLE_ROWS = 200
/** Cells with fewer letters on average are units, currencies or countries, not words. */
const LETTERS_MIN = 4
const NAMED_FACTOR = 3
const MOSTLY = 0.6
const CHAPTER_MAX = 97
/** Units that are also country codes. */
const UNIT_COUNTRIES = new Set(['KG', 'ML', 'CM', 'GR', 'PC', 'ST', 'MT'])

export const NO_COLUMNS: Columns = { words: -1, code: -1, value: -1, quantity: -1, origin: -1, sku: -1, currency: -1 }

type Cells = readonly (readonly string[])[]

/** The cells of a column that are not blank. */
const columnOf = (rows: Cells, at: number) => rows.map(row => row[at]?.trim() ?? '').filter(cell => cell !== '')

const share = (cells: readonly string[], is: (cell: string) => boolean) =>
  cells.length === 0 ? 0 : cells.filter(is).length / cells.length

/**
 * How much a cell looks like a code: many digits, a dot in the usual place and a leading zero score higher than digits that may
 * be an amount.
 */
function codeLikeness(cell: string): number {
  if (!looksLikeCode(cell)) return 0
  const text = asciiDigits(codeInCell(cell)).trim()
  if (isScientific(text)) return 1
  const digits = text.replace(/\D/g, '')
  const chapter = Number((withLostZero(digits) ?? digits).slice(0, 2))
  if (chapter < 1 || chapter > CHAPTER_MAX) return 0
  // "12000.50": codes are not written like this
  if (/^\d+\.\d+$/.test(text) && !/^(?:\d{4}|\d{6}|\d{8})\.\d{2,}$/.test(text)) return 0
  if (/^['"]?0|\d[.\s-]\d/.test(text)) return digits.length >= 4 ? 1 : 0.2
  if (digits.length === 6 && digits.endsWith('000')) return 0.3
  return digits.length >= 6 ? 1 : digits.length >= 4 ? 0.5 : 0.2
}

/** 1, 2, 3, …: row numbers or item numbers. */
function isCounting(cells: readonly string[]): boolean {
  if (cells.length < 3) return false
  const numbers = cells.map(cell => (/^\d{1,14}$/.test(cell) ? Number(cell) : Number.NaN))
  return numbers.every((number, at) => at === 0 || number === (numbers[at - 1] as number) + 1)
}

/** "A-1001": letters and digits without a space. */
const isIdentifier = (cell: string) => hasDigit(cell) && hasLetter(cell) && !/\s/.test(cell) && !looksLikeCode(cell)
const isCountry = (cell: string) => !UNIT_COUNTRIES.has(cell.toUpperCase()) && originOf(cell) !== null
const isCurrency = (cell: string) => CURRENCIES.includes(cell.toUpperCase())
const isNumeric = (cell: string) => looksLikeCode(cell) || isAmount(cell)
const letters = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(/\p{L}/gu)?.length ?? 0), 0) / Math.max(1, cells.length)

/** Whether a row is the heading of the table. */
function isHeader(first: readonly string[], body: Cells, width: number): boolean {
  if (body.length === 0) return false
  const cells = first.map(cell => cell.trim())
  const numeric = Array.from({ length: width }, (_, at) => at).filter(at => share(columnOf(body, at), isNumeric) >= MOSTLY)
  if (numeric.some(at => hasDigit(cells[at] ?? ''))) return false
  if (cells.some(isHeading)) return true
  return numeric.length > 0 && numeric.every(at => cells[at] !== undefined && cells[at] !== '')
}

interface Sample {
  header: readonly string[] | null
  rows: Cells
  width: number
}

/** Headings decide first; between columns whose headings rank equally, the cells decide. */
function codeColumn({ header, rows, width }: Sample): number {
  let best = -1
  let most = 0
  for (let at = 0; at < width; at++) {
    const heading = header?.[at] ?? ''
    const rank = rankOf('code', heading)
    if (rankOf('sku', heading) >= 0) continue
    const cells = columnOf(rows, at)
    const likeness = cells.reduce((sum, cell) => sum + codeLikeness(cell), 0) / Math.max(1, cells.length)
    const isForm = share(cells, looksLikeCode) > 1 - MOSTLY / 3 && !isCounting(cells)
    const isTaken = rank === 0 || (isForm && likeness >= (rank === 1 ? 0.2 : MOSTLY))
    // "commodity" may also be the heading of a column of words
    if (!isTaken) continue
    const score = likeness + (rank === 0 ? 2 : rank === 1 ? 0.5 : 0)
    if (score > most) {
      best = at
      most = score
    }
  }
  return best
}

function wordsColumn({ header, rows, width }: Sample, taken: ReadonlySet<number>): number {
  let best = -1
  let most = LETTERS_MIN
  for (let at = 0; at < width; at++) {
    const cells = columnOf(rows, at)
    if (taken.has(at) || share(cells, isIdentifier) > MOSTLY) continue
    // blank cells count: most cells in a column of remarks are blank
    const mean = (letters(cells) * cells.length) / Math.max(1, rows.length)
    const rank = rankOf('words', header?.[at] ?? '')
    const score = rank >= 0 ? mean * (NAMED_FACTOR - rank) : mean
    if (score >= most) {
      best = at
      most = score
    }
  }
  return best
}

/** A single column: codes, titles, or a mixture of both. */
function onlyColumn({ rows }: Sample): Columns {
  const codes = share(columnOf(rows, 0), looksLikeCode)
  return { ...NO_COLUMNS, code: codes > 0.05 ? 0 : -1, words: codes < 1 ? 0 : -1 }
}

function severalColumns(sample: Sample): Columns {
  const { header, rows, width } = sample
  const taken = new Set<number>()
  const take = (at: number | undefined) => {
    if (at === undefined || at < 0) return -1
    taken.add(at)
    return at
  }
  const free = () => Array.from({ length: width }, (_, at) => at).filter(at => !taken.has(at))
  const named = (role: Role) => {
    const ranked = free().map(at => ({ at, rank: rankOf(role, header?.[at] ?? '') }))
    return take(ranked.filter(({ rank }) => rank >= 0).sort((a, b) => a.rank - b.rank)[0]?.at)
  }
  const mostly = (is: (cell: string) => boolean) =>
    take(
      free().find(at => {
        const cells = columnOf(rows, at)
        return (
          !isNoAmount(header?.[at] ?? '') && !isCounting(cells) && cells.length * 2 > rows.length && share(cells, is) >= MOSTLY
        )
      }),
    )
  const code = take(codeColumn(sample))
  const sku = header === null ? -1 : named('sku')
  const either = (role: Role, is: (cell: string) => boolean) => {
    const at = header === null ? -1 : named(role)
    return at >= 0 ? at : mostly(is)
  }
  const currency = either('currency', isCurrency)
  const origin = either('origin', isCountry)
  const value = either('value', isAmount)
  // a second column of numbers is not a quantity if its heading names something else
  const quantity = header === null ? mostly(isAmount) : named('quantity')
  const words = take(wordsColumn(sample, taken))
  const ids = free().find(at => {
    const cells = columnOf(rows, at)
    return cells.some(isIdentifier) && share(cells, cell => isIdentifier(cell) || looksLikeCode(cell)) >= MOSTLY
  })
  return { words, code, value, quantity, origin, sku: sku >= 0 ? sku : (ids ?? -1), currency }
}

/**
 * Reads a file that this page has exported: the chosen codes replace the pasted ones; everything else comes from the pasted
 * columns.
 */
function ownFile(header: readonly string[], rows: Cells, from: number): Columns {
  const addedColumn = (name: (typeof ADDED)[number]) => from + ADDED.indexOf(name)
  const given = severalColumns({ header: header.slice(0, from), rows, width: from })
  return {
    ...given,
    code: addedColumn('hs_code'),
    value: given.value >= 0 ? given.value : addedColumn('value'),
    origin: given.origin >= 0 ? given.origin : addedColumn('origin'),
    currency: given.currency >= 0 ? given.currency : addedColumn('currency'),
  }
}

export interface Recognised {
  readonly hasHeader: boolean
  readonly columns: Columns
}

/** `hasHeader`: the visitor's choice, if any. */
export function recognise(cells: Cells, hasHeader?: boolean): Recognised {
  const full = cells.filter(row => !isBlank(row)).slice(0, SAMPLE_ROWS)
  const width = Math.max(0, ...full.map(row => row.length))
  const [first = [], ...body] = full
  const own = hasHeader === false ? -1 : ownColumnsFrom(first)
  if (own >= 0) return { hasHeader: true, columns: ownFile(first, body, own) }
  const isNamed = hasHeader ?? isHeader(first, body, width)
  const sample: Sample = { header: isNamed ? first : null, rows: isNamed ? body : full, width }
  const columns = width === 0 ? NO_COLUMNS : width === 1 ? onlyColumn(sample) : severalColumns(sample)
  return { hasHeader: isNamed, columns }
}

/** Reads a table and the roles of its columns. Drops blank rows above the heading. */
export function sourceOf(cells: Cells, isCut: boolean): Source {
  const { hasHeader, columns } = recognise(cells)
  if (!hasHeader) return { header: null, cells, columns, isCut }
  const first = cells.findIndex(row => !isBlank(row))
  return { header: cells[first] as readonly string[], cells: cells.slice(first + 1), columns, isCut }
}

/** The fields of a row. In a column that mixes words and codes, each cell is one or the other. */
export function textOf(row: readonly string[], { header, columns }: Pick<Source, 'header' | 'columns'>): RowText {
  const cell = (role: Role) => (columns[role] < 0 ? '' : (row[columns[role]]?.trim() ?? ''))
  const isShared = columns.words === columns.code
  const isCode = looksLikeCode(cell('code'))
  return {
    words: isShared && isCode ? '' : cell('words'),
    code: isShared && !isCode ? '' : cell('code'),
    value: withCurrency(cell('value'), header?.[columns.value] ?? '', cell('currency')),
    quantity: withUnit(cell('quantity'), header?.[columns.quantity] ?? ''),
    origin: cell('origin'),
    sku: cell('sku'),
    measure: '',
    sugar: '',
  }
}
