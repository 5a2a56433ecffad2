/** One check of all codes of a table. */

import { codeInCell } from '../../../codes/in-text.js'
import { ask, type Resolved } from '../data/api.js'
import { country } from '../data/country.js'
import { t } from '../shared/language.js'
import { BatchRun } from './check-run.js'
import type { CheckTable } from './check-table.js'
import type { Pasted } from './paste.js'

const BATCH_MAX = 200

export const codesOf = ({ rows, column }: Pasted) => rows.map(row => codeInCell(row[column] ?? ''))

/** Continues after what the table has already. `stopped` is called when the visitor stops it. */
export function codesRun(
  pasted: Pasted,
  edition: string,
  table: CheckTable,
  stopped: () => void,
  finished: () => void,
): BatchRun<string, Resolved> {
  return new BatchRun<string, Resolved>({
    // blank cells are shown without a request
    items: codesOf(pasted).map(one => one || null),
    done: table.results.length,
    batchMax: BATCH_MAX,
    label: t.checkGo,
    stopLabel: t.checkStop,
    progress: t.checkProgress,
    ask: (codes, signal) =>
      ask<Resolved[]>('resolve', { body: { codes, edition, ...(country() !== '' && { country: country() }) }, signal }),
    take: found => table.add(found),
    stopped,
    finished,
  })
}
