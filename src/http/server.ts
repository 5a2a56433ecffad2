/** Puts the routes on an engine. Order of checks: route, method, key, quota, dataset, parameters, data. */
import { randomBytes } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { Engine, Handler, HttpRequest, HttpResponse } from '../engines/engine.js'
import { HeldRequest } from '../engines/held-request.js'
import { readKey } from '../engines/request.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { PAGE_LIMIT_MAX } from '../limits.js'
import type { Tally } from '../metrics/tally.js'
import { Refusal } from '../questions/refusal.js'
import { Verdict } from '../quotas/verdict.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import type { AccessLog } from '../responses/access.js'
import { Origins } from '../responses/cors-headers.js'
import { EntityTag } from '../responses/entity-tag.js'
import { Head } from '../responses/head.js'
import { type Paused, Responder, type Watching } from '../responses/respond.js'
import { VERSION } from '../version.js'
import { BODY_RETRY_SECONDS, Bodies, type Body, type BodyBounds } from './body.js'
import type { Chaos } from './chaos.js'
import {
  type AnswerTo,
  type BodyRoute,
  type KeyedRoute,
  type OpenRoute,
  PAGE_PATHS,
  type PageRoute,
  type Prepared,
  type PreparedBody,
  ROUTES,
  type Route,
} from './routes.js'
import type { Visitors } from './visitors.js'

const REQUEST_ID_BYTES = 8
const STARTING_RETRY_SECONDS = 1
/** Brackets, meta and envelope of a page, generously. */
const ENVELOPE_BYTES = 4096
/** How long open connections may take to finish once the server stops, where nothing else is said. */
const DRAIN_MS = 2_000
const DRAIN_POLL_MS = 20

export interface ServerOptions {
  engine: Engine
  gate: Gate
  clock: Clock
  /** Told about faults of ours: requests that ended in 500, by the id that their answers carry. */
  onFault(error: unknown, id: string): void
  routes?: readonly Route[]
  /** Origins whose pages may read answers, `*` for all; none unless told. */
  origins?: readonly string[]
  /** Whether the limits are told in the IETF draft's fields, too. */
  withLimitFields?: boolean
  /** Who may use the key of the server's own pages, where those need no other. */
  visitors?: Visitors | undefined
  /** Where answers are counted, if they are. */
  tally?: Tally | undefined
  /** Where each answer is told, if it is. */
  access?: AccessLog | undefined
  /** What goes wrong on demand, if anything may. */
  chaos?: Chaos | undefined
  /** Other bounds on bodies than the usual ones. */
  bodyBounds?: Partial<BodyBounds>
}

type Refused = Exclude<Verdict, Verdict.Admitted | Verdict.Waiting>
/** Decides on so many requests, all of them or none. */
type Admit = (requests: number) => Verdict

const REFUSAL_OF = {
  [Verdict.MissingKey]: 'missingApiKey',
  [Verdict.InvalidKey]: 'invalidApiKey',
  [Verdict.ExpiredKey]: 'apiKeyExpired',
  [Verdict.OverLimit]: 'rateLimitExceeded',
} as const satisfies Record<Exclude<Refused, Verdict.NoKeys>, ErrorName>

/** What is at no path that there is. */
const NO_ROUTE = 0
const PATHS = [...new Set([...ROUTES.map(({ path }) => path), ...PAGE_PATHS])]
/** Routes as they are counted, by their number. */
export const ROUTE_NAMES: readonly string[] = [
  'other',
  ...PATHS.map(path => path.replaceAll(/:(\w+)/g, '{$1}')),
]

const routeNumber = (path: string): number => PATHS.indexOf(path) + 1

function neverPasses(requests: number, limit: number): Refusal {
  const message = `This counts ${requests} requests and can never pass with this key, which has ${limit} at most; send less at once.`
  return new Refusal('rateLimitExceeded', message)
}

/** Of every path, what it answers. */
function methodsOf(routes: readonly Route[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  for (const { path, kind } of routes) {
    const known = methods.get(path) ?? new Set()
    for (const method of kind === 'body' ? ['POST'] : ['GET', 'HEAD']) known.add(method)
    methods.set(path, known)
  }
  return methods
}

export class Server {
  readonly #engine: Engine
  readonly #gate: Gate
  readonly #clock: Clock
  readonly #onFault: (error: unknown, id: string) => void
  readonly #toGet: Responder
  readonly #toHead: Responder
  readonly #visitors: Visitors | undefined
  readonly #chaos: Chaos | undefined
  readonly #bodies: Bodies
  /** What is to be done with a catalog, once there is one. */
  readonly #prepare: ((catalog: Catalog) => void)[] = []
  #isReady = false

  constructor({
    engine,
    gate,
    clock,
    onFault,
    routes = ROUTES,
    origins = [],
    withLimitFields = false,
    visitors,
    tally,
    access,
    chaos,
    bodyBounds,
  }: ServerOptions) {
    this.#bodies = new Bodies(bodyBounds)
    this.#visitors = visitors
    this.#engine = engine
    this.#gate = gate
    this.#clock = clock
    this.#onFault = onFault
    this.#chaos = chaos
    const sender = chaos ?? engine.sender
    const isWatched = tally !== undefined || access !== undefined
    const watching: Watching | undefined = isWatched
      ? { tally, access, routeNames: ROUTE_NAMES, keyId: () => gate.keyId }
      : undefined
    const allowed = origins.length > 0 ? new Origins(origins) : undefined
    this.#toGet = new Responder(sender, clock, gate.shown, false, watching, allowed)
    this.#toHead = new Responder(sender, clock, gate.shown, true, watching, allowed)
    for (const out of [this.#toGet, this.#toHead]) out.withLimitFields = withLimitFields
    for (const route of routes) this.#addRoute(route)
    for (const [path, methods] of methodsOf(routes)) {
      if (allowed !== undefined) this.#addPreflight(path, [...methods])
      this.#addWrongMethods(path, [...methods])
    }
    const unknown = this.#untouched((_req, out) => out.refuseFor('routeNotFound', 0))
    engine.route('head', '/*', this.#guarded(this.#toHead, NO_ROUTE, unknown))
    engine.route('any', '/*', this.#guarded(this.#toGet, NO_ROUTE, unknown))
  }

  /** Until the first call keyed endpoints answer 503. */
  serve(catalog: Catalog): void {
    const tag = new EntityTag(catalog.id, VERSION)
    for (const out of [this.#toGet, this.#toHead]) {
      out.reserve(PAGE_LIMIT_MAX * catalog.meta.recordBytesMax + ENVELOPE_BYTES)
      out.serve(tag)
    }
    for (const step of this.#prepare) step(catalog)
    this.#isReady = true
  }

  /** The port taken; see `Engine`. */
  listen(host: string, port: number, withOthers = false): Promise<number> {
    return this.#engine.listen(host, port, withOthers)
  }

  /** The same on a Unix socket. */
  listenUnix(path: string): Promise<void> {
    return this.#engine.listenUnix(path)
  }

  /** Lets what is under way finish, then closes every connection. */
  async close(drainMs = DRAIN_MS): Promise<void> {
    this.#engine.stopListening()
    for (const out of [this.#toGet, this.#toHead]) out.closing = true
    if (this.#chaos !== undefined) this.#chaos.closing = true
    const deadline = Date.now() + drainMs
    while (this.#engine.connections > 0 && Date.now() < deadline)
      await new Promise(done => setTimeout(done, DRAIN_POLL_MS))
    this.#engine.close()
  }

  #addRoute(route: Route): void {
    if (route.kind === 'body') {
      this.#engine.route('post', route.path, this.#bodyHandler(route))
      return
    }
    const number = routeNumber(route.path)
    const answer = this.#answerOf(route)
    this.#engine.route('get', route.path, this.#guarded(this.#toGet, number, answer))
    this.#engine.route('head', route.path, this.#guarded(this.#toHead, number, answer))
  }

  #answerOf(route: KeyedRoute | OpenRoute | PageRoute): AnswerTo {
    if (route.kind === 'keyed') return this.#keyedAnswer(route)
    return route.kind === 'open' ? this.#openAnswer(route) : this.#untouched(route.answer)
  }

  /** A browser asks first whether a page may ask. */
  #addPreflight(path: string, methods: string[]): void {
    const headers = Origins.preflight(methods)
    const head = new Head({ status: '204 No Content', contentType: null, headers })
    const answer = this.#untouched((_req, out) => out.endHead(head))
    this.#engine.route('options', path, this.#guarded(this.#toGet, routeNumber(path), answer))
  }

  #addWrongMethods(path: string, methods: string[]): void {
    const last = methods.pop()
    const message = `This path answers ${methods.length > 0 ? `${methods.join(', ')} and ` : ''}${last} only.`
    const refusal = new Refusal('methodNotAllowed', message)
    const headers = { Allow: [...methods, last].join(', ') }
    const answer = (out: Responder): Handler => {
      const kept = out.keepRefusal(refusal, headers)
      return this.#guarded(
        out,
        routeNumber(path),
        this.#untouched(() => out.endKeptRefusal(kept)),
      )
    }
    if (last === 'POST' && methods.length === 0) this.#engine.route('head', path, answer(this.#toHead))
    this.#engine.route('any', path, answer(this.#toGet))
  }

  #guarded(out: Responder, route: number, answer: AnswerTo): Handler {
    return this.#guard(out, route, this.#chaos?.around(answer, this.#refuseUnseen) ?? answer)
  }

  /** An engine may end the process when a handler throws or answers nothing, so every handler runs in here. */
  #guard(out: Responder, route: number, answer: AnswerTo): Handler {
    return (res, req) => {
      out.begin(res, req, route)
      try {
        answer(req, out, res)
      } catch (error) {
        this.#fail(error, out)
      }
    }
  }

  #fail(error: unknown, out: Responder): void {
    const id = randomBytes(REQUEST_ID_BYTES).toString('hex')
    this.#onFault(error, id)
    this.#gate.showFree()
    out.refuse(new Refusal('internalError', ERRORS.internalError.message, { request_id: id }))
  }

  /** For what is decided before any key is looked at. */
  #untouched(answer: AnswerTo): AnswerTo {
    return (req, out, res) => {
      this.#gate.showFree()
      answer(req, out, res)
    }
  }

  readonly #refuseUnseen = (out: Responder, name: ErrorName, retrySeconds: number) => {
    this.#gate.showFree()
    out.refuseFor(name, retrySeconds)
  }

  #openAnswer(route: OpenRoute): AnswerTo {
    const handle = route.prepare()
    const number = routeNumber(route.path)
    return (req, out, res) => {
      const verdict = this.#gate.peek(readKey(req), this.#clock.now())
      if (verdict === Verdict.Waiting) return this.#wait(res, out, number, () => handle(this.#isReady, out))
      const visitor = this.#visitorOf(verdict, req, res)
      if (visitor !== '') this.#decideOfVisitor(visitor, 0)
      handle(this.#isReady, out)
    }
  }

  #keyedAnswer(route: KeyedRoute): AnswerTo {
    const gate = this.#gate
    const clock = this.#clock
    const number = routeNumber(route.path)
    let { answer, charge }: Prepared = { answer: (_req, out) => this.#refuseStarting(out) }
    this.#prepare.push(catalog => {
      ;({ answer, charge } = route.prepare(catalog))
    })
    return (req, out, res) => {
      const key = readKey(req)
      // how many requests one counts as is found out for those with a key only
      const requests = charge !== undefined && this.#isKnown(key, req, res) ? charge(req) : 1
      const verdict = gate.admit(key, clock.now(), requests)
      if (verdict === Verdict.Admitted) answer(req, out.answer(req))
      else if (verdict === Verdict.Waiting)
        this.#keepWaiting(req, res, out, number, requests, held => answer(held, out.answer(held)))
      else if (this.#isAdmittedVisitor(verdict, req, out, res, requests)) answer(req, out.answer(req))
    }
  }

  /** Whether anything may be asked with this key now. */
  #isKnown(key: string, req: HttpRequest, res: HttpResponse): boolean {
    const verdict = this.#gate.peek(key, this.#clock.now())
    if (verdict === Verdict.Admitted || verdict === Verdict.Waiting) return true
    return this.#visitorOf(verdict, req, res) !== ''
  }

  /** Answers all but visitors of our own pages who may pass. */
  #isAdmittedVisitor(
    verdict: Refused,
    req: HttpRequest,
    out: Responder,
    res: HttpResponse,
    requests: number,
  ): boolean {
    const visitor = this.#visitorOf(verdict, req, res)
    const decided = visitor === '' ? verdict : this.#decideOfVisitor(visitor, requests)
    if (decided === Verdict.Admitted) return true
    this.#refuse(decided, out, requests)
    return false
  }

  /**
   * The address of a visitor of our own pages; '' for anyone else. To be asked only of those who have no key here, so that
   * whoever has one does not pay for it.
   */
  #visitorOf(verdict: Verdict, req: HttpRequest, res: HttpResponse): string {
    const isUnknown = verdict === Verdict.InvalidKey || verdict === Verdict.NoKeys
    return isUnknown ? (this.#visitors?.addressWithKey(readKey(req), req, res) ?? '') : ''
  }

  #decideOfVisitor(address: string, requests: number): Verdict.Admitted | Refused {
    const { guests } = this.#visitors as Visitors
    const verdict = guests.count(address, this.#clock.now(), requests)
    this.#gate.showGuest(guests)
    return verdict as Verdict.Admitted | Refused
  }

  #keepWaiting(
    req: HttpRequest,
    res: HttpResponse,
    out: Responder,
    route: number,
    requests: number,
    answer: (req: HttpRequest) => void,
  ): void {
    const held = new HeldRequest(req)
    this.#wait(res, out, route, verdict => {
      if (verdict === Verdict.Admitted) answer(held)
      else this.#refuse(verdict, out, requests)
    })
  }

  /** The store that replicas share has to be asked first; the request is dead by then, the response is not. */
  #wait(
    res: HttpResponse,
    out: Responder,
    route: number,
    answer: (verdict: Verdict.Admitted | Refused) => void,
  ): void {
    const paused = out.pause()
    const waiter = this.#gate.wait(verdict =>
      this.#resume(res, out, route, paused, () => answer(verdict as Verdict.Admitted | Refused)),
    )
    res.onAborted(() => waiter.cancel())
  }

  #resume(res: HttpResponse, out: Responder, route: number, paused: Paused, answer: () => void): void {
    res.cork(() => {
      out.resume(res, route, paused)
      try {
        answer()
      } catch (error) {
        this.#fail(error, out)
      }
    })
  }

  /**
   * One request is charged before the body is read, the others that it counts as once they are known: reading costs something,
   * whatever becomes of it.
   */
  #bodyHandler(route: BodyRoute): Handler {
    const out = this.#toGet
    const number = routeNumber(route.path)
    let prepared: PreparedBody = { answer: (_body, out) => this.#refuseStarting(out) }
    this.#prepare.push(catalog => {
      prepared = route.prepare(catalog)
    })
    const answer = (body: Body, admit: Admit, res: HttpResponse) => {
      if (body instanceof Refusal) return out.refuse(body, BODY_RETRY_SECONDS)
      const requests = prepared.charge?.(body.json) ?? 1
      const finish = (verdict: Verdict.Admitted | Refused) => {
        if (verdict === Verdict.Admitted) prepared.answer(body.json, out)
        else this.#refuse(verdict, out, requests)
      }
      const verdict = requests > 1 ? admit(requests - 1) : Verdict.Admitted
      if (verdict === Verdict.Waiting) this.#wait(res, out, number, finish)
      else finish(verdict)
    }
    return this.#guarded(out, number, (req, _out, res) => {
      const key = readKey(req)
      const verdict = this.#gate.admit(key, this.#clock.now())
      const visitor = this.#visitorOf(verdict, req, res)
      const first = visitor === '' ? verdict : this.#decideOfVisitor(visitor, 1)
      if (first !== Verdict.Admitted && first !== Verdict.Waiting) return this.#refuse(first, out, 1)
      const admit: Admit = requests =>
        visitor === ''
          ? this.#gate.admit(key, this.#clock.now(), requests)
          : this.#decideOfVisitor(visitor, requests)
      this.#readBody(res, req, number, first, visitor === '' ? key : visitor, body =>
        answer(body, admit, res),
      )
    })
  }

  /** Reads the body of a request that was admitted, or that the store is still to be asked about. */
  #readBody(
    res: HttpResponse,
    req: HttpRequest,
    route: number,
    first: Verdict.Admitted | Verdict.Waiting,
    owner: string,
    answer: (body: Body) => void,
  ): void {
    const out = this.#toGet
    const paused = out.pause()
    const incoming = this.#bodies.read(res, req, owner)
    let waiter: Waiter | undefined
    res.onAborted(() => {
      incoming.stop()
      waiter?.cancel()
    })
    const answerWhenRead = () => {
      const { decided } = this.#gate
      incoming.whenRead(body =>
        this.#resume(res, out, route, paused, () => {
          this.#gate.show(decided)
          answer(body)
        }),
      )
    }
    if (first === Verdict.Admitted) return answerWhenRead()
    waiter = this.#gate.wait(verdict => {
      if (verdict === Verdict.Admitted) return answerWhenRead()
      incoming.stop()
      this.#resume(res, out, route, paused, () => this.#refuse(verdict as Refused, out, 1))
    })
  }

  #refuseStarting(out: Responder): void {
    out.refuseFor('dbUnavailable', STARTING_RETRY_SECONDS)
  }

  #refuse(verdict: Refused, out: Responder, requests: number): void {
    if (verdict === Verdict.NoKeys) return this.#refuseStarting(out)
    if (verdict !== Verdict.OverLimit) return out.refuseFor(REFUSAL_OF[verdict], 0)
    const { shown, retryAfterSeconds } = this.#gate
    const limit = Math.min(shown.limitMinute, shown.limitDay)
    if (requests > 1 && requests > limit) out.refuse(neverPasses(requests, limit), retryAfterSeconds)
    else out.refuseFor(REFUSAL_OF[verdict], retryAfterSeconds)
  }
}
