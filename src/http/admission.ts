/** Admits requests to handlers by key and quota, waits for Redis if needed, and answers refusals. */
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { holdRequest } from '../engines/held-request.js'
import { readKey } from '../engines/request.js'
import type { Gate } from '../gate/gate.js'
import { Verdict } from '../quotas/verdict.js'
import type { Responder } from '../responses/respond.js'
import type { BodyBounds } from './body.js'
import { HandlersInUse } from './handlers-in-use.js'
import { PausedRequests } from './paused-requests.js'
import { Payers } from './payers.js'
import { Posts } from './posts.js'
import { type Refused, refuseByVerdict, refuseStarting } from './refuse.js'
import type {
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

interface KeyedInUse {
  handle: KeyedHandler['handle']
  charge: KeyedHandler['charge']
}

const STARTING: KeyedInUse = { handle: (_req, out) => refuseStarting(out), charge: undefined }

function keyedInUse({ mayCompress, prepare }: KeyedRoute, catalog: Catalog): KeyedInUse {
  const handler = prepare(catalog)
  return {
    handle: mayCompress ? (req, out) => handler.handle(req, out.allowCompression()) : (req, out) => handler.handle(req, out),
    charge: handler.charge?.bind(handler),
  }
}

export class Admission {
  readonly #handlers = new HandlersInUse()
  readonly #paused: PausedRequests
  readonly #payers: Payers
  readonly #posts: Posts

  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    /** Answers a request whose handler threw. */
    onFault: (error: unknown, out: Responder) => void,
    private readonly visitors?: Visitors,
    bodyBounds?: Partial<BodyBounds>,
  ) {
    this.#paused = new PausedRequests(gate, onFault)
    this.#payers = new Payers(gate, clock, visitors)
    this.#posts = new Posts(gate, clock, this.#handlers, this.#paused, this.#payers, bodyBounds)
  }

  /** Creates all handlers, one per step; returns a function that puts all of them into use at once. */
  prepare(catalog: Catalog): Generator<void, () => void> {
    return this.#handlers.prepare(catalog)
  }

  /** The number of requests that were received and are not answered yet. */
  get underWay(): number {
    return this.#paused.size
  }

  openAnswer(route: OpenRoute): RouteHandler {
    const handle = route.prepare()
    return (req, out, res) => {
      const verdict = this.gate.peek(readKey(req), this.clock.now())
      if (verdict === Verdict.Waiting) {
        const held = holdRequest(req)
        return this.#paused.wait(out, () => handle(this.#handlers.isReady, out, held))
      }
      const visitor = this.#payers.visitorOf(verdict, req, res)
      if (visitor !== '') this.#payers.admitVisitor(visitor, 0)
      handle(this.#handlers.isReady, out, req)
    }
  }

  publicAnswer(route: PublicRoute): RouteHandler {
    const inUse = this.#handlers.add<ReturnType<PublicRoute['prepare']>>(
      catalog => route.prepare(catalog),
      (_req, out) => refuseStarting(out),
    )
    return (req, out) => inUse.current(req, out)
  }

  keyedAnswer(route: KeyedRoute): RouteHandler {
    const { gate, clock } = this
    const inUse = this.#handlers.add(catalog => keyedInUse(route, catalog), STARTING)
    return (req, out, res) => {
      const { handle, charge } = inUse.current
      const key = readKey(req)
      // parameters are read only for known keys
      const requests = charge !== undefined && this.#payers.isKnown(key, req, res) ? charge(req) : 1
      const verdict = gate.admit(key, clock.now(), requests)
      if (verdict === Verdict.Admitted) handle(req, out.allowNotModified(req))
      else if (verdict === Verdict.Waiting)
        // the handler is looked up again, because the catalog may be replaced while the request waits
        this.#waitWithCopy(req, out, requests, held => inUse.current.handle(held, out.allowNotModified(held)))
      else if (this.#isAdmittedVisitor(verdict, req, out, res, requests)) handle(req, out.allowNotModified(req))
    }
  }

  /** Does not read keys: a page is charged to the reader's address, like the requests that our own pages send. */
  recordPageAnswer({ plain, limited, prepare }: RecordPageRoute): RouteHandler {
    const inUse = this.#handlers.add<RouteHandler | undefined>(prepare, undefined)
    return (req, out, res) => {
      const answer = inUse.current
      const reader = answer === undefined ? '' : (this.visitors?.readerAddressOf(req, res) ?? '')
      if (answer === undefined || reader === '') {
        this.gate.showFreeTier()
        plain(req, out, res)
      } else if (this.#payers.admitVisitor(reader, 1) === Verdict.Admitted) answer(req, out, res)
      else limited(req, out, this.gate.retryAfterSeconds)
    }
  }

  bodyAnswer(route: BodyRoute): RouteHandler {
    return this.#posts.bodyAnswer(route)
  }

  protocolAnswer(route: ProtocolRoute): RouteHandler {
    return this.#posts.protocolAnswer(route)
  }

  /** Returns whether the visitor is admitted; if not, the refusal has been sent. */
  #isAdmittedVisitor(verdict: Refused, req: HttpRequest, out: Responder, res: HttpResponse, requests: number): boolean {
    const visitor = this.#payers.visitorOf(verdict, req, res)
    const settled = visitor === '' ? verdict : this.#payers.admitVisitor(visitor, requests)
    if (settled === Verdict.Admitted) return true
    refuseByVerdict(settled, this.gate, out, requests)
    return false
  }

  /** The engine's request is no longer valid when Redis has decided, so the handler gets a copy. */
  #waitWithCopy(req: HttpRequest, out: Responder, requests: number, answer: (held: HttpRequest) => void): void {
    const held = holdRequest(req)
    this.#paused.wait(out, verdict => {
      if (verdict === Verdict.Admitted) answer(held)
      else refuseByVerdict(verdict, this.gate, out, requests)
    })
  }
}
