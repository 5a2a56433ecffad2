import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { nextRelationOf, type Relation } from './editions.js'
import { Resolver, type ResolveStatus } from './resolve.js'

/** Names of the added cells, in order. */
export const ENRICHED = ['status', 'code', 'description_en', 'description_ar', 'rate', 'candidates'] as const

/** Names of the cells that are added for the next edition. */
export const ENRICHED_NEXT = ['change', 'codes'] as const

/** What the next edition changes about a code: nothing, only its goods, or its number. */
export type NextChange = 'none' | 'scope' | Exclude<Relation, 'same'>

export interface EnrichOptions {
  /** Whether to replace a code by its line if it has only one. */
  fillLines: boolean
  /** Whether to add the cells of `ENRICHED_NEXT`. */
  withNext: boolean
  /** The list whose rates are shown; undefined for the common tariff. */
  view?: CountryView | undefined
}

/** Resolves the codes of a table one by one, and counts the outcomes. */
export class Enricher {
  readonly #catalog: Catalog
  readonly #resolver: Resolver
  readonly #options: EnrichOptions
  /** Answers without candidates are cached, because tables repeat the same codes. */
  readonly #cache = new Map<string, readonly string[]>()
  readonly counts = new Map<ResolveStatus, number>()
  /** Number of rows whose code the next edition changes. */
  changed = 0

  /** `year` comes from `readEdition`. */
  constructor(catalog: Catalog, year: string, options: EnrichOptions) {
    this.#catalog = catalog
    this.#resolver = new Resolver(catalog, year)
    this.#options = options
  }

  /** The cells that `ENRICHED` and `ENRICHED_NEXT` name. A repeated code may return the same array. */
  enrich(text: string): readonly string[] {
    const { status, record, candidates } = this.#resolver.resolve(text)
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
    if (this.#options.withNext && this.#isChanging(record)) this.changed++
    if (candidates.length > 0) return this.#cells(status, record, candidates)
    const key = `${record} ${status}`
    let cells = this.#cache.get(key)
    if (cells === undefined) {
      cells = this.#cells(status, record, candidates)
      this.#cache.set(key, cells)
    }
    return cells
  }

  #cells(status: ResolveStatus, record: number, candidates: readonly number[]): readonly string[] {
    const { records } = this.#catalog
    const codes = candidates.map(candidate => records.code(candidate)).join(' ')
    const next = this.#options.withNext ? this.#nextCells(record) : []
    if (record < 0) return [status, '', '', '', '', codes, ...next]
    const shown = this.#options.fillLines ? this.#onlyLine(record) : record
    const { en, ar } = records.description(shown)
    return [status, records.code(shown), en, ar, (this.#options.view ?? this.#catalog).rateText(shown), codes, ...next]
  }

  #isChanging(record: number): boolean {
    const subheading = this.#catalog.subheadingOf(record)
    return subheading >= 0 && this.#catalog.nextEdition.changes(subheading)
  }

  /** The cells for the next edition; blank if there is no code of six digits or more. */
  #nextCells(record: number): readonly string[] {
    const { records, nextEdition } = this.#catalog
    const subheading = this.#catalog.subheadingOf(record)
    if (subheading < 0) return ENRICHED_NEXT.map(() => '')
    const targets = nextEdition.targets(subheading)
    const relation = nextRelationOf(records.code(subheading), targets)
    const unmoved: NextChange = this.#isChanging(record) ? 'scope' : 'none'
    return [relation === 'same' ? unmoved : relation, targets.map(({ hs_code }) => hs_code).join(' ')]
  }

  #onlyLine(record: number): number {
    const { lines } = this.#catalog
    if (lines.countBelow(record) !== 1) return record
    return lines.order[lines.below(record, lines.longest).first]
  }
}
