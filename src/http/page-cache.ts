/** Pages that were asked for more than once: asking again costs no more than writing them. */
import { textHash } from '../text-hash.js'

/** Bounds: by number, and by the length of the query strings that name them. */
const PAGES_KEPT_MAX = 4096
const KEPT_QUERY_CHARS_MAX = 256
const ASKED_PLACES = 8192

export class PageCache<Page> {
  readonly #max: number
  /** In the order in which they were kept: the oldest goes first when there are too many. */
  readonly #pages = new Map<string, Page>()
  /** Hashes of queries asked lately. */
  readonly #asked = new Int32Array(ASKED_PLACES)

  constructor(max = PAGES_KEPT_MAX) {
    this.#max = max
  }

  get size(): number {
    return this.#pages.size
  }

  get(query: string): Page | undefined {
    return this.#pages.get(query)
  }

  /** Most queries are asked once: keeping their pages would cost more than it saves, so the second time decides. */
  offer(query: string, page: Page): void {
    if (query.length > KEPT_QUERY_CHARS_MAX || !this.#wasAsked(query)) return
    if (this.#pages.size >= this.#max) this.#pages.delete(this.#pages.keys().next().value as string)
    this.#pages.set(query, page)
  }

  #wasAsked(query: string): boolean {
    const hash = textHash(query)
    const place = hash & (ASKED_PLACES - 1)
    const wasAsked = this.#asked[place] === hash
    this.#asked[place] = hash
    return wasAsked
  }
}
