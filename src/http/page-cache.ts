/** Pages that were asked for more than once: asking again costs no more than writing them. */
/** Bounds: by number, and by the length of the query strings that name them. */
const PAGES_KEPT_MAX = 4096
const KEPT_QUERY_CHARS_MAX = 256
const ASKED_PLACES = 8192

interface Kept<Page> {
  query: string
  page: Page
}

export class PageCache<Page> {
  readonly #max: number
  /** By hash, in the order in which they were kept: the oldest goes first when there are too many. */
  readonly #pages = new Map<number, Kept<Page>>()
  /** Hashes of queries asked lately. */
  readonly #asked = new Uint32Array(ASKED_PLACES)

  constructor(max = PAGES_KEPT_MAX) {
    this.#max = max
  }

  get size(): number {
    return this.#pages.size
  }

  /** The page kept for a query, whose `fnv1a` is given, too: it is worked out once for a request. */
  get(query: string, hash: number): Page | undefined {
    const kept = this.#pages.get(hash)
    return kept !== undefined && kept.query === query ? kept.page : undefined
  }

  /** Most queries are asked once: keeping their pages would cost more than it saves, so the second time decides. */
  offer(query: string, hash: number, page: Page): void {
    if (query.length > KEPT_QUERY_CHARS_MAX || !this.#wasAsked(hash)) return
    if (this.#pages.size >= this.#max && !this.#pages.has(hash)) this.#pages.delete(this.#pages.keys().next().value as number)
    this.#pages.set(hash, { query, page })
  }

  #wasAsked(hash: number): boolean {
    const place = hash & (ASKED_PLACES - 1)
    const wasAsked = this.#asked[place] === hash
    this.#asked[place] = hash
    return wasAsked
  }
}
