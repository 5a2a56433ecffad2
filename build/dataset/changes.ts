/**
 * dataset/releases.csv and changes.csv: the versions of the dataset and what each changed. `hsapi diff --changes` writes both.
 */
import { isDay } from '../../src/day.js'
import { termsOf } from '../../src/snapshot/changed-terms.js'
import { COUNTRY_CODES } from '../../src/snapshot/country-format.js'
import { CHANGE_KINDS, type ChangeKind, TERM_KINDS } from '../../src/snapshot/format.js'
import type { Defect } from './defect.js'
import { parseTable } from './table.js'

export const RELEASES_FILE = 'releases.csv'
export const CHANGES_FILE = 'changes.csv'
export const RELEASE_COLUMNS = ['version', 'before', 'date', 'summary_en', 'summary_ar'] as const
/** The columns of a changes.csv that has no changes to country data. */
export const COMMON_CHANGE_COLUMNS = ['version', 'kind', 'hs_code', 'old', 'new', 'old_en', 'new_en', 'old_ar', 'new_ar'] as const
export const CHANGE_COLUMNS = [...COMMON_CHANGE_COLUMNS, 'country'] as const

/** Keeps the snapshot small: 50,000 changes take about 15 MB. Older versions can be dropped. */
export const CHANGES_MAX = 50_000

export type ReleaseRow = Record<(typeof RELEASE_COLUMNS)[number], string> & { line: number }
export type ChangeRow = Record<(typeof CHANGE_COLUMNS)[number], string> & { line: number }

const VERSION = /^\d+\.\d+\.\d+$/
const RATE = /^\d{1,4}(\.\d{1,4})?$/
const CODE = /^\d{2,14}$/
/** Values of a change to `is_active`. */
const FLAG = /^[01]$/
const OLD_WORDS = ['old_en', 'old_ar'] as const
const NEW_WORDS = ['new_en', 'new_ar'] as const
/** Kinds that always belong to a country; controls belong to one or to all. */
const NEEDS_COUNTRY: readonly string[] = ['country_rate', 'taxes'] satisfies ChangeKind[]

/** The cells that each kind of change uses; all others are blank. Descriptions may be blank if the dataset lacks a language. */
const CELLS: Readonly<Record<ChangeKind, readonly (keyof ChangeRow)[]>> = {
  added: ['new', ...NEW_WORDS],
  removed: ['old', ...OLD_WORDS],
  rate: ['old', 'new'],
  active: ['old', 'new'],
  words: [...OLD_WORDS, ...NEW_WORDS],
  country_rate: ['old', 'new'],
  taxes: ['old', 'new'],
  controls: ['old', 'new'],
  unit: ['old', 'new'],
}

/** The form of `old` and `new`, by kind of change; a percentage for all other kinds. */
const VALUES: Readonly<Record<string, string>> = {
  active: '0 or 1',
  country_rate: 'a percentage, prohibited or unknown',
  taxes: 'a list of taxes',
  controls: 'a list of controls',
  unit: 'a unit',
}

function isValue(kind: ChangeKind, text: string): boolean {
  const ofTerms = TERM_KINDS.find(one => one === kind)
  if (ofTerms !== undefined) return termsOf(ofTerms, text) !== undefined
  return (kind === 'active' ? FLAG : RATE).test(text)
}

/** Newest first. */
export function parseReleases(text: string, defects: Defect[]): ReleaseRow[] {
  const rows = parseTable(text, RELEASES_FILE, RELEASE_COLUMNS, defects)
  rows.forEach(({ version, before, date, summary_en: en, summary_ar: ar, line }, i) => {
    const report = (message: string) => defects.push({ file: RELEASES_FILE, line, message })
    for (const one of [version, before]) if (!VERSION.test(one)) report(`"${one}" is not a version such as 2.0.0`)
    if (!isDay(date)) report(`the date is "${date}", not a day such as 2026-11-15`)
    const next = rows[i + 1]
    if (next !== undefined && next.version !== before)
      report(`${version} follows ${before}, but the row below is ${next.version}: list every version, newest first`)
    if ((en === '') !== (ar === '')) report('the summary must be in both languages, or in neither')
  })
  return rows
}

export function parseChanges(text: string, defects: Defect[]): ChangeRow[] {
  const hasCountries = text.split('\n', 1)[0].trimEnd().endsWith(',country')
  const rows = hasCountries
    ? parseTable(text, CHANGES_FILE, CHANGE_COLUMNS, defects)
    : parseTable(text, CHANGES_FILE, COMMON_CHANGE_COLUMNS, defects).map(row => ({ ...row, country: '' }))
  const report = (line: number, message: string) => defects.push({ file: CHANGES_FILE, line, message })
  if (rows.length > CHANGES_MAX) report(1, `there are more than ${CHANGES_MAX} rows; drop those of the oldest versions`)
  const seen = new Map<string, number>()
  for (const row of rows) {
    const { version, kind, hs_code: code, country, line } = row
    const key = `${version} ${kind} ${code} ${country}`
    const first = seen.get(key)
    if (first !== undefined) report(line, `the same change is already at line ${first}`)
    seen.set(key, line)
    if (!CODE.test(code)) report(line, `"${code}" is not an HS code`)
    const cells = (CELLS as Record<string, readonly string[]>)[kind]
    if (cells === undefined) {
      report(line, `the kind is "${kind}", not one of ${CHANGE_KINDS.join(', ')}`)
      continue
    }
    for (const name of COMMON_CHANGE_COLUMNS.slice(3)) {
      if (!cells.includes(name) && row[name] !== '') report(line, `${name} must be blank for ${kind}`)
      if (cells.includes(name) && !name.includes('_') && !isValue(kind as ChangeKind, row[name]))
        report(line, `${name} is "${row[name]}", not ${VALUES[kind] ?? 'a percentage'}`)
    }
    const known: readonly string[] = COUNTRY_CODES
    if (country === '') {
      if (NEEDS_COUNTRY.includes(kind)) report(line, `the country is missing for ${kind}`)
    } else if (kind !== 'controls' && !NEEDS_COUNTRY.includes(kind)) report(line, `country must be blank for ${kind}`)
    else if (!known.includes(country)) report(line, `the country is "${country}", not one of ${known.join(', ')}`)
  }
  return rows
}

export function checkChanges(releases: readonly ReleaseRow[], changes: readonly ChangeRow[]): Defect[] {
  const known = new Set(releases.map(({ version }) => version))
  return changes.flatMap(({ version, line }) =>
    known.has(version) ? [] : [{ file: CHANGES_FILE, line, message: `${version} is not in ${RELEASES_FILE}` }],
  )
}

/** Not checked by a build, because changes are computed from the first snapshot of a version. */
export function checkNewestRelease(releases: readonly ReleaseRow[] | undefined, version: string | undefined): Defect[] {
  const newest = releases?.[0]?.version
  if (newest === version) return []
  const message = `the newest release is ${newest ?? 'missing'}, but the manifest has ${version}; "hsapi diff OLD NEW --changes" adds it`
  return [{ file: RELEASES_FILE, line: 1, message }]
}
