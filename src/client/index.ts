/** HTTP client over fetch, for Node 20 and newer, browsers and workers. */
import type {
  Classification,
  Classified,
  ClassifyItem,
  Correlation,
  CountryEstimate,
  CountryInvoice,
  Dataset,
  DatasetChange,
  Extras,
  Facet,
  Health,
  HsRecord,
  Include,
  Invoice,
  InvoiceItem,
  LookupExtras,
  LookupInclude,
  NextCorrelation,
  Page,
  Picked,
  RecordField,
  Resolved,
  ResultField,
  ScopeNotes,
  SearchAnswer,
  SearchExtras,
  SearchInclude,
  SearchItem,
  SearchPage,
  SearchQuery,
  SearchRefusal,
  Section,
  ShipmentItem,
  Suggestion,
  TariffEstimate,
} from '../answers/shapes.js'
import {
  BODY_BYTES_MAX,
  CLASSIFY_BODY_BYTES_MAX,
  CLASSIFY_ITEMS_MAX,
  PAGE_LIMIT_MAX,
  RESOLVE_BODY_MAX,
  SEARCHES_INCLUDING_MAX,
  SEARCHES_LIMIT_DEFAULT,
  SEARCHES_MAX,
} from '../limits.js'
import { findUnknownName } from '../unknown-name.js'
import { batchesOf, mapConcurrently, numberedFromStart, withPlaces } from './batches.js'
import { HsapiError } from './error.js'
import type {
  ChangesOptions,
  ClassifyOptions,
  EditionOptions,
  EverySearchOptions,
  IncludeOptions,
  InvoiceOptions,
  LinesOptions,
  PageOptions,
  SearchManyOptions,
  SearchOptions,
  ShipmentOptions,
  SuggestOptions,
  TariffOptions,
} from './options.js'
import { answerAll, type ItemRefusal, type Items } from './streams.js'
import { type CallOptions, type ClientOptions, callWeightMax, type Limits, numberOf, Transport } from './transport.js'
import { CLIENT_NAMES, refuseUnknownFields, refuseUnknownOptions } from './unknown-options.js'

export type * from '../answers/shapes.js'
export { HsapiError, type LocalCode } from './error.js'
export type * from './options.js'
export type { ItemRefusal, Items } from './streams.js'
export type { CallOptions, ClientOptions, Limits } from './transport.js'

const CONCURRENCY = 4
const CONCURRENCY_MAX = 64

type ListItem<I extends Include, F extends RecordField> = Picked<HsRecord, F> & Pick<Extras, I>
type ResultItem<I extends SearchInclude, F extends ResultField> = Picked<SearchItem, F> & Pick<SearchExtras, I>

type Query = Record<string, string | number | undefined>

/** Methods throw an `HsapiError` if the server refuses or is unreachable. */
export class HsapiClient {
  readonly #transport: Transport
  readonly #concurrency: number
  readonly #batch: number

  constructor(options: ClientOptions) {
    const unknown = findUnknownName(options, CLIENT_NAMES)
    if (unknown !== undefined) throw new TypeError(unknown.message)
    this.#transport = new Transport(options)
    this.#concurrency = numberOf('concurrency', options.concurrency ?? CONCURRENCY, 1, CONCURRENCY_MAX)
    this.#batch = numberOf('batch', options.batch ?? RESOLVE_BODY_MAX, 1, RESOLVE_BODY_MAX)
  }

  /** Limits of the key from the latest response; undefined before the first response. */
  get limits(): Limits | undefined {
    return this.#transport.limits
  }

  /** Whether the service is up and its dataset loaded. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#data('/api/v1/health', {}, options)
  }

  /**
   * The record of a code of 2 to 14 digits. For an unknown code the error is `not_found`, with `details.nearest` and
   * `moved_to`.
   */
  lookup<const I extends LookupInclude = never>(
    code: string,
    { include, short_max, country, as_of, ...options }: IncludeOptions<I> = {},
  ): Promise<HsRecord & Pick<LookupExtras, I>> {
    return this.#data(codePath(code), { include: include?.join(), short_max, country, as_of }, options)
  }

  /** The codes one level below, ascending. */
  children<const I extends Include = never, const F extends RecordField = never>(
    code: string,
    options: PageOptions<I, F> = {},
  ): Promise<Page<ListItem<I, F>>> {
    return this.#page(`${codePath(code)}/children`, {}, options)
  }

  /** All lines at or below a code, ascending. */
  lines<const I extends Include = never, const F extends RecordField = never>(
    code: string,
    { digits, ...options }: LinesOptions<I, F> = {},
  ): Promise<Page<ListItem<I, F>>> {
    return this.#page(`${codePath(code)}/lines`, { digits }, options)
  }

  /** Finds codes by English or Arabic words or by their first digits, best first. */
  search<const I extends SearchInclude = never, const F extends ResultField = never, const C extends Facet = never>(
    q: string,
    { level, within, rate, facets, ...options }: SearchOptions<I, F, C> = {},
  ): Promise<SearchPage<ResultItem<I, F>, C>> {
    return this.#page('/api/v1/search', { q, level, within, rate, facets: facets?.join() }, options)
  }

  /**
   * Runs any number of searches and returns their answers in order. A search that cannot be answered has an `error` instead.
   * Searches are sent in concurrent batches of 50; the first failed batch ends the call. Each search counts as a request.
   */
  async searchMany<const I extends SearchInclude = never, const F extends ResultField = never, const C extends Facet = never>(
    queries: readonly (string | SearchQuery)[],
    { include, short_max, fields, facets, country, as_of, ...options }: SearchManyOptions<I, F, C> = {},
  ): Promise<(SearchAnswer<ResultItem<I, F>, C> | SearchRefusal)[]> {
    const terms = { include, short_max, fields, facets, country, as_of }
    refuseUnknownOptions(options, terms)
    const sent = queries.map(query => (typeof query === 'string' ? { q: query } : query))
    const batches = batchesOf(sent, Math.min(this.#batch, searchesMax(sent, include)))
    const answers = await mapConcurrently(
      withPlaces(batches),
      this.#concurrency,
      options.signal,
      async ({ batch, before }, ended) => {
        const body = JSON.stringify({ ...terms, queries: batch })
        try {
          const data = await this.#post('/api/v1/search', body, batch.length, ended)
          return oneForEach(data as (SearchAnswer<ResultItem<I, F>, C> | SearchRefusal)[], batch.length)
        } catch (error) {
          throw numberedFromStart(error, before)
        }
      },
    )
    return answers.flat()
  }

  /** All results; pages are fetched as needed, `limit` at a time. */
  everySearch<const I extends SearchInclude = never, const F extends ResultField = never>(
    q: string,
    options: EverySearchOptions<I, F> = {},
  ): AsyncGenerator<ResultItem<I, F>, void, undefined> {
    return every(page => this.search<I, F>(q, { ...options, ...page }), options)
  }

  /** All children; pages are fetched as needed. */
  everyChild<const I extends Include = never, const F extends RecordField = never>(
    code: string,
    options: PageOptions<I, F> = {},
  ): AsyncGenerator<ListItem<I, F>, void, undefined> {
    return every(page => this.children<I, F>(code, { ...options, ...page }), options)
  }

  /** All lines; pages are fetched as needed. */
  everyLine<const I extends Include = never, const F extends RecordField = never>(
    code: string,
    options: LinesOptions<I, F> = {},
  ): AsyncGenerator<ListItem<I, F>, void, undefined> {
    return every(page => this.lines<I, F>(code, { ...options, ...page }), options)
  }

  /** Completions of typed text. */
  suggest(q: string, { limit, lang, ...options }: SuggestOptions = {}): Promise<Suggestion[]> {
    return this.#data('/api/v1/suggest', { q, limit, lang }, options)
  }

  /** The sections with their chapters. */
  chapters(options: CallOptions = {}): Promise<Section[]> {
    return this.#data('/api/v1/chapters', {}, options)
  }

  /** The legal notes of a chapter such as '85' or a section such as 'S16', or the general rules ('rules'). */
  notes(scope: string, options: CallOptions = {}): Promise<ScopeNotes> {
    return this.#data(`/api/v1/notes/${encodeURIComponent(scope)}`, {}, options)
  }

  /** Changes to the dataset, newest version first: those after `since`, or all known changes. */
  changes({ since, kind, codes, ...options }: ChangesOptions = {}): Promise<Page<DatasetChange>> {
    return this.#page('/api/v1/changes', { since, kind, codes: codes?.join() }, options)
  }

  /** All changes; pages are fetched as needed. */
  everyChange(options: ChangesOptions = {}): AsyncGenerator<DatasetChange, void, undefined> {
    return every(page => this.changes({ ...options, ...page }), options)
  }

  /** The dataset in use. */
  dataset(options: CallOptions = {}): Promise<Dataset> {
    return this.#data('/api/v1/dataset', {}, options)
  }

  /**
   * Reads any number of codes as people and spreadsheets write them, and returns the answers in order. Codes are sent in
   * concurrent batches; the first failed batch ends the call. Each code counts as a request.
   */
  async resolve(codes: readonly string[], { edition, country, as_of, ...options }: EditionOptions = {}): Promise<Resolved[]> {
    const terms = { edition, country, as_of }
    refuseUnknownOptions(options, terms)
    const batches = batchesOf(codes, this.#batch)
    const answers = await mapConcurrently(batches, this.#concurrency, options.signal, async (batch, ended) => {
      const body = JSON.stringify({ ...terms, codes: batch })
      const data = await this.#post('/api/v1/resolve', body, batch.length, ended)
      return oneForEach(data as Resolved[], batch.length)
    })
    return answers.flat()
  }

  /**
   * Proposes codes for any number of product titles, and returns the answers in order. Titles are sent in concurrent batches of
   * 100; the first failed batch ends the call. Each title counts as a request.
   */
  async classify(
    items: readonly (string | ClassifyItem)[],
    { level, limit, country, as_of, ...options }: ClassifyOptions = {},
  ): Promise<Classified[]> {
    const terms = { level, limit, country, as_of }
    refuseUnknownOptions(options, terms)
    const sent = items.map(item => (typeof item === 'string' ? { text: item } : item))
    const batches = batchesOf(sent, Math.min(this.#batch, CLASSIFY_ITEMS_MAX), CLASSIFY_BODY_BYTES_MAX)
    const answers = await mapConcurrently(
      withPlaces(batches),
      this.#concurrency,
      options.signal,
      async ({ batch, before }, ended) => {
        const body = JSON.stringify({ ...terms, items: batch })
        try {
          const data = (await this.#post('/api/v1/classify', body, batch.length, ended)) as Classification
          return oneForEach(data?.items, batch.length)
        } catch (error) {
          throw numberedFromStart(error, before)
        }
      },
    )
    return answers.flat()
  }

  /**
   * Like `resolve`, for lists and streams of any length. Requests are sent one at a time, answers come in order, and the client
   * waits for every `Retry-After` up to `waitMsMax`. A code that is refused has an `error` in its place.
   */
  resolveAll(
    codes: Items<string>,
    { edition, country, as_of, ...options }: EditionOptions = {},
  ): AsyncGenerator<Resolved | ItemRefusal<string>, void, undefined> {
    const terms = { edition, country, as_of }
    refuseUnknownOptions(options, terms)
    return answerAll(itemsOf('codes', codes), {
      countMax: this.#batch,
      bytesMax: BODY_BYTES_MAX,
      weightMax: () => callWeightMax(this.limits),
      refuse: code => (typeof code === 'string' ? undefined : 'A code must be a string, such as "0902".'),
      ask: async batch => {
        const body = JSON.stringify({ ...terms, codes: batch })
        const data = await this.#post('/api/v1/resolve', body, batch.length, options.signal, true)
        return oneForEach(data as Resolved[], batch.length)
      },
    })
  }

  /**
   * Like `classify`, for lists and streams of any length. Requests are sent one at a time, answers come in order, and the
   * client waits for every `Retry-After` up to `waitMsMax`. An item that the server refuses has an `error` in its place.
   */
  classifyAll<const Item extends string | ClassifyItem>(
    items: Items<Item>,
    { level, limit, country, as_of, ...options }: ClassifyOptions = {},
  ): AsyncGenerator<Classified | ItemRefusal<Item>, void, undefined> {
    const terms = { level, limit, country, as_of }
    refuseUnknownOptions(options, terms)
    return answerAll(itemsOf('items', items), {
      countMax: Math.min(this.#batch, CLASSIFY_ITEMS_MAX),
      bytesMax: CLASSIFY_BODY_BYTES_MAX,
      weightMax: () => callWeightMax(this.limits),
      refuse: () => undefined,
      ask: async batch => {
        const sent = batch.map(item => (typeof item === 'string' ? { text: item } : item))
        const body = JSON.stringify({ ...terms, items: sent })
        const data = (await this.#post('/api/v1/classify', body, batch.length, options.signal, true)) as Classification
        return oneForEach(data?.items, batch.length)
      },
    })
  }

  /** The codes of the next edition that replace a current subheading; provisional. */
  edition(year: '2028' | 2028, code: string, options?: CallOptions): Promise<NextCorrelation>
  /** The current codes for a subheading of an earlier edition. */
  edition(year: string | number, code: string, options?: CallOptions): Promise<Correlation>
  edition(year: string | number, code: string, options: CallOptions = {}): Promise<Correlation | NextCorrelation> {
    const path = `/api/v1/editions/${encodeURIComponent(year)}/${encodeURIComponent(code)}`
    return this.#data(path, {}, options)
  }

  /** The cost of a shipment in a country: duty, excise, fees and VAT with their sources. Rates are indicative. */
  tariff(hs_code: string, value: number | string, options: ShipmentOptions): Promise<CountryEstimate>
  /** Duty, optional VAT and landed cost of one CIF value. Rates are indicative. */
  tariff(hs_code: string, value: number | string, options?: TariffOptions): Promise<TariffEstimate>
  tariff(hs_code: string, value: number | string, given: Partial<ShipmentOptions> = {}): Promise<TariffEstimate> {
    const { currency, include_vat, vat_rate, include, country, as_of, origin, ...others } = given
    const { freight, insurance, quantity, unit, sugar, convert, ...options } = others
    const bit = (option: boolean | undefined) => (option === undefined ? undefined : Number(option))
    const invoice = { currency, include_vat: bit(include_vat), vat_rate, include: include?.join(), country, as_of, origin }
    const shipment = { freight, insurance, quantity, unit, sugar, convert: bit(convert) }
    return this.#data('/api/v1/tariff/calculate', { hs_code, value, ...invoice, ...shipment }, options)
  }

  /** Items of one declaration in a country: fees are charged once. */
  invoice(items: readonly ShipmentItem[], options: InvoiceOptions): Promise<CountryInvoice>
  /** Up to 100 items with totals. An item that cannot be calculated has an `error` instead. */
  invoice(items: readonly InvoiceItem[], options?: TariffOptions): Promise<Invoice>
  async invoice(
    items: readonly InvoiceItem[],
    { currency, include_vat, vat_rate, include, country, as_of, origin, ...options }: Partial<InvoiceOptions> = {},
  ): Promise<Invoice> {
    const terms = { currency, include_vat, vat_rate, include, country, as_of, origin }
    refuseUnknownOptions(options, terms)
    refuseUnknownFields(items)
    const body = JSON.stringify({ ...terms, items })
    const invoice = (await this.#post('/api/v1/tariff/calculate', body, items.length, options.signal)) as Invoice
    oneForEach(invoice?.items, items.length)
    return invoice
  }

  async #data<Data>(path: string, query: Query, options: CallOptions): Promise<Data> {
    refuseUnknownOptions(options, query)
    return (await this.#transport.ask({ ...options, path, query })).data as Data
  }

  async #page<Answer extends Page<unknown>>(
    path: string,
    query: Query,
    { limit, offset, include, short_max, fields, country, as_of, ...options }: PageOptions<string, string>,
  ): Promise<Answer> {
    const parameters = { ...query, limit, offset, include: include?.join(), short_max, fields: fields?.join(), country, as_of }
    refuseUnknownOptions(options, parameters)
    const { data, meta, facets } = await this.#transport.ask({ ...options, path, query: parameters })
    const page = meta as Omit<Answer, 'items'>
    const found = { items: data, total: page.total, limit: page.limit, offset: page.offset }
    return (facets === undefined ? found : { ...found, facets }) as unknown as Answer
  }

  async #post(path: string, body: string, weight: number, signal: AbortSignal | undefined, isPatient = false): Promise<unknown> {
    return (await this.#transport.ask({ path, body, weight, isPatient, ...(signal !== undefined && { signal }) })).data
  }
}

/** Refuses a string, which would be read as a list of its characters. */
function itemsOf<Item>(name: string, items: Items<Item>): Items<Item> {
  if (typeof items === 'object' && items !== null && (Symbol.iterator in items || Symbol.asyncIterator in items)) return items
  const message = `The parameter ${name} must be a list, or another iterable.`
  throw new HsapiError({ code: 'invalid_parameter', message, details: { parameter: name } })
}

/** Refuses an answer with more or fewer entries than inputs: entries would be assigned to the wrong inputs. */
function oneForEach<Item>(items: readonly Item[] | undefined, count: number): readonly Item[] {
  if (Array.isArray(items) && items.length === count) return items
  const message = `The answer does not have ${count} entries, one for each item that was sent.`
  throw new HsapiError({ code: 'unexpected_answer', message, status: 200 })
}

/** Maximum number of searches in a request. With `include`, the server also limits the number of their results. */
function searchesMax(queries: readonly SearchQuery[], include: readonly string[] = []): number {
  if (include.length === 0) return SEARCHES_MAX
  const limit = queries.reduce((most, query) => Math.max(most, query.limit ?? SEARCHES_LIMIT_DEFAULT), 1)
  return Math.min(SEARCHES_MAX, Math.max(1, Math.floor(SEARCHES_INCLUDING_MAX / limit)))
}

const codePath = (code: string) => `/api/v1/hs-codes/${encodeURIComponent(code)}`

async function* every<Item>(
  ask: (page: { limit: number; offset: number }) => Promise<Page<Item>>,
  { limit = PAGE_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
): AsyncGenerator<Item, void, undefined> {
  for (let at = offset; ; ) {
    const { items, total } = await ask({ limit, offset: at })
    yield* items
    at += items.length
    if (items.length === 0 || at >= total) return
  }
}
