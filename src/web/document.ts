/** A file with all the heads that it can be sent with, made once. */
import type { HttpRequest } from '../engines/engine.js'
import { readAcceptEncoding, readIfNoneMatch } from '../engines/request.js'
import { namesTag } from '../responses/entity-tag.js'
import { Head } from '../responses/head.js'
import type { Asset, Responder } from '../responses/respond.js'
import { CODINGS, type Coding } from './manifest.js'
import { codingFor } from './preferences.js'
import type { SiteFile } from './site.js'

/** One way of writing it, plain or in a coding. */
interface Form extends Asset {
  /** In quotes: each form has its own. */
  tag: string
  unchanged: Head
}

export class Document {
  readonly #plain: Form | undefined
  readonly #coded: Partial<Record<Coding, Form>> = {}

  constructor(file: SiteFile, headers: Readonly<Record<string, string>>) {
    const form = (body: Uint8Array, coding?: Coding): Form => {
      const tag = `"${file.hash}${coding === undefined ? '' : `-${coding}`}"`
      const all = {
        ...(coding !== undefined && { 'Content-Encoding': coding }),
        ETag: tag,
        ...headers,
      }
      return {
        tag,
        body,
        head: new Head({ status: '200 OK', contentType: file.type, headers: all }),
        unchanged: new Head({ status: '304 Not Modified', contentType: null, headers: all }),
      }
    }
    this.#plain = file.plain && form(file.plain)
    for (const coding of CODINGS) {
      const body = file.coded[coding]
      if (body !== undefined) this.#coded[coding] = form(body, coding)
    }
  }

  end(req: HttpRequest, out: Responder): void {
    const form = this.#formFor(req)
    const known = readIfNoneMatch(req)
    if (known !== '' && namesTag(known, form.tag)) out.endHead(form.unchanged)
    else out.endAsset(form)
  }

  /** What lies there in one form only is sent in that one. */
  #formFor(req: HttpRequest): Form {
    const coding = codingFor(readAcceptEncoding(req))
    const coded = coding && this.#coded[coding]
    return (coded ?? this.#plain ?? this.#coded.gzip) as Form
  }
}
