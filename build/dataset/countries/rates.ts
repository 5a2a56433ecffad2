/** rates.csv of a country: the duty rates of each list. The longest prefix of a line decides. */
import {
  COUNTRY_CERTAINTIES,
  type CountryCertainty,
  RULE_STATUSES,
  type RuleStatus,
} from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { parseTable } from '../table.js'
import { RowChecks, shortest, UniqueKeys } from './row-checks.js'

export const RATES_FILE = 'rates.csv'
const COLUMNS = ['list', 'prefix', 'rate', 'status', 'date', 'source', 'certainty'] as const

export interface RateRow {
  /** Date of the list. */
  list: string
  prefix: string
  /** Percent in shortest form; '' unless `allowed`. */
  rate: string
  status: RuleStatus
  date: string
  source: string
  certainty: CountryCertainty
  line: number
}

export function parseRates(text: string, file: string, defects: Defect[]): RateRow[] {
  const keys = new UniqueKeys()
  return parseTable(text, file, COLUMNS, defects).map(row => {
    const { list, prefix, rate, status, date, certainty, line } = row
    const checks = new RowChecks(file, line, defects)
    checks.prefix(prefix)
    keys.add(`${list} ${prefix}`, line, `the prefix "${prefix}" of the list ${list}`, checks)
    checks.oneOf('status', status, RULE_STATUSES)
    checks.percent('rate', rate)
    if (status === 'allowed') checks.filled('rate', rate)
    else if (rate !== '') checks.report(`the rate must be blank where the status is ${status}`)
    checks.date('date', date)
    checks.oneOf('certainty', certainty, COUNTRY_CERTAINTIES)
    return { ...row, rate: shortest(rate), status: status as RuleStatus, certainty: certainty as CountryCertainty }
  })
}
