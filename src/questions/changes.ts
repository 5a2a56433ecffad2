import type { Catalog } from '../catalog/catalog.js'
import type { ChangeRun } from '../catalog/changes.js'
import { CHANGES_LIMIT_DEFAULT } from '../limits.js'
import { CHANGE_KINDS, type ChangeKind } from '../snapshot/format.js'
import { refusePage } from './page.js'
import { invalidParameter, type Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** As the caller wrote them; '' if absent. */
export interface ChangesTerms {
  since?: string | undefined
  kind?: string | undefined
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
  { since = '', kind = '', limit = CHANGES_LIMIT_DEFAULT, offset = 0 }: ChangesTerms,
): ChangesPage | Refusal {
  const { versions } = changes
  if (since !== '' && !versions.includes(since))
    return invalidParameter(
      'since',
      versions.length === 0
        ? 'is not supported: this dataset has no list of changes'
        : `must be a version of the dataset: ${oneOf(versions)}`,
    )
  const known = CHANGE_KINDS.find(one => one === kind)
  if (kind !== '' && known === undefined) return invalidParameter('kind', `must be ${oneOf(CHANGE_KINDS)}`)
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const runs = changes.after(since, known as ChangeKind | undefined)
  const total = runs.reduce((sum, { count }) => sum + count, 0)
  const page = cut(runs, limit, offset)
  return { runs: page, count: page.reduce((sum, { count }) => sum + count, 0), total, limit, offset }
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
