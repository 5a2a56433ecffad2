/** A document in every encoding, with its headers prepared. */
import type { HttpRequest } from '../engines/engine.js'
import { readAcceptEncoding, readIfNoneMatch } from '../engines/request.js'
import { namesTag } from './entity-tag.js'
import { Head, type HeadOptions } from './head.js'
import { CODINGS, type Coding, codingFor } from './preferences.js'
import type { Asset, Responder } from './respond.js'

export interface DocumentFile {
  type: string
  /** Hash of the content, the same for all encodings. */
  hash: string
  plain: Uint8Array | undefined
  coded: Partial<Record<Coding, Uint8Array>>
}

export type DocumentStatus = Pick<HeadOptions, 'status' | 'reason' | 'hasRetryAfter'>
const FOUND: DocumentStatus = { status: '200 OK' }

interface Variant extends Asset {
  /** The entity tag in quotes, different for each encoding. */
  tag: string
  unchanged: Head
}

export class Document {
  readonly #plain: Variant | undefined
  readonly #coded: Partial<Record<Coding, Variant>> = {}

  constructor(
    file: DocumentFile,
    headers: Readonly<Record<string, string>>,
    private readonly status = FOUND,
  ) {
    const variant = (body: Uint8Array, coding?: Coding): Variant => {
      const tag = `"${file.hash}${coding === undefined ? '' : `-${coding}`}"`
      const all = { ...(coding !== undefined && { 'Content-Encoding': coding }), ETag: tag, ...headers }
      return {
        tag,
        body,
        head: new Head({ ...status, contentType: file.type, headers: all }),
        unchanged: new Head({ status: '304 Not Modified', contentType: null, headers: all }),
      }
    }
    this.#plain = file.plain && variant(file.plain)
    for (const coding of CODINGS) {
      const body = file.coded[coding]
      if (body !== undefined) this.#coded[coding] = variant(body, coding)
    }
  }

  end(req: HttpRequest, out: Responder, retryAfter = 0): void {
    const variant = this.#select(req)
    const sentTags = this.status === FOUND ? readIfNoneMatch(req) : ''
    if (sentTags !== '' && namesTag(sentTags, variant.tag)) out.endHead(variant.unchanged)
    else out.endAsset(variant, retryAfter)
  }

  /** Falls back to gzip if there is no plain form: very large files exist only in compressed form. */
  #select(req: HttpRequest): Variant {
    const coding = codingFor(readAcceptEncoding(req))
    const coded = coding && this.#coded[coding]
    return (coded ?? this.#plain ?? this.#coded.gzip) as Variant
  }
}
