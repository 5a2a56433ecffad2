import type { Catalog } from '../catalog/catalog.js'
import type { ChangeRun } from '../catalog/changes.js'
import { utf8Text } from '../catalog/utf8.js'

/** The changes in the runs, as one JSON list. */
export function changesJson({ changes }: Catalog, runs: readonly ChangeRun[]): string {
  const parts = runs.map(({ first, count }) =>
    utf8Text(changes.arena.subarray(changes.start(first), changes.end(first + count - 1))),
  )
  return `[${parts.join()}]`
}
