/** HTTP client over fetch, for Node 20 and newer, browsers and workers. */
import type {
  Correlation,
  CountryCode,
  CountryEstimate,
  CountryInvoice,
  Dataset,
  Extras,
  Health,
  HsRecord,
  Include,
  Invoice,
  InvoiceItem,
  Language,
  LookupExtras,
  LookupInclude,
  NextCorrelation,
  Page,
  Resolved,
  SearchExtras,
  SearchInclude,
  SearchItem,
  Section,
  ShipmentItem,
  ShipmentTerms,
  Suggestion,
  TariffEstimate,
} from '../answers/shapes.js'
import { PAGE_LIMIT_MAX, RESOLVE_BODY_MAX } from '../limits.js'
import { batchesOf, mapConcurrently } from './batches.js'
import { HsapiError } from './error.js'
import { type CallOptions, type ClientOptions, type Limits, numberOf, Transport } from './transport.js'

export type * from '../answers/shapes.js'
export { HsapiError, type LocalCode } from './error.js'
export type { CallOptions, ClientOptions, Limits } from './transport.js'

const CONCURRENCY = 4
const CONCURRENCY_MAX = 64

/** By whose tariff; by default the common one, or the server's HSAPI_COUNTRY. */
export interface CountryOptions extends CallOptions {
  /** Letter case does not matter. */
  country?: CountryCode | Lowercase<CountryCode>
  /** Such as 2026-03-01: the country's newest list that is not after this day. */
  as_of?: string
}

/** Additional fields: `include: ['path']`. */
export interface IncludeOptions<I extends string> extends CountryOptions {
  include?: readonly I[]
}

export interface PageOptions<I extends string> extends IncludeOptions<I> {
  /** 1 to 50. */
  limit?: number
  offset?: number
}

export interface SearchOptions<I extends SearchInclude> extends PageOptions<I> {
  /** Only codes of this many digits. */
  level?: 2 | 4 | 6 | 8 | 10 | 12
  /** Only codes at or below this one of 2, 4 or 6 digits. */
  within?: string
}

export interface LinesOptions<I extends Include> extends PageOptions<I> {
  /** Default: the longest. */
  digits?: number
}

export interface SuggestOptions extends CallOptions {
  /** 1 to 20. */
  limit?: number
  /** Default: the language of the typed letters. */
  lang?: Language
}

export interface EditionOptions extends CountryOptions {
  /** Edition of the codes: `2022`, `2017`, `2012`, `2007`, `2002` or `1996`. */
  edition?: string
}

export interface TariffOptions extends CallOptions {
  /** A label of three letters; nothing is converted. */
  currency?: string
  /** Whether VAT is added; by default only where `vat_rate` is given. */
  include_vat?: boolean
  /** Percent, in place of the dataset's; implies VAT. */
  vat_rate?: number
}

/** An estimate for a country includes VAT unless `include_vat` is false. */
export interface InvoiceOptions extends TariffOptions {
  country: CountryCode | Lowercase<CountryCode>
  as_of?: string
  /** Of every item that names none. */
  origin?: string
}

export interface ShipmentOptions extends InvoiceOptions, ShipmentTerms {
  origin?: string
  /** Whether to add the amounts in the country's currency, by fixed rates. */
  convert?: boolean
}

type Query = Record<string, string | number | undefined>

/** Methods throw an `HsapiError` if the server refuses or is unreachable. */
export class HsapiClient {
  readonly #transport: Transport
  readonly #concurrency: number
  readonly #batch: number

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
    this.#concurrency = numberOf('concurrency', options.concurrency ?? CONCURRENCY, 1, CONCURRENCY_MAX)
    this.#batch = numberOf('batch', options.batch ?? RESOLVE_BODY_MAX, 1, RESOLVE_BODY_MAX)
  }

  /** Limits of the key from the latest response; undefined before the first. */
  get limits(): Limits | undefined {
    return this.#transport.limits
  }

  /** Whether the service is up and its dataset loaded. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#data('/api/v1/health', {}, options)
  }

  /** By 2 to 14 digits. An unknown code is `not_found`, with `details.nearest` and `moved_to`. */
  lookup<const I extends LookupInclude = never>(
    code: string,
    { include, country, as_of, ...options }: IncludeOptions<I> = {},
  ): Promise<HsRecord & Pick<LookupExtras, I>> {
    return this.#data(codePath(code), { include: include?.join(), country, as_of }, options)
  }

  /** The codes one level below, ascending. */
  children<const I extends Include = never>(
    code: string,
    options: PageOptions<I> = {},
  ): Promise<Page<HsRecord & Pick<Extras, I>>> {
    return this.#page(`${codePath(code)}/children`, {}, options)
  }

  /** All lines at or below a code, ascending. */
  lines<const I extends Include = never>(
    code: string,
    { digits, ...options }: LinesOptions<I> = {},
  ): Promise<Page<HsRecord & Pick<Extras, I>>> {
    return this.#page(`${codePath(code)}/lines`, { digits }, options)
  }

  /** By English or Arabic words or the first digits of a code, best first. */
  search<const I extends SearchInclude = never>(
    q: string,
    { level, within, ...options }: SearchOptions<I> = {},
  ): Promise<Page<SearchItem & Pick<SearchExtras, I>>> {
    return this.#page('/api/v1/search', { q, level, within }, options)
  }

  /** All results; pages are fetched as needed, `limit` at a time. */
  everySearch<const I extends SearchInclude = never>(
    q: string,
    options: SearchOptions<I> = {},
  ): AsyncGenerator<SearchItem & Pick<SearchExtras, I>, void, undefined> {
    return every(page => this.search(q, { ...options, ...page }), options)
  }

  /** All children; pages are fetched as needed. */
  everyChild<const I extends Include = never>(
    code: string,
    options: PageOptions<I> = {},
  ): AsyncGenerator<HsRecord & Pick<Extras, I>, void, undefined> {
    return every(page => this.children(code, { ...options, ...page }), options)
  }

  /** All lines; pages are fetched as needed. */
  everyLine<const I extends Include = never>(
    code: string,
    options: LinesOptions<I> = {},
  ): AsyncGenerator<HsRecord & Pick<Extras, I>, void, undefined> {
    return every(page => this.lines(code, { ...options, ...page }), options)
  }

  /** Completions of typed text. */
  suggest(q: string, { limit, lang, ...options }: SuggestOptions = {}): Promise<Suggestion[]> {
    return this.#data('/api/v1/suggest', { q, limit, lang }, options)
  }

  /** The sections with their chapters. */
  chapters(options: CallOptions = {}): Promise<Section[]> {
    return this.#data('/api/v1/chapters', {}, options)
  }

  /** The dataset in use. */
  dataset(options: CallOptions = {}): Promise<Dataset> {
    return this.#data('/api/v1/dataset', {}, options)
  }

  /**
   * Reads codes as people and spreadsheets write them; any number, answers in order. Sent in concurrent batches; the first
   * failure ends the call. Each code counts as a request.
   */
  async resolve(codes: readonly string[], { edition, country, as_of, signal }: EditionOptions = {}): Promise<Resolved[]> {
    const answers = await mapConcurrently(batchesOf(codes, this.#batch), this.#concurrency, signal, async (batch, ended) => {
      const body = JSON.stringify({ codes: batch, edition, country, as_of })
      const data = await this.#post('/api/v1/resolve', body, batch.length, ended)
      return oneForEach(data as Resolved[], batch.length)
    })
    return answers.flat()
  }

  /** What a subheading of today becomes in the next edition; provisional. */
  edition(year: '2028' | 2028, code: string, options?: CallOptions): Promise<NextCorrelation>
  /** What a subheading of an earlier edition is now. */
  edition(year: string | number, code: string, options?: CallOptions): Promise<Correlation>
  edition(year: string | number, code: string, options: CallOptions = {}): Promise<Correlation | NextCorrelation> {
    const path = `/api/v1/editions/${encodeURIComponent(year)}/${encodeURIComponent(code)}`
    return this.#data(path, {}, options)
  }

  /** What a shipment costs in a country: duty, excise, fees and VAT with their sources. Rates are indicative. */
  tariff(hs_code: string, value: number | string, options: ShipmentOptions): Promise<CountryEstimate>
  /** Duty, optional VAT and landed cost of one CIF value. Rates are indicative. */
  tariff(hs_code: string, value: number | string, options?: TariffOptions): Promise<TariffEstimate>
  tariff(
    hs_code: string,
    value: number | string,
    { include_vat, convert, signal, ...terms }: Partial<ShipmentOptions> = {},
  ): Promise<TariffEstimate> {
    const bit = (option: boolean | undefined) => (option === undefined ? undefined : Number(option))
    const query = { hs_code, value, ...terms, include_vat: bit(include_vat), convert: bit(convert) }
    return this.#data('/api/v1/tariff/calculate', query, signal === undefined ? {} : { signal })
  }

  /** Items of one declaration in a country: fees are charged once. */
  invoice(items: readonly ShipmentItem[], options: InvoiceOptions): Promise<CountryInvoice>
  /** Up to 100 items with totals. An item that cannot be calculated has an `error` instead. */
  invoice(items: readonly InvoiceItem[], options?: TariffOptions): Promise<Invoice>
  async invoice(items: readonly InvoiceItem[], { signal, ...terms }: TariffOptions = {}): Promise<Invoice> {
    const body = JSON.stringify({ ...terms, items })
    const invoice = (await this.#post('/api/v1/tariff/calculate', body, items.length, signal)) as Invoice
    oneForEach(invoice?.items, items.length)
    return invoice
  }

  async #data<Data>(path: string, query: Query, options: CallOptions): Promise<Data> {
    return (await this.#transport.ask({ ...options, path, query })).data as Data
  }

  async #page<Item, I extends string>(
    path: string,
    query: Query,
    { limit, offset, include, country, as_of, ...options }: PageOptions<I>,
  ): Promise<Page<Item>> {
    const parameters = { ...query, limit, offset, include: include?.join(), country, as_of }
    const { data, meta } = await this.#transport.ask({ ...options, path, query: parameters })
    const page = meta as Omit<Page<Item>, 'items'>
    return { items: data as Item[], total: page.total, limit: page.limit, offset: page.offset }
  }

  async #post(path: string, body: string, weight: number, signal: AbortSignal | undefined): Promise<unknown> {
    return (await this.#transport.ask({ path, body, weight, ...(signal !== undefined && { signal }) })).data
  }
}

/** A shorter list would assign answers to the wrong inputs. */
function oneForEach<Item>(items: readonly Item[] | undefined, count: number): readonly Item[] {
  if (Array.isArray(items) && items.length === count) return items
  const message = `The answer does not have ${count} entries, one for each that was sent.`
  throw new HsapiError({ code: 'unexpected_answer', message, status: 200 })
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
