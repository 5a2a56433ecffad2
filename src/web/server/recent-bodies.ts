/** A cache of recently used page bodies, so that a popular page is rendered and compressed once. */

const BODIES_MAX = 512
const BYTES_MAX = 16 * 1024 * 1024

export class RecentBodies<Body extends { readonly length: number } = Uint8Array> {
  /** In order of last use, oldest first. */
  readonly #bodies = new Map<string, Body>()
  #bytes = 0

  constructor(
    private readonly bodiesMax = BODIES_MAX,
    private readonly bytesMax = BYTES_MAX,
  ) {}

  get(key: string): Body | undefined {
    const body = this.#bodies.get(key)
    if (body === undefined) return undefined
    this.#bodies.delete(key)
    this.#bodies.set(key, body)
    return body
  }

  /** Does not store a body if the key is ''. */
  keep(key: string, body: Body): Body {
    if (key === '') return body
    this.#bodies.set(key, body)
    this.#bytes += body.length
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bodies.size <= this.bodiesMax && this.#bytes <= this.bytesMax) break
      this.#bodies.delete(oldest)
      this.#bytes -= length
    }
    return body
  }
}
