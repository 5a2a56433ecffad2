/** A checked dataset → the document of a snapshot. Pure: the same rows give the same document. */

import { CODE_DIGITS_MAX } from '../src/limits.js'
import { packColumns } from '../src/snapshot/columns.js'
import type { RateSource, SnapshotDocument } from '../src/snapshot/format.js'
import { buildEditions } from './editions.js'
import { type BuildRecord, buildRecords } from './hierarchy.js'
import { buildMaterials } from './materials.js'
import { RateSourceFinder } from './rate-sources.js'
import type { Dataset } from './read.js'
import { renderRecords } from './render.js'
import { buildSearchIndex } from './search-index.js'
import { buildSuggestions } from './suggestions.js'
import { buildTrie } from './trie.js'

/** Codes as numbers of the most digits there are: their order is that of the codes' digits, a code before its extensions. */
function sortKey(code: string): number {
  return Number(code.padEnd(CODE_DIGITS_MAX, '0'))
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

/** The records of each line length in code order, one length after another. */
function linesOf(records: BuildRecord[], lineDigits: readonly number[]) {
  const at: number[] = []
  const lines: number[] = []
  for (const digits of lineDigits) {
    at.push(lines.length)
    const own = records.flatMap(({ code }, i) => (code.length === digits ? [i] : []))
    own.sort((a, b) => ((records[a] as BuildRecord).code < (records[b] as BuildRecord).code ? -1 : 1))
    for (const record of own) lines.push(record)
  }
  at.push(lines.length)
  return { lineAt: Uint32Array.from(at), lines: Uint32Array.from(lines) }
}

/** Each source once, and for each record which one speaks for its rate: 1 is the first, 0 none. */
function rateSourcesOf(
  records: BuildRecord[],
  rows: Dataset['rateSources'] = [],
): { sources: RateSource[]; places: Uint16Array } {
  const finder = new RateSourceFinder(rows)
  const known = new Map<string, number>()
  const sources: RateSource[] = []
  const places = Uint16Array.from(records, ({ code }) => {
    const row = finder.find(code)
    if (row === undefined) return 0
    const { source, certainty, date } = row
    const key = [source, certainty, date].join('\n')
    const place = known.get(key)
    if (place !== undefined) return place
    known.set(key, sources.push({ source, certainty, date }))
    return sources.length
  })
  return { sources, places }
}

/** Told what comes next, before it is done. */
export type Step = (name: 'records' | 'search index' | 'suggestions') => void

export function compile(dataset: Dataset, step: Step = () => {}): SnapshotDocument {
  step('records')
  return compileRecords(buildRecords(dataset.rows, dataset.manifest), dataset, step)
}

export function compileRecords(
  records: BuildRecord[],
  dataset: Omit<Dataset, 'rows'>,
  step: Step = () => {},
): SnapshotDocument {
  const { manifest, synonyms } = dataset
  const rates = [...new Set(records.map(record => record.rate))].sort((a, b) => Number(a) - Number(b))
  const { arena, offset, headBytes, englishBytes, recordBytesMax } = renderRecords(records)
  const { sources, places } = rateSourcesOf(records, dataset.rateSources)
  const { trie, trieRecord } = buildTrie(records)
  step('search index')
  const index = buildSearchIndex(records, synonyms)
  const recordOf = new Map(records.map(({ code }, i) => [code, i]))
  const { editions, ...editionColumns } = buildEditions(dataset.editions ?? [], recordOf)
  step('suggestions')
  const { directory, block } = packColumns({
    ...index.columns,
    ...linesOf(records, manifest.line_digits),
    ...editionColumns,
    ...buildMaterials(dataset.materials ?? [], index.placeOf, recordOf),
    ...buildSuggestions(records, synonyms, index),
    arena,
    offset,
    headBytes,
    englishBytes,
    trie,
    trieRecord,
    level: Uint8Array.from(records, record => record.code.length),
    active: Uint8Array.from(records, record => (record.active ? 1 : 0)),
    rate: Uint16Array.from(records, record => rates.indexOf(record.rate)),
    rateLow: Uint16Array.from(records, record => rates.indexOf(record.low)),
    rateHigh: Uint16Array.from(records, record => rates.indexOf(record.high)),
    rateDigits: Uint8Array.from(records, record => record.rateDigits),
    rateSource: places,
    source: Uint32Array.from(records, record => record.source),
    parent: Int32Array.from(records, record => record.parent),
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
      version: manifest.version ?? '',
      vatRate: String(manifest.vat_rate),
      rates,
      rateSources: sources,
      sections: (dataset.sections ?? []).map(({ line: _, ...section }) => section),
      lineDigits: manifest.line_digits,
      editions,
      records: records.length,
      recordBytesMax,
    },
    vocabulary: index.vocabulary.texts.join('\n'),
  }
}
