/**
 * The only writer of the engine's response object. Nothing awaits: a response is written whole before the next request is looked
 * at, and the engine copies what it cannot send at once.
 */
import { type Clock, isoSeconds } from '../clock.js'
import { bytes } from '../engines/bytes.js'
import type { HttpRequest, HttpResponse, Sender } from '../engines/engine.js'
import { ERRORS, type ErrorName } from '../errors.js'
import { type Refusal, UnknownCode } from '../questions/refusal.js'
import type { Figures } from '../quotas/windows.js'
import { API_VERSION } from '../version.js'
import { BodyWriter, CLOSE_BRACE, COMMA } from './body-writer.js'
import { type CorsHeaders, NO_CORS_HEADERS, type Origins } from './cors-headers.js'
import type { EntityTag } from './entity-tag.js'
import { Head, refusalHead } from './head.js'
import type { KeptBody, KeptRefusal } from './kept.js'
import { withLimitFields } from './limit-fields.js'
import { UnknownCodeRefusals } from './unknown-code.js'
import { AnswerWatch, type WatchedRequest, type Watching } from './watch.js'

const DETAILS = bytes(',"details":')
const META = ',"meta":{'
const TOTAL = bytes(`${META}"total":`)
const LIMIT = bytes(',"limit":')
const OFFSET = bytes(',"offset":')
const COUNT = bytes(',"count":')
const LIST_COUNT = bytes(`${META}"count":`)
const TIMESTAMP_CHARS = 25

/** A refusal with the table's sentence, and what others of its kind have in common with it. */
interface TableRefusal extends KeptRefusal {
  /** The body up to the sentence. */
  opening: Uint8Array
}

/** A request that is answered later. */
export interface Paused {
  corsHeaders: CorsHeaders
  watched: WatchedRequest | undefined
}

/** A document that lies ready, with headers of its own: a page, a script, the contract. */
export interface Asset {
  head: Head
  body: Uint8Array
}

export class Responder extends BodyWriter {
  readonly #sender: Sender
  readonly #clock: Clock
  readonly #ok = new Head({ status: '200 OK' })
  /** What answers from a catalog carry. */
  #tag: EntityTag | undefined
  /** The request whose answer comes from a catalog and may be known to the caller. */
  #asked: HttpRequest | undefined
  readonly #refusals: Record<ErrorName, TableRefusal>
  readonly #unknownCodes = new UnknownCodeRefusals()
  /** How every body ends, from `,"meta":{"timestamp":` on; renewed once a second. A page needs only the end of it. */
  readonly #tail = bytes(`${META}"timestamp":"${'0'.repeat(TIMESTAMP_CHARS)}","api_version":"${API_VERSION}"}}`)
  readonly #pageTail = this.#tail.subarray(META.length)
  #tailSecond = -1
  readonly #figures: Figures
  readonly #headOnly: boolean
  readonly #watch: AnswerWatch | undefined
  readonly #origins: Origins | undefined
  #corsHeaders = NO_CORS_HEADERS
  #res!: HttpResponse
  /** Whether the limits are told in the draft's fields, too. */
  withLimitFields = false
  /** Set once the server stops: every answer then ends its connection. */
  closing = false

  /** `figures` are shown as they are when an answer ends. `headOnly`: answers as to GET, but without their bodies. */
  constructor(sender: Sender, clock: Clock, figures: Figures, headOnly: boolean, watching?: Watching, origins?: Origins) {
    super()
    this.#watch = watching && new AnswerWatch(watching, clock)
    this.#origins = origins
    this.#sender = sender
    this.#clock = clock
    this.#figures = figures
    this.#headOnly = headOnly
    this.#refusals = Object.fromEntries(
      Object.keys(ERRORS).map(name => [name, this.#prepareRefusal(name as ErrorName)]),
    ) as Record<ErrorName, TableRefusal>
  }

  #prepareRefusal(name: ErrorName): TableRefusal {
    const { code, message } = ERRORS[name]
    const opening = bytes(`{"success":false,"error":{"code":"${code}","message":`)
    return {
      head: refusalHead(name),
      opening,
      body: this.open(opening).text(message).byte(CLOSE_BRACE).#keep(),
    }
  }

  begin(res: HttpResponse, req: HttpRequest, route: number): void {
    this.#res = res
    this.#asked = undefined
    if (this.#origins !== undefined) this.#corsHeaders = this.#origins.corsHeadersFor(req)
    this.#watch?.begin(req, route)
  }

  /** What is to be handed to `resume` by a request that is answered later. */
  pause(): Paused {
    return { corsHeaders: this.#corsHeaders, watched: this.#watch?.pause() }
  }

  /** As `begin`, for a request that was paused. */
  resume(res: HttpResponse, { corsHeaders, watched }: Paused): void {
    this.#res = res
    this.#corsHeaders = corsHeaders
    this.#asked = undefined
    if (watched !== undefined) this.#watch?.resume(watched)
  }

  /** The answer to this request will be held back for so long, and is timed so. */
  delayed(ms: number): void {
    this.#watch?.delayed(ms)
  }

  /** Answers from a catalog carry this from now on. */
  serve(tag: EntityTag): void {
    this.#tag = tag
  }

  /** What follows answers this from a catalog, and tells a caller who has it already only that. */
  answer(req: HttpRequest): this {
    this.#asked = req
    return this
  }

  /** Ends a single record's answer. */
  endRecord(): void {
    this.#endSuccess(this.#tail)
  }

  /** A success whose data never changes, put together once: `endKept` sends it from then on. */
  keep(data: Uint8Array): KeptBody {
    return this.openData().put(data).#keep()
  }

  endKept(kept: KeptBody): void {
    if (!this.#endUnchanged()) this.#endKept(kept, this.#okHead, 0)
  }

  /** As `keep`, for a refusal; `headers` are told besides the usual ones. */
  keepRefusal(refusal: Refusal, headers?: Readonly<Record<string, string>>): KeptRefusal {
    const { name } = refusal
    const head = headers === undefined ? this.#refusals[name].head : refusalHead(name, headers)
    return { head, body: this.#putRefusal(refusal).#keep() }
  }

  endKeptRefusal({ head, body }: KeptRefusal): void {
    this.#endKept(body, head, 0)
  }

  #keep(): KeptBody {
    const bytes = this.put(this.#tail).written(0)
    return { buffer: bytes.buffer, bytes, second: this.#tailSecond }
  }

  #endKept(kept: KeptBody, head: Head, retryAfter: number): void {
    this.#renewTail()
    if (kept.second !== this.#tailSecond) {
      kept.bytes.set(this.#tail, kept.bytes.length - this.#tail.length)
      kept.second = this.#tailSecond
    }
    this.#send(kept.buffer, head, retryAfter)
  }

  /** Ends a page; the array has been written with its brackets. */
  endPage(total: number, limit: number, offset: number, count: number): void {
    this.put(TOTAL).decimal(total).put(LIMIT).decimal(limit).put(OFFSET).decimal(offset)
    this.put(COUNT).decimal(count).byte(COMMA).#endSuccess(this.#pageTail)
  }

  /** Ends a list that has no pages; the array has been written with its brackets. */
  endList(count: number): void {
    this.put(LIST_COUNT).decimal(count).byte(COMMA).#endSuccess(this.#pageTail)
  }

  get #okHead(): Head {
    return this.#asked === undefined || this.#tag === undefined ? this.#ok : this.#tag.head
  }

  #endSuccess(tail: Uint8Array): void {
    if (!this.#endUnchanged()) this.#endWith(tail, this.#okHead, 0)
  }

  /** Where the caller has this answer already, that is all that it is told. */
  #endUnchanged(): boolean {
    if (this.#asked === undefined || this.#tag === undefined || !this.#tag.isKnownTo(this.#asked)) return false
    const head = this.#tag.unchangedHead
    this.endHead(head)
    return true
  }

  /** An answer that has no body, and would have none. */
  endHead(head: Head): void {
    const block = this.#blockOf(head, 0)
    this.#sender.sendHead(this.#res, block, undefined, this.closing)
    this.#watch?.count(head, block.byteLength)
  }

  /** Messages are ours, but may name what a dataset holds, such as its editions. */
  refuse(refusal: Refusal, seconds = 0): void {
    if (refusal instanceof UnknownCode) return this.endKeptRefusal(this.#unknownCodes.showing(refusal, this.#keepUnknown))
    if (refusal.ownMessage === undefined) return this.refuseFor(refusal.name, seconds)
    this.#putRefusal(refusal).#endWith(this.#tail, this.#refusals[refusal.name].head, seconds)
  }

  readonly #keepUnknown = (refusal: Refusal) => this.keepRefusal(refusal)

  /** A refusal with the table's sentence and, where it is a passing one, the seconds that it will last. */
  refuseFor(name: ErrorName, seconds: number): void {
    const { head, body } = this.#refusals[name]
    this.#endKept(body, head, seconds)
  }

  #putRefusal({ name, message, details }: Refusal): this {
    this.open(this.#refusals[name].opening).text(message)
    if (details !== undefined) this.put(DETAILS).json(details)
    return this.byte(CLOSE_BRACE)
  }

  endAsset({ head, body }: Asset): void {
    this.#send(body, head, 0)
  }

  #renewTail(): void {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second === this.#tailSecond) return
    this.#tailSecond = second
    this.#pageTail.set(bytes(isoSeconds(second * 1000)), '"timestamp":"'.length)
  }

  #endWith(tail: Uint8Array, head: Head, retryAfter: number): void {
    this.#renewTail()
    this.put(tail)
    this.#send(this.view(), head, retryAfter)
  }

  #blockOf(head: Head, retryAfter: number): ArrayBuffer {
    const block = head.showing(this.#figures, retryAfter, this.#corsHeaders)
    return this.withLimitFields ? withLimitFields(block, this.#figures, this.#clock.now()) : block
  }

  #send(body: Uint8Array | ArrayBuffer, head: Head, retryAfter: number): void {
    const block = this.#blockOf(head, retryAfter)
    if (this.#headOnly) this.#sender.sendHead(this.#res, block, body.byteLength, this.closing)
    else this.#sender.send(this.#res, block, body, this.closing)
    this.#watch?.count(head, block.byteLength + (this.#headOnly ? 0 : body.byteLength))
  }
}
