import type { Catalog } from '../catalog/catalog.js'
import { Resolver, type ResolveStatus } from './resolve.js'

/** What is told of each text, in this order. */
export const ENRICHED = ['status', 'code', 'description_en', 'description_ar', 'rate', 'candidates'] as const

const STATUSES: readonly ResolveStatus[] = ['found', 'normalised', 'ambiguous', 'moved', 'unknown', 'invalid']

/** What do these texts mean by a code, and what is that? As text, one after another; counts what came out. */
export class Enricher {
  readonly #catalog: Catalog
  readonly #resolver: Resolver
  readonly #fillLines: boolean
  /** Answers without candidates, by record and status: the same ones come again and again. */
  readonly #kept = new Map<number, readonly string[]>()
  readonly counts = new Map<ResolveStatus, number>()

  /** `year`: as `readEdition` gave it. `fillLines`: where only one line stands below a code, it is that line. */
  constructor(catalog: Catalog, year: string, fillLines: boolean) {
    this.#catalog = catalog
    this.#resolver = new Resolver(catalog, year)
    this.#fillLines = fillLines
  }

  /** As `ENRICHED` lists it. What is told once more may be the same array. */
  enrich(text: string): readonly string[] {
    const { status, record, candidates } = this.#resolver.resolve(text)
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
    if (candidates.length > 0) return this.#tell(status, record, candidates)
    const key = (record + 1) * STATUSES.length + STATUSES.indexOf(status)
    let told = this.#kept.get(key)
    if (told === undefined) {
      told = this.#tell(status, record, candidates)
      this.#kept.set(key, told)
    }
    return told
  }

  #tell(status: ResolveStatus, record: number, candidates: readonly number[]): readonly string[] {
    const { records } = this.#catalog
    const codes = candidates.map(candidate => records.code(candidate)).join(' ')
    if (record < 0) return [status, '', '', '', '', codes]
    const meant = this.#fillLines ? this.#onlyLine(record) : record
    const { en, ar } = records.description(meant)
    return [status, records.code(meant), en, ar, this.#catalog.rateText(meant), codes]
  }

  #onlyLine(record: number): number {
    const { lines } = this.#catalog
    if (lines.countBelow(record) !== 1) return record
    return lines.order[lines.below(record, lines.longest).first]
  }
}
