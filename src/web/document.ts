/** A file of the site in every encoding, with its headers prepared. */
import type { HttpRequest } from '../engines/engine.js'
import { readAcceptEncoding, readIfNoneMatch } from '../engines/request.js'
import { namesTag } from '../responses/entity-tag.js'
import { Head, type HeadOptions } from '../responses/head.js'
import type { Asset, Responder } from '../responses/respond.js'
import { CODINGS, type Coding } from './manifest.js'
import { codingFor } from './preferences.js'
import type { SiteFile } from './site.js'

export type DocumentStatus = Pick<HeadOptions, 'status' | 'reason'>
const FOUND: DocumentStatus = { status: '200 OK' }

interface Variant extends Asset {
  /** Quoted, and different for each encoding. */
  tag: string
  unchanged: Head
}

export class Document {
  readonly #plain: Variant | undefined
  readonly #coded: Partial<Record<Coding, Variant>> = {}

  constructor(
    file: SiteFile,
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

  end(req: HttpRequest, out: Responder): void {
    const variant = this.#select(req)
    const known = this.status === FOUND ? readIfNoneMatch(req) : ''
    if (known !== '' && namesTag(known, variant.tag)) out.endHead(variant.unchanged)
    else out.endAsset(variant)
  }

  /** Very large files exist compressed only. */
  #select(req: HttpRequest): Variant {
    const coding = codingFor(readAcceptEncoding(req))
    const coded = coding && this.#coded[coding]
    return (coded ?? this.#plain ?? this.#coded.gzip) as Variant
  }
}
