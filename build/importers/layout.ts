/** The interface of layouts, and helpers that all of them use. */
import { OperatorError } from '../../src/errors.js'
import type { CountryCode } from '../../src/snapshot/country-format.js'
import type { TableRow } from '../../src/tables/csv.js'
import { DESCRIPTION_CHARS_MAX } from '../checks/check.js'
import type { Duty } from './duty-text.js'

export type Language = 'en' | 'ar'
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ar: 'Arabic' }

export interface Entry {
  line: number
  code: string
  en: string
  ar: string
  /** Texts of the groups without a code that the entry belongs to, outermost first. */
  contextEn: string[]
  contextAr: string[]
  /** Percent, or '' to inherit. */
  rate: string
}

export interface Skipped {
  line: number
  why: string
}

/** A line under which goods are declared, with the duty that the file gives it. */
export interface TariffLine extends Duty {
  line: number
  /** 12 digits. */
  code: string
  /** Date of the record; '' if the file has no dates. */
  date: string
}

export interface LayoutResult {
  entries: Entry[]
  /** Only from layouts with a `country`. */
  lines: TariffLine[]
  skipped: Skipped[]
  /** Cells that the importer does not understand; one is enough to refuse the file. */
  refused: Skipped[]
  /** Number of titles that have no code. */
  titles: number
  /** Rates that are not percentages: reported, never guessed. */
  oddRates: Skipped[]
  /** Texts longer than a dataset allows. */
  cut: Skipped[]
}

/** The column of each role, by header name or by number, counted from 1. */
export type ColumnMap = Partial<Record<ColumnRole, string>>
export type ColumnRole = 'code' | 'en' | 'ar' | 'rate' | 'rate_ar' | 'date' | 'indent'

export interface Layout {
  name: string
  /** Lengths of the codes under which goods are declared in this tariff. */
  lineDigits: number[]
  /** The rate of codes that have no rate in the file. */
  defaultRate: number
  /** Percent; 5 if omitted. */
  vatRate?: number
  /** The country whose own list the file contains. */
  country?: { code: CountryCode; authority: string; document: string }
  /** Digits of codes that are above the lines and missing from the file; their titles come from another dataset. */
  lacksDigits?: number[]
  /** Header names of each column in official files; the first one found is used. */
  columns: Partial<Record<ColumnRole, string[]>>
  /** A file that lacks one of these columns does not have this layout. */
  required: ColumnRole[]
  read(result: LayoutResult): RowReader
}

/** Receives the rows in order and adds entries to the result, at the latest in `end`. */
export interface RowReader {
  row(cells: Cells): void
  end(): void
}

/** One row with its cells by role; '' for a column that the file lacks. */
export type Cells = Record<ColumnRole, string> & { line: number }

export const ROLES: ColumnRole[] = ['code', 'en', 'ar', 'rate', 'rate_ar', 'date', 'indent']

export function emptyResult(): LayoutResult {
  return { entries: [], lines: [], skipped: [], refused: [], titles: 0, oddRates: [], cut: [] }
}

/** Official headers have stray blanks and marks, and line breaks between languages. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const oneLine = (name: string) => name.replace(/\s+/g, ' ')

function findColumn(header: string[], role: ColumnRole, layout: Layout, map: ColumnMap): number {
  const given = map[role]
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (given !== undefined) {
    const byName = header.findIndex(name => same(name, given))
    const byNumber = /^[1-9][0-9]*$/.test(given) ? Number(given) - 1 : -1
    if (byName >= 0) return byName
    if (byNumber >= 0 && byNumber < header.length) return byNumber
    throw new OperatorError(`--map: there is no column "${given}"; the file has ${header.map(oneLine).join(', ')}`)
  }
  for (const alias of layout.columns[role] ?? []) {
    const found = header.findIndex(name => [name, ...name.split('\n')].some(part => fold(part) === fold(alias)))
    if (found >= 0) return found
  }
  return -1
}

/** Finds the columns in the header; the returned function picks their cells from a row. */
export function cellsByRole(header: string[], layout: Layout, map: ColumnMap, file: string): (row: TableRow) => Cells {
  const at = Object.fromEntries(ROLES.map(role => [role, findColumn(header, role, layout, map)])) as Record<ColumnRole, number>
  for (const role of layout.required) {
    if (at[role] >= 0) continue
    const known = layout.columns[role]?.join(' or ')
    throw new OperatorError(
      `${file}: this does not look like the layout ${layout.name}: no column ${known ?? `for ${role}`} ` +
        `(the file has ${header.map(oneLine).join(', ')}); choose another --layout or use --map ${role}=COLUMN`,
    )
  }
  return ({ line, cells }) => {
    const text = (role: ColumnRole) => cells[at[role]] ?? ''
    return {
      line,
      code: text('code'),
      en: text('en'),
      ar: text('ar'),
      rate: text('rate'),
      rate_ar: text('rate_ar'),
      date: text('date'),
      indent: text('indent'),
    }
  }
}

const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd]/gu

const TRAILING_MARK = /[\s:.]/

/** A loop, because /[\s:.]+$/ takes quadratic time on a long cell of blanks. */
function withoutTrailingMarks(text: string): string {
  let end = text.length
  while (end > 0 && TRAILING_MARK.test(text[end - 1])) end--
  return text.slice(0, end)
}

/** Removes layout marks: dashes for depth, closing colons, line breaks, invisible characters. */
function plainText(text: string): string {
  const marked = text
    .replace(/[\u00a0\u202f|\r\n\t]/g, ' ')
    .replace(INVISIBLE, '')
    .replace(/^[\s\-–—]+/, '')
  return withoutTrailingMarks(marked).replace(/ {2,}/g, ' ').trim()
}

/** Cuts a text to the length that a dataset allows, and reports it. */
export function cutText(text: string, language: Language, line: number, result: LayoutResult): string {
  if (text.length <= DESCRIPTION_CHARS_MAX) return text
  result.cut.push({ line, why: `the ${LANGUAGE_NAMES[language]} text has ${text.length} characters` })
  // do not split a surrogate pair
  return text
    .slice(0, DESCRIPTION_CHARS_MAX)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

export function textOf(cells: Cells, language: Language, result: LayoutResult): string {
  return cutText(plainText(cells[language]), language, cells.line, result)
}

/** Groups that cover all codes starting with their digits; a longer prefix is nested in a shorter one. */
export class PrefixGroups {
  #open: { prefix: string; en: string; ar: string }[] = []

  add(prefix: string, en: string, ar: string): void {
    this.#open = this.#open.filter(group => prefix !== group.prefix && prefix.startsWith(group.prefix))
    this.#open.push({ prefix, en, ar })
  }

  contextOf(code: string): { contextEn: string[]; contextAr: string[] } {
    const over = this.#open.filter(group => code.startsWith(group.prefix))
    return {
      contextEn: over.map(group => group.en).filter(text => text !== ''),
      contextAr: over.map(group => group.ar).filter(text => text !== ''),
    }
  }
}

const FREE = /^(?:free|exempt|معفاة|معفى|nil)$/i
const PERCENT = /^([0-9]{1,4}(?:\.[0-9]{1,4})?)\s*%?$/

/** A rate cell as percent; '' if it is blank, undefined if it is not a percentage. */
export function readRate(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  if (FREE.test(trimmed)) return '0'
  return PERCENT.exec(trimmed)?.[1]
}
