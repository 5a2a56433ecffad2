/** Admits requests to handlers by key and quota, waits for Redis where needed, and answers refusals. */
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { holdRequest } from '../engines/held-request.js'
import { readHeaders, readKey, readQueryText } from '../engines/request.js'
import type { ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { Verdict } from '../quotas/verdict.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import type { Paused, Responder } from '../responses/respond.js'
import { BATCH_RETRY_SECONDS, type Batch, Batches } from './batches.js'
import { BODY_RETRY_SECONDS, Bodies, type Body, type BodyBounds, type IncomingBody, parseBody, requestsOfSize } from './body.js'
import { Exchange, exceedsLimit, type Reply } from './exchange.js'
import type {
  BodyRequest,
  BodyRoute,
  KeyedHandler,
  KeyedRoute,
  OpenRoute,
  ProtocolRoute,
  PublicRoute,
  RecordPageRoute,
  RouteHandler,
} from './routes.js'
import type { Visitors } from './visitors.js'

const STARTING_RETRY_SECONDS = 1

type Refused = Exclude<Verdict, Verdict.Admitted | Verdict.Waiting>
type Admit = (requests: number) => Verdict

const REFUSAL_OF = {
  [Verdict.MissingKey]: 'missingApiKey',
  [Verdict.InvalidKey]: 'invalidApiKey',
  [Verdict.ExpiredKey]: 'apiKeyExpired',
  [Verdict.OverLimit]: 'rateLimitExceeded',
} as const satisfies Record<Exclude<Refused, Verdict.NoKeys>, ErrorName>

/** Of a name that a caller sent. */
const SHOWN_CHARS_MAX = 40

export class Admission {
  readonly #bodies: Bodies
  readonly #batches = new Batches()
  /** One per route: makes its handler for a catalog; what it returns puts the handler into use. */
  readonly #prepare: ((catalog: Catalog) => () => void)[] = []
  /** Requests that are answered later. */
  readonly #paused = new Set<Paused>()
  #isReady = false

  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    /** Answers a request whose handler threw. */
    private readonly onFault: (error: unknown, out: Responder) => void,
    private readonly visitors?: Visitors,
    bodyBounds?: Partial<BodyBounds>,
  ) {
    this.#bodies = new Bodies(bodyBounds)
  }

  /** Makes all handlers, one per step; returns what puts all of them into use at once. */
  *prepare(catalog: Catalog): Generator<void, () => void> {
    const uses: (() => void)[] = []
    for (const prepare of this.#prepare) {
      uses.push(prepare(catalog))
      yield
    }
    return () => {
      for (const use of uses) use()
      this.#isReady = true
    }
  }

  /** Requests that were received and are not answered yet. */
  get underWay(): number {
    return this.#paused.size
  }

  openAnswer(route: OpenRoute): RouteHandler {
    const handle = route.prepare()
    return (req, out, res) => {
      const verdict = this.gate.peek(readKey(req), this.clock.now())
      if (verdict === Verdict.Waiting) {
        const held = holdRequest(req)
        return this.#wait(res, out, () => handle(this.#isReady, out, held))
      }
      const visitor = this.#visitorOf(verdict, req, res)
      if (visitor !== '') this.#admitVisitor(visitor, 0)
      handle(this.#isReady, out, req)
    }
  }

  publicAnswer(route: PublicRoute): RouteHandler {
    let answer: ReturnType<PublicRoute['prepare']> = (_req, out) => this.#refuseStarting(out)
    this.#prepare.push(catalog => {
      const next = route.prepare(catalog)
      return () => {
        answer = next
      }
    })
    return (req, out) => answer(req, out)
  }

  keyedAnswer(route: KeyedRoute): RouteHandler {
    const gate = this.gate
    const clock = this.clock
    let answer: KeyedHandler['handle'] = (_req, out) => this.#refuseStarting(out)
    let charge: KeyedHandler['charge']
    this.#prepare.push(catalog => {
      const handler = route.prepare(catalog)
      return () => {
        answer = route.mayCode ? (req, out) => handler.handle(req, out.allowCoding()) : (req, out) => handler.handle(req, out)
        charge = handler.charge?.bind(handler)
      }
    })
    return (req, out, res) => {
      const key = readKey(req)
      // parameters are read only for known keys
      const requests = charge !== undefined && this.#isKnown(key, req, res) ? charge(req) : 1
      const verdict = gate.admit(key, clock.now(), requests)
      if (verdict === Verdict.Admitted) answer(req, out.allowNotModified(req))
      else if (verdict === Verdict.Waiting)
        this.#waitWithCopy(req, res, out, requests, held => answer(held, out.allowNotModified(held)))
      else if (this.#isAdmittedVisitor(verdict, req, out, res, requests)) answer(req, out.allowNotModified(req))
    }
  }

  /** Keys are not read: a page is counted by the reader's address, as requests of our own pages are. */
  recordPageAnswer({ plain, limited, prepare }: RecordPageRoute): RouteHandler {
    let answer: RouteHandler | undefined
    this.#prepare.push(catalog => {
      const next = prepare(catalog)
      return () => {
        answer = next
      }
    })
    return (req, out, res) => {
      const reader = answer === undefined ? '' : (this.visitors?.readerAddressOf(req, res) ?? '')
      if (answer === undefined || reader === '') {
        this.gate.showFree()
        plain(req, out, res)
      } else if (this.#admitVisitor(reader, 1) === Verdict.Admitted) answer(req, out, res)
      else limited(req, out, this.gate.retryAfterSeconds)
    }
  }

  #isKnown(key: string, req: HttpRequest, res: HttpResponse): boolean {
    const verdict = this.gate.peek(key, this.clock.now())
    if (verdict === Verdict.Admitted || verdict === Verdict.Waiting) return true
    return this.#visitorOf(verdict, req, res) !== ''
  }

  /** Answers the request itself if it returns false. */
  #isAdmittedVisitor(verdict: Refused, req: HttpRequest, out: Responder, res: HttpResponse, requests: number): boolean {
    const visitor = this.#visitorOf(verdict, req, res)
    const decided = visitor === '' ? verdict : this.#admitVisitor(visitor, requests)
    if (decided === Verdict.Admitted) return true
    this.#refuse(decided, out, requests)
    return false
  }

  /** The address of a visitor of our own pages, or ''. Checked only for unknown keys, so that known ones pay nothing. */
  #visitorOf(verdict: Verdict, req: HttpRequest, res: HttpResponse): string {
    const isUnknown = verdict === Verdict.InvalidKey || verdict === Verdict.NoKeys
    return isUnknown ? (this.visitors?.addressWithKey(readKey(req), req, res) ?? '') : ''
  }

  #admitVisitor(address: string, requests: number): Verdict.Admitted | Refused {
    const { guests } = this.visitors as Visitors
    const verdict = guests.count(address, this.clock.now(), requests)
    this.gate.showGuest(guests)
    return verdict as Verdict.Admitted | Refused
  }

  #waitWithCopy(req: HttpRequest, res: HttpResponse, out: Responder, requests: number, answer: (req: HttpRequest) => void): void {
    const held = holdRequest(req)
    this.#wait(res, out, verdict => {
      if (verdict === Verdict.Admitted) answer(held)
      else this.#refuse(verdict, out, requests)
    })
  }

  /** Waits for Redis; the request is no longer valid when `answer` is called. `forget` is called if the client disconnects. */
  #wait(res: HttpResponse, out: Responder, answer: (verdict: Verdict.Admitted | Refused) => void, forget?: () => void): void {
    const paused = this.#pause(res, out, () => {
      waiter.cancel()
      forget?.()
    })
    const waiter = this.gate.wait(verdict => this.#resume(res, out, paused, () => answer(verdict as Verdict.Admitted | Refused)))
  }

  /** `forget` is called if the client disconnects before the request is resumed. */
  #pause(res: HttpResponse, out: Responder, forget: () => void): Paused {
    const paused = out.pause()
    this.#paused.add(paused)
    res.onAborted(() => {
      this.#paused.delete(paused)
      forget()
    })
    return paused
  }

  #resume(res: HttpResponse, out: Responder, paused: Paused, answer: () => void): void {
    this.#paused.delete(paused)
    res.cork(() => {
      out.resume(res, paused)
      try {
        answer()
      } catch (error) {
        this.onFault(error, out)
      }
    })
  }

  /** Charges one request before receiving the body, what its size counts as before parsing it, and the rest afterwards. */
  bodyAnswer(route: BodyRoute): RouteHandler {
    let read: (json: unknown, today: string) => BodyRequest = () => ({ requests: 1, answer: out => this.#refuseStarting(out) })
    this.#prepare.push(catalog => {
      const next = route.prepare(catalog)
      return () => {
        read = next
      }
    })
    const answerBody = (body: Body, owner: string, admit: Admit, res: HttpResponse, out: Responder) => {
      if (body instanceof Refusal) return out.refuse(body, BODY_RETRY_SECONDS)
      const paid = requestsOfSize(body)
      this.#chargeMore(paid, 1, admit, res, out, () => answerParsed(parseBody(body), paid, owner, admit, res, out))
    }
    const answerParsed = (
      body: ReturnType<typeof parseBody>,
      paid: number,
      owner: string,
      admit: Admit,
      res: HttpResponse,
      out: Responder,
    ) => {
      if (body instanceof Refusal) return out.refuse(body, BODY_RETRY_SECONDS)
      const request = read(body.json, out.today())
      const { requests } = request
      const batch = request.work && this.#batches.enter(owner)
      if (batch instanceof Refusal) return out.refuse(batch, BATCH_RETRY_SECONDS)
      const leave = () => batch?.leave()
      this.#chargeMore(requests, paid, admit, res, out, () => this.#answerBody(request, batch, res, out), leave)
    }
    return (req, out, res) => {
      const key = readKey(req)
      const verdict = this.gate.admit(key, this.clock.now())
      const visitor = this.#visitorOf(verdict, req, res)
      const first = visitor === '' ? verdict : this.#admitVisitor(visitor, 1)
      if (first !== Verdict.Admitted && first !== Verdict.Waiting) return this.#refuse(first, out, 1)
      const admit: Admit = requests =>
        visitor === '' ? this.gate.admit(key, this.clock.now(), requests) : this.#admitVisitor(visitor, requests)
      const owner = visitor === '' ? key : visitor
      const [misplaced] = route.refusesQuery ? new URLSearchParams(readQueryText(req)).keys() : []
      const incoming = this.#bodies.read(res, req, owner, route.bytesMax)
      this.#whenRead(incoming, res, out, first, body => {
        if (misplaced === undefined) answerBody(body, owner, admit, res, out)
        else
          out.refuse(invalidParameter(misplaced.slice(0, SHOWN_CHARS_MAX), 'belongs in the body of a POST, not in its address'))
      })
    }
  }

  /** Charges what `requests` exceeds `paid` by, then answers; `forget` is called if it is refused or the client disconnects. */
  #chargeMore(
    requests: number,
    paid: number,
    admit: Admit,
    res: HttpResponse,
    out: Responder,
    answer: () => void,
    forget?: () => void,
  ): void {
    const finish = (verdict: Verdict.Admitted | Refused) => {
      if (verdict === Verdict.Admitted) return answer()
      forget?.()
      this.#refuse(verdict, out, requests)
    }
    const verdict = requests > paid ? admit(requests - paid) : Verdict.Admitted
    if (verdict === Verdict.Waiting) this.#wait(res, out, finish, forget)
    else finish(verdict)
  }

  /** Charges one request before reading the body; what the protocol asks for beyond that is charged when it is known. */
  protocolAnswer(route: ProtocolRoute): RouteHandler {
    let reply: ((exchange: Exchange) => Promise<Reply>) | undefined
    this.#prepare.push(catalog => {
      const next = route.prepare(catalog)
      return () => {
        reply = next
      }
    })
    return (req, out, res) => {
      const key = readKey(req)
      const first = this.gate.admit(key, this.clock.now())
      if (first !== Verdict.Admitted && first !== Verdict.Waiting) return this.#refuse(first, out, 1)
      const headers = readHeaders(req)
      const incoming = this.#bodies.read(res, req, key)
      this.#whenRead(incoming, res, out, first, body => {
        if (body instanceof Refusal) return out.refuse(body, BODY_RETRY_SECONDS)
        const admit: Admit = requests => this.gate.admit(key, this.clock.now(), requests)
        const paid = requestsOfSize(body)
        this.#chargeMore(paid, 1, admit, res, out, () => {
          const parsed = parseBody(body)
          if (parsed instanceof Refusal) return out.refuse(parsed, BODY_RETRY_SECONDS)
          if (reply === undefined) return this.#refuseStarting(out)
          const sent = { key, headers, body: parsed.json }
          this.#answerLater(reply, new Exchange(sent, this.gate, this.clock, this.#batches, paid - 1), res, out)
        })
      })
    }
  }

  #answerLater(reply: (exchange: Exchange) => Promise<Reply>, exchange: Exchange, res: HttpResponse, out: Responder): void {
    const paused = this.#pause(res, out, () => exchange.abort())
    const finish = (answer: () => void) => {
      if (exchange.signal.aborted) return
      this.#resume(res, out, paused, () => {
        exchange.showLimits()
        answer()
      })
    }
    const fail = (error: unknown) =>
      finish(() => {
        throw error
      })
    reply(exchange).then(({ status, body }) => finish(() => out.endReply(status, body)), fail)
  }

  #answerBody({ work, answer }: BodyRequest, batch: Batch | undefined, res: HttpResponse, out: Responder): void {
    if (work === undefined || batch === undefined) return answer(out)
    const paused = this.#pause(res, out, () => batch.leave())
    const { decided } = this.gate
    batch.start(work, error =>
      this.#resume(res, out, paused, () => {
        if (error !== undefined) throw error
        this.gate.show(decided)
        answer(out)
      }),
    )
  }

  /** While Redis is still to decide, the body is already read: an engine drops what nobody reads. */
  #whenRead(
    incoming: IncomingBody,
    res: HttpResponse,
    out: Responder,
    first: Verdict.Admitted | Verdict.Waiting,
    answer: (body: Body) => void,
  ): void {
    let waiter: Waiter | undefined
    const paused = this.#pause(res, out, () => {
      incoming.stop()
      waiter?.cancel()
    })
    const answerWhenRead = () => {
      const { decided } = this.gate
      incoming.whenRead(body =>
        this.#resume(res, out, paused, () => {
          this.gate.show(decided)
          answer(body)
        }),
      )
    }
    if (first === Verdict.Admitted) return answerWhenRead()
    waiter = this.gate.wait(verdict => {
      if (verdict === Verdict.Admitted) return answerWhenRead()
      incoming.stop()
      this.#resume(res, out, paused, () => this.#refuse(verdict as Refused, out, 1))
    })
  }

  #refuseStarting(out: Responder): void {
    out.refuseFor('dbUnavailable', STARTING_RETRY_SECONDS)
  }

  #refuse(verdict: Refused, out: Responder, requests: number): void {
    if (verdict === Verdict.NoKeys) return this.#refuseStarting(out)
    if (verdict !== Verdict.OverLimit) return out.refuseFor(REFUSAL_OF[verdict], 0)
    const { shown, retryAfterSeconds } = this.gate
    const limit = Math.min(shown.limitMinute, shown.limitDay)
    if (requests > 1 && requests > limit) out.refuse(exceedsLimit(requests, limit), retryAfterSeconds)
    else out.refuseFor(REFUSAL_OF[verdict], retryAfterSeconds)
  }
}
