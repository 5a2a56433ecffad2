/** Registers the routes with an engine. Order of checks: route, method, key, quota, dataset, parameters, data. */
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { Engine, Handler, HttpRequest, HttpResponse } from '../engines/engine.js'
import { readMethod, readOrigin } from '../engines/request.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { PAGE_LIMIT_MAX } from '../limits.js'
import type { SearchCounts } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import { Refusal } from '../questions/refusal.js'
import type { Decision } from '../quotas/decision.js'
import { CodedBodies } from '../responses/coded-bodies.js'
import { Origins } from '../responses/cors-headers.js'
import { EntityTag } from '../responses/entity-tag.js'
import { Head } from '../responses/head.js'
import type { AccessLog } from '../responses/observer.js'
import { newRequestId } from '../responses/request-id.js'
import { Responder } from '../responses/respond.js'
import { nextTurn } from '../slices.js'
import { VERSION } from '../version.js'
import { Admission } from './admission.js'
import { ROUTES } from './api-routes.js'
import type { BodyBounds } from './body.js'
import type { Chaos } from './chaos.js'
import {
  type KeyedRoute,
  MCP_PATH,
  type OpenRoute,
  PAGE_PATHS,
  type PageRoute,
  type ProtocolRoute,
  type PublicRoute,
  type RecordPageRoute,
  type Route,
  type RouteHandler,
} from './routes.js'
import { SearchWatch } from './search-watch.js'
import type { Visitors } from './visitors.js'

const DRAIN_POLL_MS = 20

/** How long a stopping server waits. */
export interface ShutdownLimits {
  /** Time limit for unfinished requests. */
  finishMs: number
  /** Time limit for idle connections, after all requests are finished. */
  drainMs: number
}

const SHUTDOWN_LIMITS: ShutdownLimits = { finishMs: 15_000, drainMs: 2_000 }

export interface ServerOptions {
  engine: Engine
  gate: Gate
  clock: Clock
  /** Called for every 500, with the request_id of its response. */
  onFault(error: unknown, id: string, traceparent?: string): void
  routes?: readonly Route[]
  /** Origins allowed by CORS; `*` allows all. */
  origins?: readonly string[]
  withLimitFields?: boolean
  withRequestIds?: boolean
  /** Whether lists are compressed for clients that ask for it; true by default. */
  compress?: boolean
  /** Answers GET and HEAD of paths without a route; the routeNotFound refusal by default. */
  unknownPath?: RouteHandler | undefined
  /** Set if the explorer may be used without a key. */
  visitors?: Visitors | undefined
  tally?: Tally | undefined
  access?: AccessLog | undefined
  address?: ((req: HttpRequest, res: HttpResponse) => string) | undefined
  /** Set if searches are counted. */
  searches?: SearchCounts | undefined
  chaos?: Chaos | undefined
  bodyBounds?: Partial<BodyBounds>
}

const NO_ROUTE = 0
const PATHS = [...new Set([...ROUTES.map(({ path }) => path), ...PAGE_PATHS, MCP_PATH])]
/** Names of routes in the metrics, by route number. */
export const ROUTE_NAMES: readonly string[] = ['other', ...PATHS.map(path => path.replaceAll(/:(\w+)/g, '{$1}'))]

const refuseUnknownPath: RouteHandler = (_req, out) => out.refuseFor('routeNotFound', 0)

const routeNumber = (path: string): number => PATHS.indexOf(path) + 1

function methodsOf(routes: readonly Route[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>()
  for (const { path, kind } of routes) {
    const ofPath = methods.get(path) ?? new Set()
    for (const method of kind === 'body' || kind === 'protocol' ? ['POST'] : ['GET', 'HEAD']) ofPath.add(method)
    methods.set(path, ofPath)
  }
  return methods
}

export class Server {
  readonly #engine: Engine
  readonly #gate: Gate
  readonly #onFault: (error: unknown, id: string, traceparent?: string) => void
  readonly #toGet: Responder
  readonly #toHead: Responder
  readonly #admission: Admission
  readonly #chaos: Chaos | undefined
  readonly #codedBodies: CodedBodies | undefined

  constructor({
    engine,
    gate,
    clock,
    onFault,
    routes = ROUTES,
    origins = [],
    withLimitFields = false,
    withRequestIds = false,
    compress = true,
    unknownPath = refuseUnknownPath,
    visitors,
    tally,
    access,
    address,
    searches,
    chaos,
    bodyBounds,
  }: ServerOptions) {
    this.#admission = new Admission(gate, clock, (error, out) => this.#fail(error, out), visitors, bodyBounds)
    this.#engine = engine
    this.#gate = gate
    this.#onFault = onFault
    this.#chaos = chaos
    this.#codedBodies = compress ? new CodedBodies() : undefined
    const sender = chaos ?? engine.sender
    const isObserved = tally !== undefined || access !== undefined
    const keyIdOf = (decision: Decision) => gate.keyIdOf(decision)
    const observers = isObserved ? { tally, access, routeNames: ROUTE_NAMES, keyIdOf, address } : undefined
    const allowed = origins.length > 0 ? new Origins(origins, withRequestIds) : undefined
    this.#toGet = new Responder(sender, clock, gate.decision, false, observers, allowed)
    this.#toHead = new Responder(sender, clock, gate.decision, true, observers, allowed)
    for (const out of [this.#toGet, this.#toHead]) {
      out.withLimitFields = withLimitFields
      out.withRequestIds = withRequestIds
      out.codedBodies = this.#codedBodies
      if (tally !== undefined || searches !== undefined) out.searches = new SearchWatch(tally, searches, clock)
    }
    for (const route of routes) this.#addRoute(route, allowed)
    for (const [path, methods] of methodsOf(routes)) {
      if (allowed !== undefined) this.#addPreflight(path, [...methods], allowed)
      this.#addWrongMethods(path, [...methods])
    }
    const unknown = this.#withoutKey(unknownPath)
    // not registered as 'get', which would take precedence over the 405 of a path that has only POST
    const unknownMethod = this.#withoutKey((req, out, res) =>
      readMethod(req) === 'GET' ? unknownPath(req, out, res) : refuseUnknownPath(req, out, res),
    )
    engine.route('head', '/*', this.#guarded(this.#toHead, NO_ROUTE, unknown))
    engine.route('any', '/*', this.#guarded(this.#toGet, NO_ROUTE, unknownMethod))
  }

  /** Until the first call, endpoints that need a key answer 503. */
  serve(catalog: Catalog): void {
    const steps = this.#admission.prepare(catalog)
    let step = steps.next()
    while (!step.done) step = steps.next()
    this.#use(catalog, step.value)
  }

  /** Like `serve`, but answers requests in between. All routes use the old catalog until all switch to the new one together. */
  async serveInTurns(catalog: Catalog): Promise<void> {
    const steps = this.#admission.prepare(catalog)
    let step = steps.next()
    while (!step.done) {
      await nextTurn()
      step = steps.next()
    }
    this.#use(catalog, step.value)
  }

  #use(catalog: Catalog, useHandlers: () => void): void {
    const tag = new EntityTag(dataIdOf(catalog), VERSION, catalog.defaultView?.country.code)
    for (const out of [this.#toGet, this.#toHead]) {
      out.reserve(PAGE_LIMIT_MAX * catalog.meta.recordBytesMax)
      out.setEntityTag(tag)
    }
    this.#codedBodies?.clear()
    useHandlers()
  }

  /** Resolves to the port; `isShared` lets several threads listen on it. */
  listen(host: string, port: number, isShared = false): Promise<number> {
    return this.#engine.listen(host, port, isShared)
  }

  listenUnix(path: string): Promise<void> {
    return this.#engine.listenUnix(path)
  }

  renewCertificate(): Promise<void> {
    return this.#engine.renewCertificate()
  }

  /** Waits for requests under way, then closes every connection. Returns how many requests were cut off. */
  async close({ finishMs, drainMs } = SHUTDOWN_LIMITS): Promise<number> {
    // stop listening first: a response with Connection: close makes clients connect again
    await this.#engine.stopListening()
    for (const out of [this.#toGet, this.#toHead]) out.closing = true
    if (this.#chaos !== undefined) this.#chaos.closing = true
    const startMs = Date.now()
    let idleSinceMs = startMs
    while (this.#engine.connections > 0) {
      const nowMs = Date.now()
      if (this.#underWay > 0 && nowMs < startMs + finishMs) idleSinceMs = nowMs
      else if (nowMs >= idleSinceMs + drainMs) break
      await new Promise(done => setTimeout(done, DRAIN_POLL_MS))
    }
    const cutOff = this.#underWay
    this.#engine.close()
    return cutOff
  }

  get #underWay(): number {
    return this.#admission.underWay + (this.#chaos?.held ?? 0)
  }

  #addRoute(route: Route, origins: Origins | undefined): void {
    const number = routeNumber(route.path)
    if (route.kind === 'body' || route.kind === 'protocol') {
      const answer = route.kind === 'body' ? this.#admission.bodyAnswer(route) : this.#protocolAnswer(route, origins)
      return this.#engine.route('post', route.path, this.#guarded(this.#toGet, number, answer))
    }
    const answer = this.#answerOf(route)
    this.#engine.route('get', route.path, this.#guarded(this.#toGet, number, answer))
    this.#engine.route('head', route.path, this.#guarded(this.#toHead, number, answer))
  }

  /** Refuses requests from pages of other origins even with a key: a browser may send them without a preflight. */
  #protocolAnswer(route: ProtocolRoute, origins: Origins | undefined): RouteHandler {
    const answer = this.#admission.protocolAnswer(route)
    const refuse = this.#withoutKey((_req, out) => out.refuseFor('originNotAllowed', 0))
    return (req, out, res) => {
      const isAllowed = readOrigin(req) === '' || origins?.allows(req) === true
      return isAllowed ? answer(req, out, res) : refuse(req, out, res)
    }
  }

  #answerOf(route: KeyedRoute | OpenRoute | PublicRoute | PageRoute | RecordPageRoute): RouteHandler {
    if (route.kind === 'records') return this.#admission.recordPageAnswer(route)
    if (route.kind === 'keyed') return this.#admission.keyedAnswer(route)
    if (route.kind === 'public') return this.#withoutKey(this.#admission.publicAnswer(route))
    return route.kind === 'open' ? this.#admission.openAnswer(route) : this.#withoutKey(route.answer)
  }

  #addPreflight(path: string, methods: string[], origins: Origins): void {
    const head = new Head({ status: '204 No Content', contentType: null, headers: origins.preflight(methods, path === MCP_PATH) })
    const answer = this.#withoutKey((_req, out) => out.endHead(head))
    this.#engine.route('options', path, this.#guarded(this.#toGet, routeNumber(path), answer))
  }

  #addWrongMethods(path: string, methods: string[]): void {
    const last = methods.pop()
    const message = `This path answers ${methods.length > 0 ? `${methods.join(', ')} and ` : ''}${last} only.`
    const refusal = new Refusal('methodNotAllowed', message)
    const headers = { Allow: [...methods, last].join(', ') }
    const answer = (out: Responder): Handler => {
      const cached = out.cacheRefusal(refusal, headers)
      const refuse = this.#withoutKey(() => out.endCachedRefusal(cached))
      return this.#guarded(out, routeNumber(path), refuse)
    }
    if (last === 'POST' && methods.length === 0) this.#engine.route('head', path, answer(this.#toHead))
    this.#engine.route('any', path, answer(this.#toGet))
  }

  /** Catches errors, because a handler that throws would leave its request open and may end the process. */
  #guarded(out: Responder, route: number, handler: RouteHandler): Handler {
    const answer = this.#chaos?.wrap(handler, this.#refuseWithoutKey) ?? handler
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
    const id = out.requestId === '' ? newRequestId() : out.requestId
    this.#onFault(error, id, out.traceparent)
    this.#gate.showFreeTier()
    out.showLastDecision()
    out.refuse(new Refusal('internalError', ERRORS.internalError.message, { request_id: id }))
  }

  /** For responses that do not depend on a key: they show the Free tier's limits. */
  #withoutKey(answer: RouteHandler): RouteHandler {
    return (req, out, res) => {
      this.#gate.showFreeTier()
      answer(req, out, res)
    }
  }

  readonly #refuseWithoutKey = (out: Responder, name: ErrorName, retrySeconds: number) => {
    this.#gate.showFreeTier()
    out.refuseFor(name, retrySeconds)
  }
}

/** Returns an id that changes with the dataset and with the company's own decisions. */
function dataIdOf({ id, decisions }: Catalog): string {
  return decisions === undefined ? id : `${id}-${decisions.digest}`
}
