/** Proposes codes for a product title. */
import type { Catalog } from '../catalog/catalog.js'
import type { Classified, ClassifyLevel, ClassifyTerms, Verdict } from '../catalog/classify/classified.js'
import type { CountryView } from '../catalog/countries.js'
import { type Decision, type DecisionKeys, isGtin } from '../catalog/decisions.js'
import { isCode } from '../codes/code.js'
import {
  CLASSIFY_CHARS_MAX,
  CLASSIFY_CHARS_MIN,
  CLASSIFY_LEVEL_DEFAULT,
  CLASSIFY_LEVELS,
  CLASSIFY_LIMIT_DEFAULT,
  CLASSIFY_LIMIT_MAX,
  CLASSIFY_WITHIN_MAX,
  CODE_DIGITS_MAX,
  CODE_DIGITS_MIN,
  PARENT_DIGITS_MAX,
} from '../limits.js'
import { unknownCode } from './codes.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** Fields as a caller sent them; '' counts as absent, except for the text. */
export interface SentItem {
  text?: unknown
  within?: unknown
  hs_code?: unknown
  sku?: unknown
  gtin?: unknown
}

/** Options that apply to all items of a request. */
export type SharedTerms = Pick<ClassifyTerms, 'level' | 'limit'>

export interface ClassifyItem {
  /** The text as sent. */
  text: string
  terms: ClassifyTerms
  /** The code to verify, or -1. */
  record: number
  /** '' if absent. */
  sku: string
  gtin: string
}

export interface ClassifiedItem extends Omit<Classified, 'status'> {
  text: string
  status: Classified['status'] | 'decided'
  /** Present only with the status `decided`; the decided codes are the first candidates. */
  decision?: Decision | undefined
  /** Undefined if no code was sent. */
  verdict: Verdict | undefined
}

const TEXT_RULE = `must be a text of ${CLASSIFY_CHARS_MIN} to ${CLASSIFY_CHARS_MAX} characters`
const WITHIN_RULE =
  `must be a code of ${CODE_DIGITS_MIN} to ${PARENT_DIGITS_MAX} digits, as a string, ` +
  `or a list of 1 to ${CLASSIFY_WITHIN_MAX} such codes`
const CODE_RULE = `must be a code of ${CODE_DIGITS_MIN} to ${CODE_DIGITS_MAX} digits without dots or spaces, as a string`
const LEVEL_RULE = `must be ${oneOf(CLASSIFY_LEVELS)}`
const LIMIT_RULE = `must be a whole number from 1 to ${CLASSIFY_LIMIT_MAX}`
const SKU_CHARS_MAX = 100
const SKU_RULE = `must be a text of at most ${SKU_CHARS_MAX} characters`
const GTIN_RULE = 'must be a GTIN of 8, 12, 13 or 14 digits with a correct check digit, as a string'
const NO_RECORD = -1
const ANYWHERE: readonly string[] = []
/** Maximum number of UTF-16 units that a character takes. */
const UNITS_PER_CHARACTER = 2

export function readTerms(
  level: unknown = CLASSIFY_LEVEL_DEFAULT,
  limit: unknown = CLASSIFY_LIMIT_DEFAULT,
): SharedTerms | Refusal {
  if (!CLASSIFY_LEVELS.includes(level as ClassifyLevel)) return invalidParameter('level', LEVEL_RULE)
  const isLimit = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= CLASSIFY_LIMIT_MAX
  return isLimit ? { level: level as ClassifyLevel, limit } : invalidParameter('limit', LIMIT_RULE)
}

export function readItems(catalog: Catalog, sent: readonly SentItem[], terms: SharedTerms): ClassifyItem[] | Refusal {
  const items: ClassifyItem[] = []
  for (const [i, one] of sent.entries()) {
    const item = readItem(catalog, one, terms, `items[${i}].`)
    if (item instanceof Refusal) return item
    items.push(item)
  }
  return items
}

/** `prefix` comes before the name of a field in a refusal. */
export function readItem(catalog: Catalog, sent: SentItem, terms: SharedTerms, prefix = ''): ClassifyItem | Refusal {
  const { text } = sent
  if (typeof text !== 'string' || !hasGoodLength(text.trim())) return invalidParameter(`${prefix}text`, TEXT_RULE)
  const within = readWithin(catalog, sent.within, `${prefix}within`)
  if (within instanceof Refusal) return within
  const record = readCode(catalog, sent.hs_code, `${prefix}hs_code`)
  if (record instanceof Refusal) return record
  const { sku = '', gtin = '' } = sent
  if (typeof sku !== 'string' || sku.length > SKU_CHARS_MAX) return invalidParameter(`${prefix}sku`, SKU_RULE)
  if (typeof gtin !== 'string' || (gtin !== '' && !isGtin(gtin))) return invalidParameter(`${prefix}gtin`, GTIN_RULE)
  return { text, terms: { ...terms, within }, record, sku, gtin }
}

function hasGoodLength(text: string): boolean {
  // checks the length first, so that a very long text is not split into characters
  if (text.length > UNITS_PER_CHARACTER * CLASSIFY_CHARS_MAX) return false
  const { length } = [...text]
  return length >= CLASSIFY_CHARS_MIN && length <= CLASSIFY_CHARS_MAX
}

function readWithin(catalog: Catalog, sent: unknown, parameter: string): readonly string[] | Refusal {
  if (sent === undefined || sent === '') return ANYWHERE
  const codes: unknown[] = Array.isArray(sent) ? sent : [sent]
  const isList = codes.length >= 1 && codes.length <= CLASSIFY_WITHIN_MAX
  if (!isList || !codes.every(isWithinCode)) return invalidParameter(parameter, WITHIN_RULE)
  const unknown = codes.find(code => catalog.trie.find(code) < 0)
  return unknown === undefined ? codes : mustExist(catalog, parameter, unknown)
}

const isWithinCode = (code: unknown): code is string => typeof code === 'string' && isCode(code, PARENT_DIGITS_MAX)

function readCode(catalog: Catalog, sent: unknown, parameter: string): number | Refusal {
  if (sent === undefined || sent === '') return NO_RECORD
  if (typeof sent !== 'string' || !isCode(sent)) return invalidParameter(parameter, CODE_RULE)
  const record = catalog.trie.find(sent)
  return record < 0 ? mustExist(catalog, parameter, sent) : record
}

/** Refuses an unknown code in a parameter. The status is not 404, which would mean that the address does not exist. */
function mustExist(catalog: Catalog, parameter: string, code: string): Refusal {
  const { message, details } = unknownCode(catalog, code)
  return new Refusal('invalidParameter', `The parameter ${parameter} must be an existing code: ${message}`, {
    parameter,
    ...details,
  })
}

export function classify(catalog: Catalog, item: ClassifyItem, view?: CountryView): ClassifiedItem {
  const { classifier } = catalog
  const { text, terms, record } = item
  const title = text.trim()
  const proposed = classifier.classify(title, terms)
  const verdict = record < 0 ? undefined : classifier.verify(title, record, terms)
  return { text, ...withDecision(catalog, proposed, item, terms.limit, view), verdict }
}

/** Puts the codes of a company's own decision before the candidates of the classifier. */
export function withDecision(
  catalog: Catalog,
  { status, candidates, question, missing }: Classified,
  keys: DecisionKeys,
  limit: number,
  view?: CountryView,
): Omit<ClassifiedItem, 'text' | 'verdict'> {
  const decision = catalog.decisions?.find(catalog, keys, view ?? catalog.defaultView)
  if (decision === undefined) return { status, candidates, question, missing, decision }
  const decided = decision.records.map(record => ({ record, score: 1, matched: [] }))
  const others = candidates.filter(candidate => !decision.records.includes(candidate.record))
  const all = [...decided, ...others].slice(0, Math.max(limit, 1))
  return { status: 'decided', candidates: all, question: undefined, missing: undefined, decision }
}
