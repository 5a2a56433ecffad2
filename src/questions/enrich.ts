import type { Catalog } from '../catalog/catalog.js'
import { Resolver, type ResolveStatus } from './resolve.js'

/** Added cells, in this order. */
export const ENRICHED = ['status', 'code', 'description_en', 'description_ar', 'rate', 'candidates'] as const

/** Resolves the codes of a table one by one, and counts the outcomes. */
export class Enricher {
  readonly #catalog: Catalog
  readonly #resolver: Resolver
  readonly #fillLines: boolean
  /** Answers without candidates: tables repeat the same codes. */
  readonly #cache = new Map<string, readonly string[]>()
  readonly counts = new Map<ResolveStatus, number>()

  /** `year` comes from `readEdition`. `fillLines` replaces a code by its line where it has only one. */
  constructor(catalog: Catalog, year: string, fillLines: boolean) {
    this.#catalog = catalog
    this.#resolver = new Resolver(catalog, year)
    this.#fillLines = fillLines
  }

  /** Cells as `ENRICHED` lists them. Repeated answers may be the same array. */
  enrich(text: string): readonly string[] {
    const { status, record, candidates } = this.#resolver.resolve(text)
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
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
    if (record < 0) return [status, '', '', '', '', codes]
    const shown = this.#fillLines ? this.#onlyLine(record) : record
    const { en, ar } = records.description(shown)
    return [status, records.code(shown), en, ar, this.#catalog.rateText(shown), codes]
  }

  #onlyLine(record: number): number {
    const { lines } = this.#catalog
    if (lines.countBelow(record) !== 1) return record
    return lines.order[lines.below(record, lines.longest).first]
  }
}
