/** One ETag for all responses, which depend only on the snapshot, the program's version and the default country. */
import type { HttpRequest } from '../engines/engine.js'
import { readIfNoneMatch } from '../engines/request.js'
import { Head, PRIVATE } from './head.js'

const ANY = '*'

export class EntityTag {
  readonly #quoted: string
  readonly #text: string
  readonly head: Head
  readonly notModifiedHead: Head
  /**
   * Heads of responses that may be compressed: one for the plain body, one for the compressed body. Both may have the same weak
   * tag.
   */
  readonly varyingHead: Head
  readonly codedHead: Head
  readonly varyingNotModifiedHead: Head

  constructor(snapshot: string, version: string, country = '') {
    this.#quoted = `"${snapshot}-${version}${country === '' ? '' : `-${country}`}"`
    this.#text = `W/${this.#quoted}`
    const headers = { ETag: this.#text, ...PRIVATE }
    this.head = new Head({ status: '200 OK', headers })
    this.notModifiedHead = new Head({ status: '304 Not Modified', contentType: null, headers })
    const varying = { ...headers, Vary: 'Accept-Encoding' }
    this.varyingHead = new Head({ status: '200 OK', headers: varying })
    this.codedHead = new Head({ status: '200 OK', headers: { ...varying, 'Content-Encoding': 'gzip' } })
    this.varyingNotModifiedHead = new Head({ status: '304 Not Modified', contentType: null, headers: varying })
  }

  matches(req: HttpRequest): boolean {
    const sent = readIfNoneMatch(req)
    if (sent === '') return false
    return sent === this.#text || namesTag(sent, this.#quoted)
  }
}

/** Weak comparison of an If-None-Match list with a quoted tag. */
export function namesTag(list: string, quoted: string): boolean {
  return list.split(',').some(tag => {
    const one = tag.trim()
    return one === ANY || (one.startsWith('W/') ? one.slice(2) : one) === quoted
  })
}
