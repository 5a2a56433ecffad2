/**
 * Splits pasted text into cells. A list of titles stays one column, even if the titles contain commas; a list of codes gets one
 * row per code.
 */
import { looksLikeCode } from '../../../codes/in-text.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { CURRENCIES, readAmount } from '../text/amounts.js'
import { isHeading } from './headings.js'

/** Maximum rows of goods; there may be a heading in addition. */
export const ROWS_MAX = 5000

export interface Table {
  readonly cells: string[][]
  readonly isCut: boolean
}

const SEPARATORS = ['\t', ';', ','] as const
const ANY_SEPARATOR = /[,;\t]/
const LETTER = /\p{L}/u
const DIGIT = /\p{Nd}/u

export const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0
export const isBlank = (row: readonly string[]) => row.every(cell => cell.trim() === '')
export const isAmount = (text: string) => ['amount', 'unclear'].includes(readAmount(text, 'USD', CURRENCIES).kind)

/**
 * The end of the cell that starts with a quote at `from`, or -1 if the quote is not closed: it is then an inch mark or part of
 * a name.
 */
function closingQuote(text: string, from: number, separator: string): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at++
    else return at + 1 === text.length || text[at + 1] === '\n' || text[at + 1] === separator ? at : -1
  }
  return -1
}

/** Quoted cells may contain separators, quotes and line breaks. `rowsMax` bounds the work. */
function split(text: string, separator: string, rowsMax = ROWS_MAX + 2): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length && rows.length < rowsMax) {
    let start = at
    while (text[start] === ' ') start++
    const end = text[start] === '"' ? closingQuote(text, start, separator) : -1
    let stop = end < 0 ? at : end + 1
    while (stop < text.length && text[stop] !== separator && text[stop] !== '\n') stop++
    row.push(end < 0 ? text.slice(at, stop) : text.slice(start + 1, end).replaceAll('""', '"'))
    if (stop >= text.length || text[stop] === '\n') {
      rows.push(row)
      row = []
    }
    at = stop + 1
  }
  return rows
}

/** Keeps blank lines, so that exports line up with the pasted text, but drops those at the end. */
function withoutLastBlanks(rows: string[][]): string[][] {
  let end = rows.length
  while (end > 0 && isBlank(rows[end - 1] as string[])) end--
  return rows.slice(0, end)
}

const NUMBERS_SHARE_MIN = 0.6
const SAMPLE_ROWS = 200

/** Text with commas or semicolons is a table only if it has a column of numbers, or headings; otherwise it contains titles. */
function isTable(rows: readonly string[][], separator: string): boolean {
  if (separator === '\t') return true
  const [head = [], ...body] = rows.filter(row => !isBlank(row)).slice(0, SAMPLE_ROWS)
  if (head.filter(isHeading).length >= 2) return true
  const sample = body.length === 0 ? [head] : body
  const isSpaced = separator === ',' && sample.every(row => row.slice(1).every(cell => cell === '' || cell.startsWith(' ')))
  const width = Math.max(...sample.map(row => row.length))
  for (let at = 0; at < width; at++) {
    const cells = sample.map(row => row[at]?.trim() ?? '').filter(cell => cell !== '')
    // if every comma is followed by a space, as in "Paint, white, 5", it is a table only if a column has codes
    const isNumber = (cell: string) =>
      isSpaced ? looksLikeCode(cell) && countDigits(cell) >= SUBHEADING_DIGITS : isNumeric(cell)
    if (cells.length * 2 > sample.length && cells.filter(isNumber).length >= cells.length * NUMBERS_SHARE_MIN) return true
  }
  return false
}

const isNumeric = (cell: string) => looksLikeCode(cell) || isAmount(cell)

/** Splits at the separator that gives many cells per row and most rows the same number; null if the text is one column. */
function tableOf(text: string): string[][] | null {
  let best: string[][] | null = null
  let bestScore = 0
  for (const separator of SEPARATORS) {
    if (!text.includes(separator)) continue
    const rows = withoutLastBlanks(split(text, separator))
    const full = rows.filter(row => !isBlank(row))
    const width = full[0]?.length ?? 0
    const even = full.filter(row => row.length === width).length / Math.max(1, full.length)
    const score = width > 1 ? even * Math.min(width, 6) : 0
    if (score <= bestScore || (even < 0.6 && separator !== '\t')) continue
    if (!isTable(rows, separator)) continue
    best = rows
    bestScore = score
  }
  return best
}

/** One code per row, if the text contains only codes. */
function listOf(text: string): string[][] | null {
  const lines = withoutLastBlanks(text.split('\n').map(line => line.split(ANY_SEPARATOR)))
  const parts = lines.flatMap(line => line.map(one => one.trim()).filter(one => one !== ''))
  if (parts.length === 0 || !parts.every(looksLikeCode)) return null
  return lines.flatMap(line => (isBlank(line) ? [['']] : line.filter(one => one.trim() !== '').map(one => [one.trim()])))
}

/** "8517.13 1200": a code followed by a number. Not "0902 10", which is one code. */
function codeAndValue(line: string): string[] | null {
  const [code = '', ...rest] = line.split(/\s/)
  const isCode = looksLikeCode(code) && countDigits(code) >= SUBHEADING_DIGITS
  const value = rest.join(' ').trim()
  return isCode && isAmount(value) ? [code, value] : null
}

/** One line: a row, a title, or a list of codes. */
function lineOf(line: string): string[][] {
  const pair = codeAndValue(line)
  if (pair !== null) return [pair]
  const separators = SEPARATORS.filter(one => line.includes(one))
  const parts = line.split(ANY_SEPARATOR).map(one => one.trim())
  const areCodes = parts.length > 1 && parts.every(looksLikeCode)
  if (areCodes && (separators.length > 1 || parts.every(one => countDigits(one) >= SUBHEADING_DIGITS)))
    return parts.map(one => [one])
  for (const separator of separators) {
    const rows = split(line, separator, 1)
    if (separator === '\t' || rows[0]?.some(cell => isNumeric(cell.trim()))) return rows
  }
  return [[line]]
}

/** Reads one row more than the limit, to detect whether there are too many. */
export function readCells(pasted: string): string[][] {
  const text = pasted.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const shown = text.trim()
  if (shown === '') return []
  // a line may start or end with an empty cell
  if (!shown.includes('\n')) return lineOf(text.replaceAll('\n', ''))
  return tableOf(text) ?? listOf(text) ?? withoutLastBlanks(split(text, '\n'))
}

export function readTable(pasted: string): Table {
  const cells = readCells(pasted)
  return { cells: cells.slice(0, ROWS_MAX + 1), isCut: cells.length > ROWS_MAX + 1 }
}

export const hasLetter = (text: string) => LETTER.test(text)
export const hasDigit = (text: string) => DIGIT.test(text)
