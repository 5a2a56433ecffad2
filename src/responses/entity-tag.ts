/** Answers from one snapshot by one version of the program are the same but for their timestamp: one tag names them all. */
import type { HttpRequest } from '../engines/engine.js'
import { readIfNoneMatch } from '../engines/request.js'
import { Head, PRIVATE } from './head.js'

const ANY = '*'

export class EntityTag {
  readonly #quoted: string
  readonly #text: string
  readonly head: Head
  readonly unchangedHead: Head

  constructor(snapshot: string, version: string) {
    this.#quoted = `"${snapshot}-${version}"`
    this.#text = `W/${this.#quoted}`
    const headers = { ETag: this.#text, ...PRIVATE }
    this.head = new Head({ status: '200 OK', headers })
    this.unchangedHead = new Head({ status: '304 Not Modified', contentType: null, headers })
  }

  /** Whether the caller says that it has an answer with this tag. */
  isKnownTo(req: HttpRequest): boolean {
    const told = readIfNoneMatch(req)
    if (told === '') return false
    return told === this.#text || namesTag(told, this.#quoted)
  }
}

/** Whether a list of tags names this one, which stands in quotes; weak ones count as well. */
export function namesTag(list: string, quoted: string): boolean {
  return list.split(',').some(tag => {
    const one = tag.trim()
    return one === ANY || (one.startsWith('W/') ? one.slice(2) : one) === quoted
  })
}
