/**
 * The only writer of the engine's response object. Bodies are put together in one buffer from bytes that exist
 * already; a request allocates none. That works because nothing awaits: a response is written whole before the
 * next request is looked at, and the engine copies what it cannot send at once.
 */
import { type Clock, isoSeconds } from '../clock.js'
import { bytes, digitCount } from '../engines/bytes.js'
import type { HttpRequest, HttpResponse, Sender } from '../engines/engine.js'
import { readMethod, readTarget } from '../engines/request.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Tally } from '../metrics/tally.js'
import { type Refusal, UnknownCode } from '../questions/refusal.js'
import type { Figures } from '../quotas/windows.js'
import { API_VERSION } from '../version.js'
import type { AccessLog } from './access.js'
import { type CorsHeaders, NO_CORS_HEADERS, type Origins } from './cors-headers.js'
import type { EntityTag } from './entity-tag.js'
import { ANSWER_KINDS, Head, refusalHead } from './head.js'
import type { KeptBody, KeptRefusal } from './kept.js'
import { withLimitFields } from './limit-fields.js'
import { UnknownCodeRefusals } from './unknown-code.js'

const ZERO = 48
const POINT = 46
export const COMMA = 44
export const OPEN_BRACKET = 91
export const CLOSE_BRACKET = 93
export const CLOSE_BRACE = 125
/** Shorter pieces are copied byte by byte: making a view and calling `set` costs more. */
const LOOP_BYTES_MAX = 64
const SCRATCH_START_BYTES = 64 * 1024
/** Views of the usual answer lengths are kept; longer ones are made when needed. */
const VIEWS_KEPT = 2048

const DETAILS = bytes(',"details":')
const OPEN_DATA = bytes('{"success":true,"data":')
const META = ',"meta":{'
const TOTAL = bytes(`${META}"total":`)
const LIMIT = bytes(',"limit":')
const OFFSET = bytes(',"offset":')
const COUNT = bytes(',"count":')
const LIST_COUNT = bytes(`${META}"count":`)
const TIMESTAMP_CHARS = 25
/** One request in so many is timed. */
const TIMED_OF = 8

/** A refusal with the table's sentence, and what others of its kind have in common with it. */
interface TableRefusal extends KeptRefusal {
  /** The body up to the sentence. */
  opening: Uint8Array
}

/** What is kept of answers beside sending them. */
export interface Watching {
  /** Where they are counted. */
  tally?: Tally | undefined
  /** Where each is told. */
  access?: AccessLog | undefined
  routeNames: readonly string[]
  /** Of the last request that was decided on; '' without a known key. */
  keyId(): string
}

/** A request that is answered later: when it came, 0 where it is not timed, and what was asked. */
export interface Paused {
  corsHeaders: CorsHeaders
  sinceMs: number
  method: string
  target: string
}

/** A document that lies ready, with headers of its own: a page, a script, the contract. */
export interface Asset {
  head: Head
  body: Uint8Array
}

export class Responder {
  readonly #sender: Sender
  readonly #clock: Clock
  readonly #ok = new Head({ status: '200 OK' })
  /** What answers from a catalog carry. */
  #tag: EntityTag | undefined
  /** The request whose answer comes from a catalog and may be known to the caller. */
  #asked: HttpRequest | undefined
  readonly #refusals: Record<ErrorName, TableRefusal>
  readonly #unknownCodes = new UnknownCodeRefusals()
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_START_BYTES)
  #length = 0
  /** Whether the buffer begins with `{"success":true,"data":` */
  #opened = false
  #views: (Uint8Array | undefined)[] = new Array(VIEWS_KEPT).fill(undefined)
  /** How every body ends, from `,"meta":{"timestamp":` on; renewed once a second. A page needs only the end of it. */
  readonly #tail = bytes(
    `${META}"timestamp":"${'0'.repeat(TIMESTAMP_CHARS)}","api_version":"${API_VERSION}"}}`,
  )
  readonly #pageTail = this.#tail.subarray(META.length)
  #tailSecond = -1
  readonly #figures: Figures
  readonly #headOnly: boolean
  readonly #watching: Watching | undefined
  /** The number of the route, for the tally. */
  #route = 0
  /** When the request came, where it is timed; 0 where it is not. */
  #sinceMs = 0
  #untimed = 0
  /** For the access log. */
  #method = ''
  #target = ''
  readonly #origins: Origins | undefined
  #corsHeaders = NO_CORS_HEADERS
  #res!: HttpResponse
  /** Whether the limits are told in the draft's fields, too. */
  withLimitFields = false
  /** Set once the server stops: every answer then ends its connection. */
  closing = false

  /** `figures` are shown as they are when an answer ends. `headOnly`: answers as to GET, but without their bodies. */
  constructor(
    sender: Sender,
    clock: Clock,
    figures: Figures,
    headOnly: boolean,
    watching?: Watching,
    origins?: Origins,
  ) {
    this.#watching = watching
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
      body: this.#openRefusal(opening).text(message).byte(CLOSE_BRACE).#keep(),
    }
  }

  begin(res: HttpResponse, req: HttpRequest, route: number): void {
    this.#res = res
    this.#asked = undefined
    if (this.#origins !== undefined) this.#corsHeaders = this.#origins.corsHeadersFor(req)
    if (this.#watching !== undefined) this.#watch(this.#watching, req, route)
  }

  #watch({ access }: Watching, req: HttpRequest, route: number): void {
    this.#route = route
    // the time costs as much as a good part of an answer, so that few are timed
    const isTimed = access !== undefined || ++this.#untimed % TIMED_OF === 0
    this.#sinceMs = isTimed ? performance.now() : 0
    if (access === undefined) return
    this.#method = readMethod(req)
    this.#target = readTarget(req)
  }

  /** What is to be handed to `resume` by a request that is answered later. */
  pause(): Paused {
    return {
      corsHeaders: this.#corsHeaders,
      sinceMs: this.#sinceMs,
      method: this.#method,
      target: this.#target,
    }
  }

  /** As `begin`, for a request that was paused. */
  resume(res: HttpResponse, route: number, { corsHeaders, sinceMs, method, target }: Paused): void {
    this.#res = res
    this.#corsHeaders = corsHeaders
    this.#asked = undefined
    this.#route = route
    this.#sinceMs = sinceMs
    this.#method = method
    this.#target = target
  }

  /** The answer to this request will be held back for so long, and is timed so. */
  delayed(ms: number): void {
    if (this.#sinceMs !== 0) this.#sinceMs -= ms
  }

  #count({ tally, access, routeNames, keyId }: Watching, head: Head, bytes: number): void {
    const microseconds = this.#sinceMs !== 0 ? (performance.now() - this.#sinceMs) * 1000 : 0
    tally?.count(this.#route, head.kind, bytes)
    if (microseconds > 0) tally?.time(this.#route, microseconds)
    access?.({
      timeMs: this.#clock.now(),
      method: this.#method,
      target: this.#target,
      route: routeNames[this.#route] ?? '',
      keyId: keyId(),
      status: ANSWER_KINDS[head.kind]?.status ?? 0,
      microseconds,
      bytes,
    })
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

  /** Room for the largest page that this catalog can give. */
  reserve(size: number): void {
    if (size <= this.#scratch.length) return
    this.#scratch = Buffer.allocUnsafeSlow(size)
    this.#opened = false
    this.#views = new Array(VIEWS_KEPT).fill(undefined)
  }

  /** Starts a success. Its first bytes never change, so they are written only after a refusal was. */
  openData(): this {
    if (!this.#opened) {
      this.#scratch.set(OPEN_DATA)
      this.#opened = true
    }
    this.#length = OPEN_DATA.length
    return this
  }

  put(part: Uint8Array): this {
    this.#scratch.set(part, this.#length)
    this.#length += part.length
    return this
  }

  /** A piece of something longer. */
  part(source: Uint8Array, start: number, end: number): this {
    const length = end - start
    if (length > LOOP_BYTES_MAX) return this.put(source.subarray(start, end))
    const scratch = this.#scratch
    const at = this.#length
    for (let i = 0; i < length; i++) scratch[at + i] = source[start + i] as number
    this.#length = at + length
    return this
  }

  /** How much is written. */
  get length(): number {
    return this.#length
  }

  /** A copy of what was written since there was so much. */
  written(from: number): Uint8Array {
    return new Uint8Array(this.#scratch.subarray(from, this.#length))
  }

  byte(value: number): this {
    this.#scratch[this.#length++] = value
    return this
  }

  /** Text known to be ASCII and valid inside JSON as it stands: numbers, fixed phrases. */
  ascii(text: string): this {
    this.#length += this.#scratch.write(text, this.#length, 'latin1')
    return this
  }

  /** As `ascii`, faster for a few characters that stand in one piece in memory, as those of a request do. */
  short(text: string): this {
    const scratch = this.#scratch
    const start = this.#length
    const length = text.length
    for (let i = 0; i < length; i++) scratch[start + i] = text.charCodeAt(i)
    this.#length = start + length
    return this
  }

  /** Any text, as JSON writes it, quotes included. */
  text(value: string): this {
    return this.#json(value)
  }

  #json(value: unknown): this {
    this.#length += this.#scratch.write(JSON.stringify(value), this.#length, 'utf8')
    return this
  }

  /** `digits` × 10^-`places` in plain shortest form: 5250 and 2 give 52.5. */
  decimal(digits: number, places = 0): this {
    const scratch = this.#scratch
    let rest = digits
    let behind = places
    for (
      let tenth = Math.floor(rest / 10);
      behind > 0 && rest === tenth * 10;
      tenth = Math.floor(rest / 10)
    ) {
      rest = tenth
      behind--
    }
    const count = Math.max(digitCount(rest), behind + 1)
    let at = this.#length + count
    if (behind === 0) at--
    this.#length = at + 1
    for (let i = 0; i < count; i++) {
      if (i === behind && i > 0) scratch[at--] = POINT
      const tenth = Math.floor(rest / 10)
      scratch[at--] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
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
    const bytes = new Uint8Array(this.put(this.#tail).#scratch.subarray(0, this.#length))
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
    if (this.#asked === undefined || this.#tag === undefined || !this.#tag.isKnownTo(this.#asked))
      return false
    const head = this.#tag.unchangedHead
    this.endHead(head)
    return true
  }

  /** An answer that has no body, and would have none. */
  endHead(head: Head): void {
    const block = this.#blockOf(head, 0)
    this.#sender.sendHead(this.#res, block, undefined, this.closing)
    if (this.#watching !== undefined) this.#count(this.#watching, head, block.byteLength)
  }

  /** Messages are ours, but may name what a dataset holds, such as its editions. */
  refuse(refusal: Refusal, seconds = 0): void {
    if (refusal instanceof UnknownCode)
      return this.endKeptRefusal(this.#unknownCodes.showing(refusal, this.#keepUnknown))
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
    this.#openRefusal(this.#refusals[name].opening).text(message)
    if (details !== undefined) this.put(DETAILS).#json(details)
    return this.byte(CLOSE_BRACE)
  }

  #openRefusal(opening: Uint8Array): this {
    this.#length = 0
    this.#opened = false
    return this.put(opening)
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
    const length = this.#length
    let view = length < VIEWS_KEPT ? this.#views[length] : undefined
    if (view === undefined) {
      view = this.#scratch.subarray(0, length)
      if (length < VIEWS_KEPT) this.#views[length] = view
    }
    this.#send(view, head, retryAfter)
  }

  #blockOf(head: Head, retryAfter: number): ArrayBuffer {
    const block = head.showing(this.#figures, retryAfter, this.#corsHeaders)
    return this.withLimitFields ? withLimitFields(block, this.#figures, this.#clock.now()) : block
  }

  #send(body: Uint8Array | ArrayBuffer, head: Head, retryAfter: number): void {
    const block = this.#blockOf(head, retryAfter)
    if (this.#headOnly) this.#sender.sendHead(this.#res, block, body.byteLength, this.closing)
    else this.#sender.send(this.#res, block, body, this.closing)
    if (this.#watching !== undefined)
      this.#count(this.#watching, head, block.byteLength + (this.#headOnly ? 0 : body.byteLength))
  }
}
