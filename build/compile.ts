/** A checked dataset → the document of a snapshot. Pure: the same rows give the same document. */

import { packColumns } from '../src/snapshot/columns.js'
import type { SnapshotDocument } from '../src/snapshot/format.js'
import { type BuildRecord, buildRecords } from './hierarchy.js'
import type { Dataset, Manifest } from './read.js'
import { renderRecords } from './render.js'
import { buildSearchIndex } from './search-index.js'
import type { SynonymGroup } from './synonyms.js'
import { buildTrie } from './trie.js'

/** Codes as numbers of 14 digits: their order is that of the codes' digits, a code before its extensions. */
function sortKey(code: string): number {
  return Number(code.padEnd(14, '0'))
}

/** Active records in code order, for searches by digits. */
function codeOrder(records: BuildRecord[]): Uint32Array {
  const ids = records.flatMap(({ active }, i) => (active ? [i] : []))
  ids.sort((a, b) => {
    const [x, y] = [(records[a] as BuildRecord).code, (records[b] as BuildRecord).code]
    return sortKey(x) - sortKey(y) || x.length - y.length
  })
  return Uint32Array.from(ids)
}

export function compile({ manifest, rows, synonyms }: Dataset): SnapshotDocument {
  return compileRecords(buildRecords(rows, manifest), manifest, synonyms)
}

export function compileRecords(
  records: BuildRecord[],
  manifest: Manifest,
  synonyms: SynonymGroup[],
): SnapshotDocument {
  const rates = [...new Set(records.map(record => record.rate))].sort((a, b) => Number(a) - Number(b))
  const { arena, offset, headBytes, englishBytes, recordBytesMax } = renderRecords(records)
  const { trie, trieRecord } = buildTrie(records)
  const { vocabulary, ...searchColumns } = buildSearchIndex(records, synonyms)
  const { directory, block } = packColumns({
    ...searchColumns,
    arena,
    offset,
    headBytes,
    englishBytes,
    trie,
    trieRecord,
    level: Uint8Array.from(records, record => record.code.length),
    active: Uint8Array.from(records, record => (record.active ? 1 : 0)),
    rate: Uint16Array.from(records, record => rates.indexOf(record.rate)),
    source: Uint32Array.from(records, record => record.source),
    firstChild: Uint32Array.from(records, record => record.firstChild),
    childCount: Uint32Array.from(records, record => record.childCount),
    codeOrder: codeOrder(records),
    sortKey: Float64Array.from(records, record => sortKey(record.code)),
  })
  return {
    block,
    directory,
    meta: {
      edition: manifest.edition,
      vatRate: String(manifest.vat_rate),
      rates,
      records: records.length,
      recordBytesMax,
    },
    vocabulary,
  }
}
