/** Turns a checked dataset into the columns of a snapshot. Pure: the same rows give the same document. */

import { CODE_DIGITS_MAX } from '../../src/limits.js'
import { layOutColumns } from '../../src/snapshot/columns.js'
import type { CompiledDocument, EstimateNote, RateSource } from '../../src/snapshot/format.js'
import { Stemmer } from '../../src/text/terms.js'
import { type BuiltControls, buildControls } from '../dataset/controls.js'
import { buildEditions } from '../dataset/editions.js'
import { buildMaterials } from '../dataset/materials.js'
import { buildNextEdition, NEXT_YEAR } from '../dataset/next-edition.js'
import { withPointerNames } from '../dataset/pointers.js'
import { RateSourceFinder, type RateSourceRow } from '../dataset/rate-sources.js'
import type { Dataset } from '../dataset/read.js'
import { buildUnits } from '../dataset/units.js'
import { compileOrigin, NO_ORIGIN } from './agreements.js'
import { buildAttributes } from './attributes.js'
import { buildChanges } from './changes.js'
import { buildClassifier } from './classifier/build.js'
import { type CommonTariff, LineRuns } from './code-runs.js'
import { assembleCountries, compileLayer } from './countries.js'
import { type BuildRecord, buildRecords } from './hierarchy.js'
import { buildNotes, buildPointers } from './notes.js'
import { renderRecords } from './render.js'
import { buildSearchIndex } from './search-index.js'
import { buildSuggestions } from './suggestions.js'
import { buildTrie } from './trie.js'

/**
 * Codes as numbers, padded with zeros to the greatest length, so that they sort by digits. A code and the same code with zeros
 * added have equal numbers.
 */
function sortKeysOf(records: BuildRecord[]): Float64Array {
  return Float64Array.from(records, ({ code }) => Number(code) * 10 ** (CODE_DIGITS_MAX - code.length))
}

/** Active records in code order, for searches by digits. */
function codeOrder(records: BuildRecord[], sortKeys: Float64Array): Uint32Array {
  const ids = Uint32Array.from(records.keys()).filter(i => records[i].active)
  const digits = (i: number) => records[i].code.length
  return ids.sort((a, b) => sortKeys[a] - sortKeys[b] || digits(a) - digits(b))
}

/** The records of each line length in code order, one length after another. */
function linesOf(records: BuildRecord[], sortKeys: Float64Array, lineDigits: readonly number[]) {
  const lineAt = new Uint32Array(lineDigits.length + 1)
  const lines: number[] = []
  lineDigits.forEach((digits, n) => {
    const own: number[] = []
    records.forEach(({ code }, i) => {
      if (code.length === digits) own.push(i)
    })
    own.sort((a, b) => sortKeys[a] - sortKeys[b])
    for (const record of own) lines.push(record)
    lineAt[n + 1] = lines.length
  })
  return { lineAt, lines: Uint32Array.from(lines) }
}

/** The distinct sources, and for each record the number of its rate's source, counted from 1; 0 for none. */
function rateSourcesOf(
  records: BuildRecord[],
  rows: Dataset['rateSources'] = [],
): { sources: RateSource[]; places: Uint16Array } {
  const finder = new RateSourceFinder(rows)
  const known = new Map<RateSourceRow, number>()
  const sources: RateSource[] = []
  const places = Uint16Array.from(records, ({ code }) => {
    const row = finder.find(code)
    if (row === undefined) return 0
    const place = known.get(row) ?? placeOf(row, sources)
    known.set(row, place)
    return place
  })
  return { sources, places }
}

/** The number of a source, counted from 1; adds a new source. */
function placeOf({ source, certainty, date }: RateSourceRow, sources: RateSource[]): number {
  const same = sources.findIndex(other => other.source === source && other.certainty === certainty && other.date === date)
  return same >= 0 ? same + 1 : sources.push({ source, certainty, date })
}

/**
 * The distinct facts for notes of estimates, and for each record the index of its facts. Goods prohibited under a code are
 * prohibited under all codes below it.
 */
function estimateNotesOf(records: BuildRecord[], { controls, columns }: BuiltControls) {
  const prohibiting = new Set(controls.flatMap(({ scope, kind }, i) => (scope === 'GCC' && kind === 'prohibited' ? [i] : [])))
  const prohibited = new Uint8Array(records.length)
  columns.controlRecord.forEach((record, i) => {
    const own = columns.control.subarray(columns.controlAt[i], columns.controlAt[i + 1])
    if (own.some(control => prohibiting.has(control))) prohibited[record] = 1
  })
  const places = new Map<string, number>()
  const estimateNotes: EstimateNote[] = []
  const estimateNote = Uint16Array.from(records, ({ active: isActive, low, high, parent }, i) => {
    if (parent >= 0 && prohibited[parent] === 1) prohibited[i] = 1
    const note = { isActive, low, high, isProhibited: prohibited[i] === 1 }
    const key = Object.values(note).join()
    const place = places.get(key) ?? estimateNotes.push(note) - 1
    places.set(key, place)
    return place
  })
  return { estimateNotes, estimateNote }
}

/** Applies the country layers to the common tariff. */
function countriesOf(tables: Dataset['countries'], common: CommonTariff) {
  const lines = new LineRuns(common)
  const { layers = [], origin = NO_ORIGIN, sources = [] } = tables ?? {}
  const sourceTexts = new Map(sources.map(({ source, text }) => [source, text]))
  const countries = assembleCountries(
    layers.map(layer => compileLayer(layer, common, lines)),
    common.rates,
  )
  const compiledOrigin = compileOrigin(origin, sourceTexts, common, lines)
  return {
    meta: { ...countries.meta, ...compiledOrigin.meta },
    columns: { ...countries.columns, ...compiledOrigin.columns },
  }
}

type RecordOf = ReadonlyMap<string, number>

/** All tables except the rows, from which the records are built. */
type Tables = Omit<Dataset, 'rows'>

/** Each record's JSON, its place in the hierarchy, and the columns for lookups by code. */
function compileHierarchy(records: BuildRecord[], { manifest }: Tables) {
  const sortKey = sortKeysOf(records)
  const { recordBytesMax, ...rendered } = renderRecords(records)
  const columns = {
    ...rendered,
    ...buildTrie(records),
    ...linesOf(records, sortKey, manifest.line_digits),
    level: Uint8Array.from(records, record => record.code.length),
    active: Uint8Array.from(records, record => (record.active ? 1 : 0)),
    source: Uint32Array.from(records, record => record.source),
    parent: Int32Array.from(records, record => record.parent),
    firstChild: Uint32Array.from(records, record => record.firstChild),
    childCount: Uint32Array.from(records, record => record.childCount),
    codeOrder: codeOrder(records, sortKey),
    sortKey,
  }
  return { columns, recordBytesMax }
}

/** The rates of the common tariff and of countries, their sources, and units. */
function compileTariff(records: BuildRecord[], dataset: Tables) {
  const rates = [...new Set(records.map(record => record.rate))].sort((a, b) => Number(a) - Number(b))
  const rateIndex = new Map(rates.map((rate, i) => [rate, i]))
  const rateColumn = (rateOf: (record: BuildRecord) => string) =>
    Uint16Array.from(records, record => rateIndex.get(rateOf(record)) as number)
  const rate = rateColumn(record => record.rate)
  const rateLow = rateColumn(record => record.low)
  const rateHigh = rateColumn(record => record.high)
  const rateDigits = Uint8Array.from(records, record => record.rateDigits)
  const countries = countriesOf(dataset.countries, {
    codes: records.map(({ code }) => code),
    rate,
    low: rateLow,
    high: rateHigh,
    rates,
    isLine: record => records[record].childCount === 0,
  })
  const { sources, places } = rateSourcesOf(records, dataset.rateSources)
  const { units, unit } = buildUnits(dataset.units ?? [], dataset.unitNames ?? [], records)
  return {
    columns: { rate, rateLow, rateHigh, rateDigits, ...countries.columns, rateSource: places, unit },
    meta: { ...countries.meta, rateSources: sources, units },
  }
}

/** Controls, and the notes of estimates, some of which depend on controls. */
function compileControls(records: BuildRecord[], { controlTables }: Tables, recordOf: RecordOf) {
  const built = buildControls(controlTables, recordOf)
  const { columns, ...meta } = built
  const { estimateNotes, estimateNote } = estimateNotesOf(records, built)
  return { columns: { ...columns, estimateNote }, meta: { ...meta, estimateNotes } }
}

/** Earlier editions, the versions of this one, and the next edition. */
function compileHistory({ editions: earlier, releases, changes: rows, nextEdition, manifest }: Tables, recordOf: RecordOf) {
  const { editions, ...editionColumns } = buildEditions(earlier ?? [], recordOf)
  const changes = buildChanges(releases ?? [], rows ?? [], manifest.version ?? '')
  return {
    columns: { ...editionColumns, ...changes.columns, ...buildNextEdition(nextEdition ?? [], recordOf) },
    meta: { editions, releases: changes.releases, nextEdition: nextEdition === undefined ? '' : NEXT_YEAR },
  }
}

/** Everything needed for searches by words. */
function compileWords(records: BuildRecord[], dataset: Tables, recordOf: RecordOf, step: Step) {
  const { synonyms, words } = dataset
  step('search index')
  const stemmer = new Stemmer(words)
  const index = buildSearchIndex(records, synonyms, stemmer)
  const attributes = buildAttributes(dataset.attributes ?? [], dataset.attributeValues ?? [], records, stemmer)
  const termsOf = (text: string) => stemmer.terms(text).flatMap(term => index.placeOf(term) ?? [])
  step('classifier')
  const classifier = buildClassifier(records, index.columns, dataset.titles ?? [], index.terms.texts.length, termsOf)
  step('suggestions')
  const columns = {
    ...index.columns,
    ...attributes.columns,
    ...classifier,
    ...buildPointers(dataset.pointers ?? [], recordOf, { termsOf, frequency: index.frequency }),
    ...buildMaterials(dataset.materials ?? [], index.placeOf, recordOf),
    ...buildSuggestions(records, synonyms, index, words.linking),
  }
  const brands = (dataset.brands ?? []).map(({ spellings, codes, kind }) => ({ spellings, codes, kind }))
  const { vagueGoods = [] } = dataset
  return { columns, meta: { ...attributes.meta, brands, vagueGoods, words }, vocabulary: index.terms.texts.join('\n') }
}

/** Called with the name of each step before it starts. */
export type Step = (name: 'records' | 'search index' | 'classifier' | 'suggestions') => void

export function compile(dataset: Dataset, step: Step = () => {}): CompiledDocument {
  step('records')
  const rows = withPointerNames(dataset.rows, dataset.pointers ?? [])
  return compileRecords(buildRecords(rows, dataset.manifest), dataset, step)
}

export function compileRecords(records: BuildRecord[], dataset: Tables, step: Step = () => {}): CompiledDocument {
  const { manifest, sections = [] } = dataset
  const recordOf = new Map(records.map(({ code }, i) => [code, i]))
  const hierarchy = compileHierarchy(records, dataset)
  const tariff = compileTariff(records, dataset)
  const controls = compileControls(records, dataset, recordOf)
  const history = compileHistory(dataset, recordOf)
  const words = compileWords(records, dataset, recordOf, step)
  return {
    ...layOutColumns({
      ...hierarchy.columns,
      ...tariff.columns,
      ...controls.columns,
      ...history.columns,
      ...words.columns,
      ...buildNotes(dataset.notes ?? [], recordOf, sections),
    }),
    meta: {
      edition: manifest.edition,
      version: manifest.version ?? '',
      vatRate: String(manifest.vat_rate),
      ...tariff.meta,
      ...controls.meta,
      sections: sections.map(({ line: _, ...section }) => section),
      lineDigits: manifest.line_digits,
      ...history.meta,
      ...words.meta,
      records: records.length,
      recordBytesMax: hierarchy.recordBytesMax,
    },
    vocabulary: words.vocabulary,
  }
}
