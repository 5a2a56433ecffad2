import type { Catalog } from '../catalog/catalog.js'
import type { ChangeRun, ChangeSubject, Changes } from '../catalog/changes.js'
import { isCode } from '../codes/code.js'
import { SUBHEADING_DIGITS } from '../codes/levels.js'
import { CHANGES_CODES_MAX, CHANGES_LIMIT_DEFAULT, CODE_DIGITS_MIN } from '../limits.js'
import { CHANGE_KINDS, type ChangeKind } from '../snapshot/format.js'
import { refusePage } from './page.js'
import { invalidParameter, type Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** Parameters as the caller wrote them; '' if absent. */
export interface ChangesTerms {
  since?: string | undefined
  kind?: string | undefined
  /** Only changes that affect these codes, see `watched`; all changes if absent. */
  codes?: readonly string[] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

export interface ChangesPage {
  runs: ChangeRun[]
  count: number
  total: number
  limit: number
  offset: number
}

/** Changes in the versions after `since`, newest version first; all known changes if `since` is absent. */
export function changes(
  { changes }: Catalog,
  { since = '', kind = '', codes, limit = CHANGES_LIMIT_DEFAULT, offset = 0 }: ChangesTerms,
): ChangesPage | Refusal {
  const { versions } = changes
  if (since !== '' && !versions.includes(since))
    return invalidParameter(
      'since',
      versions.length === 0
        ? 'is not supported: this dataset has no list of changes'
        : `must be a version of the dataset: ${oneOf(versions)}`,
    )
  const knownKind = CHANGE_KINDS.find(one => one === kind)
  if (kind !== '' && knownKind === undefined) return invalidParameter('kind', `must be ${oneOf(CHANGE_KINDS)}`)
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const all = changes.after(since, knownKind as ChangeKind | undefined)
  const runs = codes === undefined ? all : watched(changes, all, codes)
  const total = runs.reduce((sum, { count }) => sum + count, 0)
  const page = cut(runs, limit, offset)
  return { runs: page, count: page.reduce((sum, { count }) => sum + count, 0), total, limit, offset }
}

/** Checks the codes; undefined for an empty list. */
export function readWatched(codes: readonly string[]): readonly string[] | undefined | Refusal {
  if (codes.length === 0) return undefined
  if (codes.length > CHANGES_CODES_MAX || !codes.every(code => typeof code === 'string' && isCode(code)))
    return invalidParameter('codes', `must be 1 to ${CHANGES_CODES_MAX} codes of digits only`)
  return codes
}

/**
 * Changes to the codes, to the codes below them, and to the shorter codes that padded lines among them repeat. Also changes
 * to the codes above, if they apply to all codes below.
 */
function watched(changes: Changes, runs: readonly ChangeRun[], codes: readonly string[]): ChangeRun[] {
  const watchedCodes = new Set(codes)
  const repeated = new Set(codes.flatMap(repeatedBy))
  const prefixes = new Set(codes.flatMap(code => Array.from({ length: code.length }, (_, digits) => code.slice(0, digits))))
  const isWatched = ({ code, appliesBelow }: ChangeSubject) => {
    if (repeated.has(code) || (appliesBelow && prefixes.has(code))) return true
    for (let digits = CODE_DIGITS_MIN; digits <= code.length; digits++) if (watchedCodes.has(code.slice(0, digits))) return true
    return false
  }
  const found: ChangeRun[] = []
  for (const { first, count } of runs)
    for (let change = first; change < first + count; change++) {
      if (!isWatched(changes.subjectOf(change))) continue
      const last = found.at(-1)
      if (last !== undefined && last.first + last.count === change) last.count++
      else found.push({ first: change, count: 1 })
    }
  return found
}

/** The codes that a line ending in zeros may repeat: 851713000000 repeats 851713. */
function repeatedBy(code: string): string[] {
  const repeated: string[] = []
  for (let end = code.length; end > SUBHEADING_DIGITS && code[end - 1] === '0'; end--) repeated.push(code.slice(0, end - 1))
  return repeated
}

function cut(runs: readonly ChangeRun[], limit: number, offset: number): ChangeRun[] {
  let skipped = offset
  let left = limit
  return runs.flatMap(({ first, count }) => {
    const skip = Math.min(skipped, count)
    const taken = Math.min(left, count - skip)
    skipped -= skip
    left -= taken
    return taken === 0 ? [] : [{ first: first + skip, count: taken }]
  })
}
