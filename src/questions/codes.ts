import type { Catalog } from '../catalog/catalog.js'
import { isCode } from '../codes/code.js'
import { digitsOf } from '../codes/digits.js'
import { SUBHEADING_DIGITS, subheadingOf } from '../codes/levels.js'
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN, PARENT_DIGITS_MAX } from '../limits.js'
import { laterCode, movedCode, Refusal, UnknownCode } from './refusal.js'

interface CodeRule {
  readonly digitsMax: number
  readonly sentence: string
}

export const ANY_CODE: CodeRule = {
  digitsMax: CODE_DIGITS_MAX,
  sentence: `An HS code is ${CODE_DIGITS_MIN} to ${CODE_DIGITS_MAX} digits without dots or spaces`,
}
export const PARENT_CODE: CodeRule = {
  digitsMax: PARENT_DIGITS_MAX,
  sentence: `To list its children, a code must be ${CODE_DIGITS_MIN} to ${PARENT_DIGITS_MAX} digits without dots or spaces`,
}

export function findCode(catalog: Catalog, code: string, rule: CodeRule): number | Refusal {
  const record = catalog.trie.find(code)
  if (record >= 0 && code.length <= rule.digitsMax) return record
  return isCode(code, rule.digitsMax) ? unknownCode(catalog, code) : malformedCode(code, rule)
}

export function lookup(catalog: Catalog, code: string): number | Refusal {
  return findCode(catalog, code, ANY_CODE)
}

export function unknownCode(catalog: Catalog, code: string): Refusal {
  const { trie, level, editions, records } = catalog
  const nearest = trie.nearest(code)
  const digits = nearest < 0 ? 0 : level[nearest]
  if (digits < SUBHEADING_DIGITS && code.length >= SUBHEADING_DIGITS) {
    const targets = editions.lastTargets(subheadingOf(code))
    const movedTo = targets && Array.from(targets, target => records.code(target))
    if (movedTo !== undefined) return movedCode(code, code.slice(0, digits), movedTo)
    const later = refuseLaterCode(catalog, code)
    if (later !== undefined) return later
  }
  return new UnknownCode(code, digits)
}

/** Refuses an unknown code if the next edition has its first six digits. */
export function refuseLaterCode({ nextEdition, trie, level }: Catalog, code: string): Refusal | undefined {
  const comesFrom = nextEdition.sources(subheadingOf(code))
  if (comesFrom.length === 0) return undefined
  const nearest = trie.nearest(code)
  return laterCode(code, nextEdition.year, code.slice(0, nearest < 0 ? 0 : level[nearest]), comesFrom)
}

/** The current codes that a code of the next edition replaces; empty for any other code. `written` may have separators. */
export function laterSources({ nextEdition }: Catalog, written: string): readonly string[] {
  return nextEdition.sources(subheadingOf(digitsOf(written)))
}

export function malformedCode(code: string, { digitsMax, sentence }: CodeRule): Refusal {
  const digits = digitsOf(code)
  const isHint = digits !== '' && digits !== code && digits.length <= digitsMax
  return new Refusal('invalidCode', isHint ? `${sentence}; did you mean ${digits}?` : `${sentence}.`)
}
