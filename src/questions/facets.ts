/** How the results of a search are distributed over chapters, levels and rates. */
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import type { FACETS } from '../limits.js'

export type FacetName = (typeof FACETS)[number]

/** Values with the number of results that have them. Only the requested facets are present. */
export interface Facets {
  /** Records of chapters with their counts, most results first. */
  chapter?: [record: number, count: number][]
  /** In ascending order of the level. */
  level?: [level: number, count: number][]
  /** Indices into `meta.rates` with their counts, in ascending order of the rate. */
  rate?: [index: number, count: number][]
}

const byValue = ([a]: [number, number], [b]: [number, number]) => a - b
/** Chapter records are in code order, so with equal counts the lower code comes first. */
const byCount = (a: [number, number], b: [number, number]) => b[1] - a[1] || a[0] - b[0]

export class FacetCounter {
  readonly #chapter = new Map<number, number>()
  readonly #level = new Map<number, number>()
  readonly #rate = new Map<number, number>()

  constructor(
    private readonly catalog: Catalog,
    private readonly names: ReadonlySet<FacetName>,
    /** The country whose rates are counted; undefined for the common tariff. */
    private readonly view: CountryView | undefined,
  ) {}

  readonly count = (record: number): void => {
    const { catalog, names } = this
    if (names.has('chapter')) add(this.#chapter, chapterOf(catalog, record))
    if (names.has('level')) add(this.#level, catalog.level[record])
    if (names.has('rate')) add(this.#rate, (this.view ?? catalog).rateIndex(record))
  }

  get facets(): Facets {
    const { names, catalog } = this
    const { rates } = catalog.meta
    return {
      ...(names.has('chapter') && { chapter: [...this.#chapter].sort(byCount) }),
      ...(names.has('level') && { level: [...this.#level].sort(byValue) }),
      ...(names.has('rate') && { rate: [...this.#rate].sort(([a], [b]) => Number(rates[a]) - Number(rates[b])) }),
    }
  }
}

function add(counts: Map<number, number>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function chapterOf({ parent }: Catalog, record: number): number {
  let at = record
  while (parent[at] >= 0) at = parent[at]
  return at
}
