/** fees.csv and thresholds.csv of a country: customs fees, and values below which parcels are free of duty. */
import {
  APPLIES,
  COUNTRY_CERTAINTIES,
  type CountryFee,
  type CountryThreshold,
  THRESHOLD_VAT,
} from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { parseTable } from '../table.js'
import { RowChecks, UniqueKeys } from './row-checks.js'

export const FEES_FILE = 'fees.csv'
export const THRESHOLDS_FILE = 'thresholds.csv'

const FEE_COLUMNS = [
  'fee',
  'name_en',
  'name_ar',
  'rate',
  'amount',
  'minimum',
  'maximum',
  'applies',
  'since',
  'source',
  'certainty',
] as const
const THRESHOLD_COLUMNS = [
  'below',
  'duty',
  'vat',
  'basis',
  'not_for',
  'rule_en',
  'rule_ar',
  'since',
  'source',
  'certainty',
] as const

export interface FeeRow extends Omit<CountryFee, 'source'> {
  source: string
  line: number
}

export interface ThresholdRow extends Omit<CountryThreshold, 'source'> {
  source: string
  line: number
}

export function parseFees(text: string, file: string, defects: Defect[]): FeeRow[] {
  const keys = new UniqueKeys()
  return parseTable(text, file, FEE_COLUMNS, defects).map(row => {
    const { fee, name_en, name_ar, rate, amount, minimum, maximum, applies, since, source, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.filled('fee', fee)
    keys.add(`${fee} ${since}`, line, `the fee ${fee}`, checks)
    checks.bilingual('name', name_en, name_ar)
    checks.percent('rate', rate)
    for (const [name, value] of Object.entries({ amount, minimum, maximum })) checks.decimal(name, value)
    if ((rate !== '') === (amount !== '')) checks.report('a fee has either a rate or an amount')
    if (rate === '' && (minimum !== '' || maximum !== '')) checks.report('only a fee with a rate has a minimum or a maximum')
    if (minimum !== '' && maximum !== '' && Number(minimum) > Number(maximum))
      checks.report('the minimum is more than the maximum')
    checks.oneOf('applies', applies, APPLIES)
    checks.period(since)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    return {
      fee,
      name: { en: name_en, ar: name_ar },
      rate,
      amount,
      minimum,
      maximum,
      applies: applies as FeeRow['applies'],
      since,
      source,
      certainty: certainty as FeeRow['certainty'],
      line,
    }
  })
}

export function parseThresholds(text: string, file: string, defects: Defect[]): ThresholdRow[] {
  return parseTable(text, file, THRESHOLD_COLUMNS, defects).map(row => {
    const { below, duty, vat, basis, not_for, rule_en, rule_ar, since, source, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.filled('value', below)
    checks.decimal('value', below)
    checks.oneOf('duty', duty, ['free'])
    checks.oneOf('vat', vat, THRESHOLD_VAT)
    checks.bilingual('rule', rule_en, rule_ar)
    checks.period(since)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    const notFor = not_for === '' ? [] : not_for.split(';').map(prefix => prefix.trim())
    for (const prefix of notFor) checks.prefix(prefix)
    return {
      below,
      duty: 'free',
      vat: vat as ThresholdRow['vat'],
      basis,
      notFor,
      rule: { en: rule_en, ar: rule_ar },
      since,
      source,
      certainty: certainty as ThresholdRow['certainty'],
      line,
    }
  })
}
