import { changesJson } from '../answers/changes.js'
import { controlsOf } from '../answers/controls.js'
import { nextCorrelationOf } from '../answers/correlations.js'
import { exactAmounts, exactEstimate, roundedCalculation } from '../answers/estimate.js'
import { exportRowOf } from '../answers/export-rows.js'
import { facetsJson } from '../answers/facets.js'
import { scopeNotesJson, seeAlsoJson, touchingNotesJson } from '../answers/notes.js'
import { rateOriginOf } from '../answers/rate-origin.js'
import { examplesOf, resolvedFields, shortOf, unitOf } from '../answers/records.js'
import type { Description } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { FACETS, SHORT_CHARS_DEFAULT } from '../limits.js'
import { changes, readWatched } from '../questions/changes.js'
import { children } from '../questions/children.js'
import { lookup } from '../questions/codes.js'
import { readCountry } from '../questions/country.js'
import { dataset } from '../questions/dataset.js'
import { edition } from '../questions/editions.js'
import { exportedRecords } from '../questions/export.js'
import { refuseShortMax } from '../questions/include.js'
import { lines } from '../questions/lines.js'
import { readNames } from '../questions/name-list.js'
import { notes } from '../questions/notes.js'
import { type Resolved, Resolver, readEdition } from '../questions/resolve.js'
import { search } from '../questions/search.js'
import { suggest } from '../questions/suggest.js'
import { type Estimate, estimate } from '../questions/tariff.js'
import { CatalogError } from './catalog-error.js'
import { answerOrNull, answerOrThrow, codeOf, optionsOf, parameterError, textOf } from './check-arguments.js'
import { classifiedItems, classifiedText } from './classify-values.js'
import * as names from './option-names.js'
import { RecordValues } from './record-values.js'
import { needsCountry, shipmentValue } from './shipment-values.js'
import type {
  ChangesOptions,
  Classified,
  ClassifyItem,
  ClassifyOptions,
  Controls,
  Correlation,
  CountryEstimate,
  CountryOptions,
  CutList,
  DatasetChange,
  DatasetInfo,
  Examples,
  ExportRow,
  Facet,
  Facets,
  HsCatalog,
  HsRecord,
  LinesOptions,
  NextCorrelation,
  Note,
  Page,
  PageOptions,
  Pointer,
  RateOrigin,
  Resolution,
  ResolveOptions,
  RowsOptions,
  ScopeNotes,
  SearchOptions,
  SearchPage,
  ShipmentOptions,
  ShortOptions,
  Suggestion,
  SuggestOptions,
  TariffEstimate,
  TariffOptions,
  TextOptions,
  Unit,
} from './values.js'

interface Opened {
  catalog: Catalog
  values: RecordValues
}

export class MemoryCatalog implements HsCatalog {
  readonly dataset: DatasetInfo
  readonly source: string | null
  #opened: Opened | undefined

  constructor(catalog: Catalog, source: string | null) {
    this.source = source
    this.#opened = { catalog, values: new RecordValues(catalog) }
    const info = dataset(catalog)
    for (const value of Object.values(info)) Object.freeze(value)
    this.dataset = Object.freeze(info)
  }

  close(): void {
    this.#opened = undefined
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new CatalogError('db_unavailable', 'This catalog was closed.')
    return this.#opened
  }

  #view(options: CountryOptions): CountryView | undefined {
    const { country = '', as_of: asOf = '' } = options
    const terms = { country: textOf(country, 'country'), asOf: textOf(asOf, 'as_of') }
    return answerOrThrow(readCountry(this.#open.catalog, terms))
  }

  lookup(code: string, options?: CountryOptions): HsRecord | null {
    const { catalog, values } = this.#open
    const view = this.#view(optionsOf(options, names.COUNTRY))
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    return record === null ? null : values.of(record, view)
  }

  search<const C extends Facet = never>(query: string, options?: SearchOptions): SearchPage<HsRecord, C> {
    const { catalog, values } = this.#open
    const { level, within, rate, limit, offset, facets: counted = [], ...terms } = optionsOf(options, names.SEARCH)
    const view = this.#view(terms)
    if (rate !== undefined && typeof rate !== 'number') throw parameterError('rate', 'must be a number')
    if (!Array.isArray(counted)) throw parameterError('facets', 'must be a list of strings')
    const facets = answerOrThrow(readNames('facets', counted, FACETS))
    const found = answerOrThrow(search(catalog, textOf(query, 'q'), level, limit, offset, within, { rate, facets, view }))
    const page = pageOf(values.list(found.records, view), found)
    if (found.facets === undefined) return page as SearchPage<HsRecord, C>
    return Object.freeze({ ...page, facets: parsedFrozen<Facets>(facetsJson(catalog, found.facets)) })
  }

  suggest(typed: string, options?: SuggestOptions): readonly Suggestion[] {
    const { catalog, values } = this.#open
    const { limit, lang } = optionsOf(options, names.SUGGEST)
    const { phrases, count, language } = answerOrThrow(suggest(catalog, textOf(typed, 'q'), limit, lang))
    const suggestions = Array.from(phrases.subarray(0, count), phrase => {
      const { hs_code, description } = values.of(catalog.suggest.record(phrase))
      return Object.freeze({ text: catalog.suggest.text(phrase), lang: language, hs_code, description })
    })
    return Object.freeze(suggestions)
  }

  children(code: string, options?: PageOptions): Page<HsRecord> | null {
    const { catalog, values } = this.#open
    const { limit, offset, ...terms } = optionsOf(options, names.PAGE)
    const view = this.#view(terms)
    const page = answerOrNull(children(catalog, codeOf(code), limit, offset))
    if (page === null) return null
    const records = Array.from({ length: page.count }, (_, i) => page.first + i)
    return pageOf(values.list(records, view), page)
  }

  lines(code: string, options?: LinesOptions): Page<HsRecord> | null {
    const { catalog, values } = this.#open
    const { digits, limit, offset, ...terms } = optionsOf(options, names.LINES)
    const view = this.#view(terms)
    const page = answerOrNull(lines(catalog, codeOf(code), digits, limit, offset))
    if (page === null) return null
    return pageOf(values.list(catalog.lines.order.subarray(page.first, page.first + page.count), view), page)
  }

  path(code: string): readonly HsRecord[] | null {
    const { catalog, values } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    return record === null ? null : values.list(catalog.above(record).reverse())
  }

  resolve(text: string, options?: ResolveOptions): Resolution
  resolve(texts: readonly string[], options?: ResolveOptions): readonly Resolution[]
  resolve(input: string | readonly string[], options?: ResolveOptions): Resolution | readonly Resolution[] {
    const { catalog } = this.#open
    const { edition: year, ...terms } = optionsOf(options, names.RESOLVE)
    const resolver = new Resolver(catalog, answerOrThrow(readEdition(catalog, year)))
    const view = this.#view(terms)
    if (typeof input === 'string') return this.#resolution(resolver.resolve(input), view)
    if (!Array.isArray(input)) throw parameterError('codes', 'must be a string, or a list of strings')
    return Object.freeze(input.map(one => this.#resolution(resolver.resolve(textOf(one, 'codes')), view)))
  }

  #resolution(resolved: Resolved, view: CountryView | undefined): Resolution {
    const { catalog, values } = this.#open
    const { record, reason } = resolved
    const fields = resolvedFields(catalog, resolved)
    Object.freeze(fields.candidates)
    return Object.freeze({
      ...fields,
      record: record < 0 ? null : values.of(record, view),
      ...(reason !== undefined && { reason }),
    })
  }

  classify(text: string, options?: TextOptions): Classified
  classify(items: readonly (string | ClassifyItem)[], options?: ClassifyOptions): readonly Classified[]
  classify(input: string | readonly (string | ClassifyItem)[], options?: TextOptions): Classified | readonly Classified[] {
    const { catalog } = this.#open
    if (typeof input === 'string') {
      const given = optionsOf(options, names.TEXT)
      return classifiedText(catalog, input, given, this.#view(given))
    }
    const given = optionsOf<ClassifyOptions>(options, names.CLASSIFY)
    const view = this.#view(given)
    if (!Array.isArray(input)) throw parameterError('items', 'must be a text, or a list of texts or of objects with text')
    return classifiedItems(catalog, input, given, view)
  }

  editions(year: '2028', code: string): NextCorrelation | null
  editions(year: string, code: string): Correlation | null
  editions(year: string, code: string): Correlation | NextCorrelation | null {
    const { catalog, values } = this.#open
    const answer = answerOrNull(edition(catalog, textOf(year, 'edition'), codeOf(code)))
    if (answer === null) return null
    if ('nextTargets' in answer) {
      for (const target of answer.nextTargets) Object.freeze(target)
      Object.freeze(answer.nextTargets)
      return Object.freeze(nextCorrelationOf(year, code, answer))
    }
    const { relation, targets } = answer
    return Object.freeze({ edition: year, code, relation, targets: values.list(targets) })
  }

  earlier(code: string): Readonly<Record<string, readonly string[]>> | null {
    const { catalog } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    if (record === null) return null
    const lists = catalog.editions.years.map(year => [year, Object.freeze([...catalog.earlierCodes(record, year)])] as const)
    return Object.freeze(Object.fromEntries(lists))
  }

  rate(code: string, options?: CountryOptions): RateOrigin | null {
    const { catalog } = this.#open
    const view = this.#view(optionsOf(options, names.COUNTRY))
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    if (record === null) return null
    return Object.freeze(rateOriginOf(catalog, record, view))
  }

  unit(code: string): Unit | null {
    const { catalog } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    const unit = record === null ? null : unitOf(catalog, record)
    if (unit === null) return null
    Object.freeze(unit.name)
    return Object.freeze(unit)
  }

  controls(code: string, options?: CountryOptions): Controls | null {
    const { catalog } = this.#open
    const view = this.#view(optionsOf(options, names.COUNTRY))
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    if (record === null) return null
    const { items, note } = controlsOf(catalog, record, view?.country.code)
    const frozen = items.map(item => Object.freeze({ ...item, reason: Object.freeze({ ...item.reason }) }))
    return Object.freeze({ items: Object.freeze(frozen), note })
  }

  notes(scope: string): ScopeNotes | null {
    const { catalog } = this.#open
    const found = answerOrNull(notes(catalog, textOf(scope, 'scope')))
    return found === null ? null : parsedFrozen(scopeNotesJson(catalog, scope, found))
  }

  notesOn(code: string): CutList<Note> | null {
    const { catalog } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    return record === null ? null : parsedFrozen(touchingNotesJson(catalog, record))
  }

  seeAlso(code: string): CutList<Pointer> | null {
    const { catalog } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    return record === null ? null : parsedFrozen(seeAlsoJson(catalog, record))
  }

  examples(code: string): Examples | null {
    const { catalog } = this.#open
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    if (record === null) return null
    const { en, ar } = examplesOf(catalog, record)
    return Object.freeze({ en: Object.freeze(en), ar: Object.freeze(ar) })
  }

  short(code: string, options?: ShortOptions): Description | null {
    const { catalog } = this.#open
    const { short_max: shortMax = SHORT_CHARS_DEFAULT } = optionsOf(options, names.SHORT)
    const refusal = refuseShortMax(shortMax)
    if (refusal !== undefined) answerOrThrow(refusal)
    const record = answerOrNull(lookup(catalog, codeOf(code)))
    return record === null ? null : Object.freeze(shortOf(catalog, record, shortMax))
  }

  tariff(code: string, value: number | string, options: ShipmentOptions): CountryEstimate | null
  tariff(code: string, value: number | string, options?: TariffOptions): TariffEstimate | null
  tariff(code: string, value: number | string, options?: Partial<ShipmentOptions>): TariffEstimate | CountryEstimate | null {
    const { catalog } = this.#open
    const given = optionsOf(options, names.TARIFF)
    const { currency, vat_rate: vatRate, include_vat: withVat } = given
    const plain = {
      code: codeOf(code),
      value: typeof value === 'number' || typeof value === 'string' ? String(value) : '',
      currency: currency === undefined ? undefined : textOf(currency, 'currency'),
      withVat: withVat === undefined || typeof withVat === 'boolean' ? withVat : null,
      vatRate: vatRate === undefined ? '' : String(vatRate),
    }
    const view = this.#view(given)
    if (view !== undefined) return shipmentValue(catalog, view, plain, given)
    const optionForCountry = needsCountry(given)
    if (optionForCountry !== undefined) throw parameterError(optionForCountry, 'needs the option country')
    const answer = answerOrNull(estimate(catalog, plain.code, plain.value, plain.currency, plain.withVat, plain.vatRate))
    return answer === null ? null : estimateValue(catalog, answer)
  }

  changes(options?: ChangesOptions): Page<DatasetChange> {
    const { catalog } = this.#open
    const { since = '', kind, codes: sent = [], limit, offset } = optionsOf(options, names.CHANGES)
    if (!Array.isArray(sent)) throw parameterError('codes', 'must be a list of strings')
    const codes = answerOrThrow(readWatched(sent))
    const terms = { since: textOf(since, 'since'), kind: textOf(kind ?? '', 'kind'), codes, limit, offset }
    const page = answerOrThrow(changes(catalog, terms))
    const items: readonly DatasetChange[] = parsedFrozen(changesJson(catalog, page.runs))
    return pageOf(items, page)
  }

  rows(options?: RowsOptions): IterableIterator<ExportRow> {
    const { catalog } = this.#open
    const { level, within = '', ...terms } = optionsOf(options, names.ROWS)
    const view = this.#view(terms)
    return frozenRows(catalog, answerOrThrow(exportedRecords(catalog, { level, within: textOf(within, 'within') })), view)
  }
}

/** An iteration that has started continues after the catalog is closed. */
function* frozenRows(catalog: Catalog, records: Iterable<number>, view: CountryView | undefined): Generator<ExportRow> {
  for (const record of records) {
    const row = exportRowOf(catalog, record, view)
    Object.freeze(row.path)
    yield Object.freeze(row)
  }
}

/** Freezes nested values as well. */
function parsedFrozen<Value>(json: string): Value {
  return JSON.parse(json, (_, value) => Object.freeze(value))
}

function pageOf<Item>(items: readonly Item[], { total, limit, offset }: Omit<Page<Item>, 'items'>): Page<Item> {
  return Object.freeze({ items, total, limit, offset })
}

function estimateValue(catalog: Catalog, answer: Estimate): TariffEstimate {
  const { calculation, notes, ...head } = exactEstimate(catalog, answer)
  return Object.freeze({
    ...head,
    calculation: Object.freeze(roundedCalculation(calculation)),
    exact: Object.freeze(exactAmounts(answer.amounts)),
    notes,
  })
}
