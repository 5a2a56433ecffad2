/** Tables on origin: trade agreements, their terms by category of goods, and anti-dumping duties. */
import {
  type AgreementMeta,
  type AntiDumping,
  COUNTRY_CERTAINTIES,
  COUNTRY_CODES,
  type CountryCertainty,
  type CountryCode,
  TREATMENTS,
  type Treatment,
} from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { parseTable } from '../table.js'
import { RowChecks, UniqueKeys } from './row-checks.js'

export const AGREEMENTS_FILE = 'agreements.csv'
export const MEMBERS_FILE = 'agreement-members.csv'
export const CATEGORIES_FILE = 'agreement-categories.csv'
export const TERMS_FILE = 'agreement-terms.csv'
export const ANTI_DUMPING_FILE = 'anti-dumping.csv'

const ISO_CODE = /^[A-Z]{2}$/

export interface AgreementRow
  extends Pick<AgreementMeta, 'agreement' | 'name' | 'importers' | 'isCalculated' | 'proof' | 'inForce' | 'certainty'> {
  source: string
  line: number
}

export interface MemberRow {
  agreement: string
  country: string
  line: number
}

export interface CategoryRow {
  agreement: string
  prefix: string
  category: string
  certainty: CountryCertainty
  line: number
}

export interface TermRow {
  agreement: string
  category: string
  treatment: Treatment
  note: { en: string; ar: string }
  line: number
}

export interface AntiDumpingRow extends Omit<AntiDumping, 'source'> {
  source: string
  line: number
}

export function parseAgreements(text: string, file: string, defects: Defect[]): AgreementRow[] {
  const columns = [
    'agreement',
    'name_en',
    'name_ar',
    'importers',
    'calculated',
    'proof_en',
    'proof_ar',
    'in_force',
    'source',
    'certainty',
  ] as const
  const keys = new UniqueKeys()
  return parseTable(text, file, columns, defects).map(row => {
    const { agreement, name_en, name_ar, calculated, proof_en, proof_ar, in_force, source, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.filled('agreement', agreement)
    keys.add(agreement, line, `the agreement ${agreement}`, checks)
    checks.bilingual('name', name_en, name_ar)
    const importers = row.importers.split(';').map(code => code.trim())
    for (const importer of importers) checks.oneOf('importing country', importer, COUNTRY_CODES)
    checks.oneOf('"calculated"', calculated, ['yes', 'no'])
    checks.optionalBilingual('proof', proof_en, proof_ar)
    checks.period(in_force)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    return {
      agreement,
      name: { en: name_en, ar: name_ar },
      importers: importers as CountryCode[],
      isCalculated: calculated === 'yes',
      proof: { en: proof_en, ar: proof_ar },
      inForce: in_force,
      source,
      certainty: certainty as CountryCertainty,
      line,
    }
  })
}

export function parseMembers(text: string, file: string, defects: Defect[]): MemberRow[] {
  const keys = new UniqueKeys()
  const rows = parseTable(text, file, ['agreement', 'country'] as const, defects)
  for (const { agreement, country, line } of rows) {
    const checks = new RowChecks(file, line, defects)
    if (!ISO_CODE.test(country)) checks.report(`the country "${country}" is not two capital letters`)
    keys.add(`${agreement} ${country}`, line, `${country} as a member of ${agreement}`, checks)
  }
  return rows
}

export function parseCategories(text: string, file: string, defects: Defect[]): CategoryRow[] {
  const keys = new UniqueKeys()
  return parseTable(text, file, ['agreement', 'prefix', 'category', 'certainty'] as const, defects).map(row => {
    const { agreement, prefix, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.prefix(prefix)
    keys.add(`${agreement} ${prefix}`, line, `the prefix "${prefix}" of ${agreement}`, checks)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    return { ...row, certainty: certainty as CountryCertainty }
  })
}

export function parseTerms(text: string, file: string, defects: Defect[]): TermRow[] {
  const keys = new UniqueKeys()
  return parseTable(text, file, ['agreement', 'category', 'treatment', 'note_en', 'note_ar'] as const, defects).map(row => {
    const { agreement, category, treatment, note_en, note_ar, line } = row
    const checks = new RowChecks(file, line, defects)
    keys.add(`${agreement} ${category}`, line, `the category "${category}" of ${agreement}`, checks)
    checks.oneOf('treatment', treatment, TREATMENTS)
    checks.optionalBilingual('note', note_en, note_ar)
    return { agreement, category, treatment: treatment as Treatment, note: { en: note_en, ar: note_ar }, line }
  })
}

export function parseAntiDumping(text: string, file: string, defects: Defect[]): AntiDumpingRow[] {
  const columns = [
    'scope',
    'prefix',
    'origin',
    'rate_en',
    'goods_en',
    'goods_ar',
    'since',
    'until',
    'source',
    'certainty',
  ] as const
  return parseTable(text, file, columns, defects).map(row => {
    const { scope, prefix, origin, rate_en: rate, goods_en, goods_ar, since, until, source, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.oneOf('scope', scope, ['GCC', ...COUNTRY_CODES])
    checks.prefix(prefix)
    checks.filled('prefix', prefix)
    if (!ISO_CODE.test(origin)) checks.report(`the origin "${origin}" is not two capital letters`)
    checks.filled('rate', rate)
    checks.bilingual('name of the goods', goods_en, goods_ar)
    checks.period(since, until)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    return {
      scope: scope as AntiDumpingRow['scope'],
      prefix,
      origin,
      rate,
      goods: { en: goods_en, ar: goods_ar },
      since,
      until,
      source,
      certainty: certainty as CountryCertainty,
      line,
    }
  })
}
