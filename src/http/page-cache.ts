/** Caches pages whose query was seen before, since most queries occur once. */
const PAGES_MAX = 4096
const QUERY_CHARS_MAX = 256
const SEEN_SLOTS = 8192

export class PageCache<Page> {
  readonly #max: number
  /** By hash of the query, oldest first. */
  readonly #pages = new Map<number, { query: string; page: Page }>()
  /** Hashes of recent queries. */
  readonly #seen = new Uint32Array(SEEN_SLOTS)

  constructor(max = PAGES_MAX) {
    this.#max = max
  }

  get size(): number {
    return this.#pages.size
  }

  get(query: string, hash: number): Page | undefined {
    const cached = this.#pages.get(hash)
    return cached !== undefined && cached.query === query ? cached.page : undefined
  }

  offer(query: string, hash: number, page: Page): void {
    if (query.length > QUERY_CHARS_MAX || !this.#wasSeen(hash)) return
    if (this.#pages.size >= this.#max && !this.#pages.has(hash)) this.#pages.delete(this.#pages.keys().next().value as number)
    this.#pages.set(hash, { query, page })
  }

  #wasSeen(hash: number): boolean {
    const slot = hash & (SEEN_SLOTS - 1)
    const wasSeen = this.#seen[slot] === hash
    this.#seen[slot] = hash
    return wasSeen
  }
}
