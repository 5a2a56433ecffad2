import type { Defect } from './defect.js'
import { isHouseRule } from './rule-names.js'

export interface Manifest {
  edition: string
  /** The dataset's own version, such as 2.0.0. */
  version?: string
  vat_rate: number
  line_digits: number[]
  /** Languages in which descriptions may be blank; answers then have empty strings. */
  missing_languages?: ('en' | 'ar')[]
  /** Whether the rows must follow house-style.ts. */
  house_style?: boolean
  /** Names of rules (house-rules.ts) that are not enforced yet. */
  rules_pending?: string[]
  /** The rates that may occur, in percent. */
  rates?: number[]
  /** All codes of up to 6 digits that must exist, by chapter; see house-style.ts. */
  codes?: Record<string, string>
}

export const MANIFEST_FILE = 'manifest.json'
const VERSION = /^\d+\.\d+\.\d+$/

export function parseManifest(text: string, defects: Defect[]): Manifest {
  const fallback: Manifest = { edition: '', vat_rate: 0, line_digits: [] }
  const defect = (message: string) => defects.push({ file: MANIFEST_FILE, line: 1, message })
  let raw: Record<string, unknown>
  try {
    raw = JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    defect(`this is not JSON: ${(error as Error).message}`)
    return fallback
  }
  const { edition, version, vat_rate, line_digits, rules_pending } = raw
  if (typeof edition !== 'string' || edition === '') defect('edition must name the nomenclature, such as "HS 2022"')
  if (version !== undefined && !(typeof version === 'string' && VERSION.test(version)))
    defect('version must be three numbers, such as "2.0.0"')
  if (rules_pending !== undefined && !(Array.isArray(rules_pending) && rules_pending.every(isHouseRule)))
    defect('rules_pending must list names of rules from dataset/README.md')
  if (typeof vat_rate !== 'number' || vat_rate < 0 || vat_rate > 100) defect('vat_rate must be a percentage')
  const digitsOk =
    Array.isArray(line_digits) &&
    line_digits.every((n, i) => Number.isInteger(n) && n >= 2 && n <= 14 && (i === 0 || n > line_digits[i - 1]))
  if (!digitsOk) defect('line_digits must be an ascending list of code lengths, such as [8, 12]')
  return { ...fallback, ...(raw as unknown as Manifest) }
}
