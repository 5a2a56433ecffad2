/** Rows of an invoice, read from what people type and paste, and written into an address. */
import { digitsOf } from '../../../codes/digits.js'
import { codeInCell, looksLikeCode } from '../../../codes/in-text.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { isScientific } from '../../../codes/readings.js'
import { type Reading, readAmount, readPercent } from '../text/amounts.js'
import { originOf } from '../text/origin-names.js'
import { cells, type Pasted, readPasted } from './paste.js'

export const FIELDS = ['code', 'value', 'quantity', 'origin', 'sugar', 'excise'] as const
export type Field = (typeof FIELDS)[number]
/** As typed. `quantity` is the invoice's own, of whatever it counts; `excise` is a quantity with its unit, such as `792 l`. */
export type RowText = Readonly<Record<Field, string>>

/** Those that a pasted table may have; the others are asked for where excise goes by them. */
export const COLUMNS = ['code', 'value', 'quantity', 'origin'] as const
/** Which column of a table holds what; -1 where none does. */
export type Columns = Readonly<Record<(typeof COLUMNS)[number], number>>

export const NO_ROW: RowText = { code: '', value: '', quantity: '', origin: '', sugar: '', excise: '' }
export const isBlank = (row: RowText) => FIELDS.every(name => row[name].trim() === '')

/** Sums of a row go before prices of one piece. */
const HEADERS: Readonly<Record<'value' | 'quantity' | 'origin', readonly RegExp[]>> = {
  value: [/value|amount|قيمة|مبلغ/iu, /total|sum|إجمالي|اجمالي|مجموع/iu, /price|cost|سعر|ثمن/iu],
  quantity: [/qty|quantity|كمية/iu, /pieces|pcs|litres|liters|عدد|لتر/iu],
  origin: [/origin|منشأ|منشا/iu, /country|coo|made in|بلد|دولة/iu],
}

const isAmount = (text: string) => ['amount', 'unclear'].includes(readAmount(text, 'USD', []).kind)
const isCountry = (text: string) => text.trim() !== '' && originOf(text) !== null

/** By the headings; without them by what the cells are, in the order code, value, quantity. */
export function guessColumns({ header, rows, column: code }: Pasted): Columns {
  const width = Math.max(0, ...rows.map(row => row.length))
  const free = new Set(Array.from({ length: width }, (_, at) => at).filter(at => at !== code))
  const take = (at: number | undefined) => {
    if (at === undefined) return -1
    free.delete(at)
    return at
  }
  if (header !== null) {
    const named = (patterns: readonly RegExp[]) =>
      take(patterns.flatMap(one => [...free].filter(at => one.test(header[at] ?? '')))[0])
    return { code, value: named(HEADERS.value), quantity: named(HEADERS.quantity), origin: named(HEADERS.origin) }
  }
  const mostly = (is: (cell: string) => boolean) =>
    take([...free].find(at => rows.filter(row => is(row[at] ?? '')).length * 2 > rows.length))
  const origin = mostly(isCountry)
  const value = mostly(isAmount)
  return { code, value, quantity: mostly(isAmount), origin }
}

/** "0902 10" is one code, "090210 10" has a value behind it. */
const BEFORE_VALUE_DIGITS_MIN = SUBHEADING_DIGITS

/** "8517.13 1200": a code that cannot be mistaken for a shorter one with more digits behind it. */
function codeAndValue(line: string): string[] {
  const [code = '', ...rest] = line.split(/\s/)
  const isCode = looksLikeCode(code) && codeDigits(code).length >= BEFORE_VALUE_DIGITS_MIN
  return isCode && rest.length > 0 ? [code, rest.join(' ').trim()] : [line]
}

/** One line is a row, not a list of codes. */
function readLine(line: string): Pasted {
  const separator = ['\t', ';', ','].find(one => line.includes(one))
  const code = codeAndValue(line)
  // "8517.13 12,000": the comma groups thousands
  const isAmountBehind = separator === ',' && code.length > 1 && isAmount(code[1] as string)
  const row = separator === undefined || isAmountBehind ? code : (cells(line, separator)[0] ?? [])
  return { header: null, rows: [row], column: Math.max(0, row.findIndex(looksLikeCode)), isCut: false }
}

export function readTable(text: string): Pasted {
  const lines = text.split(/\r\n?|\n/).filter(line => line.trim() !== '')
  return lines.length === 1 ? readLine((lines[0] as string).trim()) : readPasted(text)
}

/** Units that excise goes by, as invoices write them. Pieces are not among them: those of an invoice may be packages. */
const UNIT_WORDS: Readonly<Record<'l' | 'g', readonly string[]>> = {
  l: [
    'l',
    'lt',
    'ltr',
    'ltrs',
    'litre',
    'litres',
    'liter',
    'liters',
    'لتر',
    'لترا',
    'لترات',
    'اللتر',
    'باللتر',
    'اللترات',
    'باللترات',
  ],
  g: [
    'g',
    'gm',
    'gr',
    'gram',
    'grams',
    'gramme',
    'grammes',
    'غ',
    'غم',
    'غرام',
    'غراما',
    'غرامات',
    'بالغرام',
    'جرام',
    'جرامات',
    'بالجرام',
  ],
}
/** What a heading may say beside the unit and still mean the quantity of the row. */
const QUANTITY_WORDS = ['qty', 'quantity', 'total', 'in', 'كمية', 'الكمية', 'إجمالي']
const DIGIT = /\p{Nd}/u

const unitNamed = (word: string) => (['l', 'g'] as const).find(unit => UNIT_WORDS[unit].includes(word.toLowerCase()))

/** A quantity below a heading such as "Qty (litres)" states its unit. */
function withUnit(quantity: string, heading: string): string {
  const all = heading.toLowerCase().match(/\p{L}+/gu) ?? []
  const units = all.filter(word => !QUANTITY_WORDS.includes(word)).map(unitNamed)
  const isStated = units.length === 1 && units[0] !== undefined && DIGIT.test(quantity.at(-1) ?? '')
  return isStated ? `${quantity} ${units[0]}` : quantity
}

/** The quantity of a row in a unit of excise, if it states one; '' otherwise. */
function measureIn(quantity: string): string {
  const text = quantity.normalize('NFKC')
  let end = text.length
  while (end > 0 && !DIGIT.test(text[end - 1] as string)) end--
  const [number, word] = [text.slice(0, end), text.slice(end).trim().replace(/\.$/, '')]
  const [unit, reading] = [unitNamed(word), readAmount(number, 'USD', [])]
  return unit !== undefined && reading.kind === 'amount' && reading.currency === null ? `${reading.value} ${unit}` : ''
}

/** A quantity that states no unit, as a number to ask about; null if it is not a number. */
export function bareQuantity(quantity: string): string | null {
  const reading = readAmount(quantity, 'USD', [])
  return reading.kind === 'amount' && reading.currency === null ? reading.value : null
}

export function rowsOf({ header, rows }: Pasted, columns: Columns): RowText[] {
  const cell = (row: readonly string[], at: number) => row[at]?.trim() ?? ''
  return rows
    .map(row => ({
      code: cell(row, columns.code),
      value: cell(row, columns.value),
      quantity: withUnit(cell(row, columns.quantity), header?.[columns.quantity] ?? ''),
      origin: cell(row, columns.origin),
      sugar: '',
      excise: '',
    }))
    .filter(row => !isBlank(row))
}

/** Signs that an address leaves as they are and amounts do not have. */
const CELL_END = '_'
const ROW_END = '*'

export function packRows(rows: readonly RowText[]): string {
  const plain = (text: string) => text.replace(/[_*]/g, ' ').trim()
  const packed = (row: RowText) => {
    const parts = FIELDS.map(name => plain(row[name]))
    while (parts.at(-1) === '') parts.pop()
    return parts.join(CELL_END)
  }
  return rows.map(packed).join(ROW_END)
}

export function unpackRows(text: string): RowText[] {
  if (text === '') return []
  return text.split(ROW_END).map(row => {
    const parts = row.split(CELL_END)
    return Object.fromEntries(FIELDS.map((name, at) => [name, parts[at] ?? ''])) as RowText
  })
}

/** Why a row cannot be sent, and in which field. */
export type Problem =
  | { kind: 'noCode' | 'badCode' | 'science'; field: 'code' }
  | { kind: 'noValue' | 'badValue'; field: 'value' }
  | { kind: 'otherCurrency'; field: 'value'; currency: string }
  | { kind: 'unclear'; field: 'value' | 'excise'; grouped: string; decimal: string }
  | { kind: 'badQuantity'; field: 'excise' }
  | { kind: 'badOrigin'; field: 'origin' }
  | { kind: 'badSugar'; field: 'sugar' }

/** Every field as the API takes it; '' where nothing is written. */
export type Item = Readonly<Record<Field, string>>

/** The digits of a cell that holds a code; '' for any other. */
export const codeDigits = (cell: string): string => digitsOf(codeInCell(cell))

function readCode(text: string): string | Problem {
  const plain = codeInCell(text)
  if (plain === '') return { kind: 'noCode', field: 'code' }
  if (isScientific(plain)) return { kind: 'science', field: 'code' }
  return looksLikeCode(plain) ? codeDigits(plain) : { kind: 'badCode', field: 'code' }
}

function readValue(reading: Reading, currency: string): string | Problem {
  if (reading.kind === 'empty') return { kind: 'noValue', field: 'value' }
  if (reading.kind === 'bad') return { kind: 'badValue', field: 'value' }
  if (reading.kind === 'unclear') return { ...reading, field: 'value' }
  const named = reading.currency ?? currency
  return named === currency ? reading.value : { kind: 'otherCurrency', field: 'value', currency: named }
}

function readExcise({ excise, quantity }: RowText): string | Problem {
  if (excise.trim() === '') return measureIn(quantity)
  const [number, unit] = splitMeasure(excise)
  const reading = readAmount(number, 'USD', [])
  if (reading.kind === 'empty') return ''
  if (reading.kind === 'unclear') return { ...reading, field: 'excise' }
  const isNumber = reading.kind === 'amount' && !reading.currency
  return isNumber ? `${reading.value} ${unit}` : { kind: 'badQuantity', field: 'excise' }
}

/** `792 l`: number and unit. */
export function splitMeasure(text: string): [number: string, unit: string] {
  const at = text.lastIndexOf(' ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** `currency` is the invoice's. */
export function readRow(row: RowText, currency: string, known: readonly string[]): Item | Problem {
  const code = readCode(row.code)
  if (typeof code !== 'string') return code
  const value = readValue(readAmount(row.value, currency, known), currency)
  if (typeof value !== 'string') return value
  const origin = originOf(row.origin)
  if (origin === null) return { kind: 'badOrigin', field: 'origin' }
  const sugar = readPercent(row.sugar)
  if (sugar === null) return { kind: 'badSugar', field: 'sugar' }
  const excise = readExcise(row)
  return typeof excise === 'string' ? { code, value, quantity: row.quantity.trim(), origin, sugar, excise } : excise
}

/** The one currency that the rows name; '' where none or several do. */
export function currencyNamed(rows: readonly RowText[], known: readonly string[]): string {
  const named = new Set<string>()
  for (const { value } of rows) {
    const reading = readAmount(value, 'USD', known)
    if (reading.kind === 'amount' && reading.currency !== null) named.add(reading.currency)
  }
  const [only = '', second] = named
  return second === undefined ? only : ''
}
