/** Writes to the engine's response object; no other file does. Nothing here awaits, so all requests share one buffer. */
import { STATUS_CODES } from 'node:http'
import { type Clock, isoDay, isoSeconds } from '../clock.js'
import { bytes } from '../engines/bytes.js'
import type { HttpRequest, HttpResponse, Sender } from '../engines/engine.js'
import { readAcceptEncoding, readTarget } from '../engines/request.js'
import { ERRORS, type ErrorName } from '../errors.js'
import { type Refusal, UnknownCode } from '../questions/refusal.js'
import { copyDecision, type Decision } from '../quotas/decision.js'
import { API_VERSION } from '../version.js'
import { BodyWriter, CLOSE_BRACE, COMMA } from './body-writer.js'
import { CODED_BYTES_MIN, type CodedBodies, CodedBody } from './coded-bodies.js'
import { type CorsHeaders, NO_CORS_HEADERS, type Origins } from './cors-headers.js'
import type { EntityTag } from './entity-tag.js'
import { type CachedBody, type CachedRefusal, Head, refusalHead, withLines } from './head.js'
import { withLimitFields } from './limit-fields.js'
import { type ObservedRequest, type Observers, ResponseObserver, type SearchObserver } from './observer.js'
import { requestIdOf } from './request-id.js'
import { UnknownCodeRefusals } from './unknown-code.js'

const DETAILS = bytes(',"details":')
const META = ',"meta":{'
const TOTAL = bytes(`${META}"total":`)
const LIMIT = bytes(',"limit":')
const OFFSET = bytes(',"offset":')
const COUNT = bytes(',"count":')
const LIST_COUNT = bytes(`${META}"count":`)
const TIMESTAMP_CHARS = 25
const OVER_LIMIT = bytes(`"${ERRORS.rateLimitExceeded.message} Try again in `)
const SECOND = bytes(' second."}')
const SECONDS = bytes(' seconds."}')

interface TableRefusal extends CachedRefusal {
  /** The beginning of the body, before the message. */
  opening: Uint8Array
}

/** A request that is answered later, with the state that its response needs. */
export interface Paused {
  res: HttpResponse
  /** The decision that the response shows; a later decision on the same request replaces it. */
  decision: Decision
  corsHeaders: CorsHeaders
  observed: ObservedRequest | undefined
  requestId: string
}

/** A prepared document: a page, a script, the contract. */
export interface Asset {
  head: Head
  body: Uint8Array
}

export class Responder extends BodyWriter {
  readonly #sender: Sender
  readonly #clock: Clock
  readonly #ok = new Head({ status: '200 OK' })
  #tag: EntityTag | undefined
  /** Set if the response carries the ETag and may be 304. */
  #taggedRequest: HttpRequest | undefined
  /** Set if the response may be compressed. */
  #mayCompress = false
  readonly #refusals: Record<ErrorName, TableRefusal>
  readonly #replyHeads = new Map<number, Head>()
  readonly #unknownCodes = new UnknownCodeRefusals()
  /** The end of every body, renewed once a second; pages use the part after `{`. */
  readonly #tail = bytes(`${META}"timestamp":"${'0'.repeat(TIMESTAMP_CHARS)}","api_version":"${API_VERSION}"}}`)
  readonly #pageTail = this.#tail.subarray(META.length)
  #tailSecond = -1
  readonly #lastDecision: Decision
  /** The quota decision on the current request. */
  #decision: Decision
  readonly #headOnly: boolean
  readonly #observer: ResponseObserver | undefined
  readonly #origins: Origins | undefined
  #corsHeaders = NO_CORS_HEADERS
  #res!: HttpResponse
  /** Whether responses have the RateLimit fields of the IETF draft. */
  withLimitFields = false
  withRequestIds = false
  /** The id of the current request; '' without `withRequestIds`. */
  requestId = ''

  /** The `traceparent` header of the current request; undefined without an observer. */
  get traceparent(): string | undefined {
    return this.#observer?.traceparent
  }
  /** Set if responses are compressed for clients that ask for it. */
  codedBodies: CodedBodies | undefined
  /** Set if searches are counted. */
  searches: SearchObserver | undefined
  /** Set when the server stops: every response then closes its connection. */
  closing = false

  /** `lastDecision` changes with each decision, and is read when a response ends; `headOnly` omits bodies. */
  constructor(sender: Sender, clock: Clock, lastDecision: Decision, headOnly: boolean, observers?: Observers, origins?: Origins) {
    super()
    this.#observer = observers && new ResponseObserver(observers, clock)
    this.#origins = origins
    this.#sender = sender
    this.#clock = clock
    this.#lastDecision = lastDecision
    this.#decision = lastDecision
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
      body: this.open(opening).json(message).byte(CLOSE_BRACE).#cache(),
    }
  }

  begin(res: HttpResponse, req: HttpRequest, route: number): void {
    this.#res = res
    this.#decision = this.#lastDecision
    this.#taggedRequest = undefined
    this.#mayCompress = false
    if (this.#origins !== undefined) this.#corsHeaders = this.#origins.corsHeadersFor(req)
    if (this.withRequestIds) this.requestId = requestIdOf(req)
    this.#observer?.begin(req, res, route)
  }

  pause(): Paused {
    return {
      res: this.#res,
      decision: copyDecision(this.#decision),
      corsHeaders: this.#corsHeaders,
      observed: this.#observer?.pause(),
      requestId: this.requestId,
    }
  }

  resume({ res, decision, corsHeaders, observed, requestId }: Paused): void {
    this.#res = res
    this.#decision = decision
    this.#corsHeaders = corsHeaders
    this.requestId = requestId
    this.#taggedRequest = undefined
    this.#mayCompress = false
    if (observed !== undefined) this.#observer?.resume(observed)
  }

  /** Shows the latest quota decision in the response, after a resumed request was charged again. */
  showLastDecision(): void {
    this.#decision = this.#lastDecision
  }

  /** Counts a later delay as part of the measured time of this response. */
  addDelay(ms: number): void {
    this.#observer?.addDelay(ms)
  }

  setEntityTag(tag: EntityTag): void {
    this.#tag = tag
  }

  /** The response will carry the ETag, or be 304 if the caller has it. */
  allowNotModified(req: HttpRequest): this {
    this.#taggedRequest = req
    return this
  }

  /** After `allowNotModified`: the response may be compressed. */
  allowCompression(): this {
    this.#mayCompress = this.codedBodies !== undefined
    return this
  }

  endRecord(): void {
    this.#endSuccess(this.#tail)
  }

  /** Prepares a success whose data never changes, for `endCached`. */
  cache(data: Uint8Array): CachedBody {
    this.openData().reserve(data.length)
    return this.put(data).#cache()
  }

  endCached(cached: CachedBody): void {
    if (this.#endNotModified()) return
    if (!this.#wantsCoding(cached.bytes)) return this.#endCached(cached, this.#okHead, 0)
    // there are few such bodies, so they are compressed for the first client that accepts compression
    cached.coded ??= CodedBody.compressNow(cached.bytes, this.#pageTail.length)
    this.#sendCoded(cached.coded)
  }

  /** `headers` are added to the usual ones. */
  cacheRefusal(refusal: Refusal, headers?: Readonly<Record<string, string>>): CachedRefusal {
    const { name } = refusal
    const head = headers === undefined ? this.#refusals[name].head : refusalHead(name, headers)
    return { head, body: this.#putRefusal(refusal).#cache() }
  }

  endCachedRefusal({ head, body }: CachedRefusal): void {
    this.#endCached(body, head, 0)
  }

  #cache(): CachedBody {
    const bytes = this.put(this.#tail).copy()
    return { buffer: bytes.buffer, bytes, second: this.#tailSecond, coded: undefined }
  }

  #endCached(cached: CachedBody, head: Head, retryAfter: number): void {
    this.#renewTail()
    if (cached.second !== this.#tailSecond) {
      cached.bytes.set(this.#tail, cached.bytes.length - this.#tail.length)
      cached.second = this.#tailSecond
    }
    this.#send(cached.buffer, head, retryAfter)
  }

  /** Must be called after the array was written with its brackets. */
  endPage(total: number, limit: number, offset: number, count: number): void {
    this.put(TOTAL).decimal(total).put(LIMIT).decimal(limit).put(OFFSET).decimal(offset)
    this.put(COUNT).decimal(count).byte(COMMA).#endSuccess(this.#pageTail)
  }

  endList(count: number): void {
    this.put(LIST_COUNT).decimal(count).byte(COMMA).#endSuccess(this.#pageTail)
  }

  get #okHead(): Head {
    if (this.#taggedRequest === undefined || this.#tag === undefined) return this.#ok
    return this.#mayCompress ? this.#tag.varyingHead : this.#tag.head
  }

  #endSuccess(tail: Uint8Array): void {
    if (this.#endNotModified()) return
    if (!this.#mayCompress) return this.#endWith(tail, this.#okHead, 0)
    this.#renewTail()
    const body = this.put(tail).view()
    const coded = this.#codedOf(body)
    if (coded === undefined) this.#send(body, this.#okHead, 0)
    else this.#sendCoded(coded)
  }

  /** The compressed body, if the client accepts it and it is ready. */
  #codedOf(body: Uint8Array): CodedBody | undefined {
    if (!this.#wantsCoding(body)) return undefined
    return (this.codedBodies as CodedBodies).find(readTarget(this.#taggedRequest as HttpRequest), body, this.#pageTail.length)
  }

  #wantsCoding(body: Uint8Array): boolean {
    const req = this.#taggedRequest
    if (!this.#mayCompress || req === undefined || body.length < CODED_BYTES_MIN) return false
    return (this.codedBodies as CodedBodies).accepts(readAcceptEncoding(req))
  }

  #sendCoded(coded: CodedBody): void {
    this.#renewTail()
    this.#send(coded.renew(this.#pageTail, this.#tailSecond).buffer, (this.#tag as EntityTag).codedHead, 0)
  }

  #endNotModified(): boolean {
    if (this.#taggedRequest === undefined || this.#tag === undefined || !this.#tag.matches(this.#taggedRequest)) return false
    this.endHead(this.#mayCompress ? this.#tag.varyingNotModifiedHead : this.#tag.notModifiedHead)
    return true
  }

  /** Ends a response that never has a body, not even for GET. */
  endHead(head: Head): void {
    const block = this.#blockOf(head, 0)
    this.#sender.sendHead(this.#res, block, undefined, this.closing)
    this.#observer?.count(head, block.byteLength, this.requestId, this.#decision)
  }

  refuse(refusal: Refusal, retryAfter = 0): void {
    if (refusal instanceof UnknownCode) return this.endCachedRefusal(this.#unknownCodes.render(refusal, this.#cacheUnknown))
    if (refusal.ownMessage === undefined) return this.refuseFor(refusal.name, retryAfter)
    this.#putRefusal(refusal).#endWith(this.#tail, this.#refusals[refusal.name].head, retryAfter)
  }

  /** The current UTC day, such as 2026-05-04. */
  today(): string {
    return isoDay(this.#clock.now())
  }

  readonly #cacheUnknown = (refusal: Refusal) => this.cacheRefusal(refusal)

  refuseFor(name: ErrorName, retryAfter: number): void {
    if (name === 'rateLimitExceeded') return this.#refuseOverLimit(retryAfter)
    const { head, body } = this.#refusals[name]
    this.#endCached(body, head, retryAfter)
  }

  /** The message repeats the value of Retry-After, because a language model does not see headers. */
  #refuseOverLimit(retryAfter: number): void {
    const { head, opening } = this.#refusals.rateLimitExceeded
    this.open(opening)
      .put(OVER_LIMIT)
      .decimal(retryAfter)
      .put(retryAfter === 1 ? SECOND : SECONDS)
    this.#endWith(this.#tail, head, retryAfter)
  }

  #putRefusal({ name, message, details }: Refusal): this {
    this.open(this.#refusals[name].opening).json(message)
    if (details !== undefined) this.put(DETAILS).json(details)
    return this.byte(CLOSE_BRACE)
  }

  /** Ends with a body of another protocol, which may be empty. */
  endReply(status: number, text: string): void {
    let head = this.#replyHeads.get(status)
    if (head === undefined) {
      const contentType = text === '' ? { contentType: null } : {}
      head = new Head({ status: `${status} ${STATUS_CODES[status] ?? 'Unknown'}`, ...contentType })
      this.#replyHeads.set(status, head)
    }
    this.#send(bytes(text), head, 0)
  }

  endAsset({ head, body }: Asset, retryAfter = 0): void {
    this.#send(body, head, retryAfter)
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
    const { figures } = this.#decision
    const block = head.render(figures, retryAfter, this.#corsHeaders)
    if (!this.withLimitFields && !this.withRequestIds) return block
    const limited = this.withLimitFields ? withLimitFields(block, figures, this.#clock.now()) : block
    return this.withRequestIds ? withLines(limited, `\r\nX-Request-Id: ${this.requestId}`) : limited
  }

  #send(body: Uint8Array | ArrayBuffer, head: Head, retryAfter: number): void {
    const block = this.#blockOf(head, retryAfter)
    if (this.#headOnly) this.#sender.sendHead(this.#res, block, body.byteLength, this.closing)
    else this.#sender.send(this.#res, block, body, this.closing)
    this.#observer?.count(head, block.byteLength + (this.#headOnly ? 0 : body.byteLength), this.requestId, this.#decision)
  }
}
