/** Puts the routes on an engine. Order of checks: route, method, key, quota, dataset, parameters, data. */
import { randomBytes } from 'node:crypto'
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { Engine, Handler } from '../engines/engine.js'
import { ERRORS, type ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { PAGE_LIMIT_MAX } from '../limits.js'
import type { Tally } from '../metrics/tally.js'
import { Refusal } from '../questions/refusal.js'
import type { AccessLog } from '../responses/access.js'
import { Origins } from '../responses/cors-headers.js'
import { EntityTag } from '../responses/entity-tag.js'
import { Head } from '../responses/head.js'
import { Responder } from '../responses/respond.js'
import type { Watching } from '../responses/watch.js'
import { VERSION } from '../version.js'
import { Admission } from './admission.js'
import type { BodyBounds } from './body.js'
import type { Chaos } from './chaos.js'
import { type AnswerTo, type KeyedRoute, type OpenRoute, PAGE_PATHS, type PageRoute, ROUTES, type Route } from './routes.js'
import type { Visitors } from './visitors.js'

const REQUEST_ID_BYTES = 8
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

/** What is at no path that there is. */
const NO_ROUTE = 0
const PATHS = [...new Set([...ROUTES.map(({ path }) => path), ...PAGE_PATHS])]
/** Routes as they are counted, by their number. */
export const ROUTE_NAMES: readonly string[] = ['other', ...PATHS.map(path => path.replaceAll(/:(\w+)/g, '{$1}'))]

const routeNumber = (path: string): number => PATHS.indexOf(path) + 1

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
  readonly #onFault: (error: unknown, id: string) => void
  readonly #toGet: Responder
  readonly #toHead: Responder
  readonly #admission: Admission
  readonly #chaos: Chaos | undefined

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
    const answerFault = (error: unknown, out: Responder) => this.#fail(error, out)
    this.#admission = new Admission({ gate, clock, visitors, bodyBounds, onFault: answerFault })
    this.#engine = engine
    this.#gate = gate
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
    this.#admission.serve(catalog)
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
    while (this.#engine.connections > 0 && Date.now() < deadline) await new Promise(done => setTimeout(done, DRAIN_POLL_MS))
    this.#engine.close()
  }

  #addRoute(route: Route): void {
    const number = routeNumber(route.path)
    if (route.kind === 'body') {
      const answer = this.#admission.bodyAnswer(route)
      return this.#engine.route('post', route.path, this.#guarded(this.#toGet, number, answer))
    }
    const answer = this.#answerOf(route)
    this.#engine.route('get', route.path, this.#guarded(this.#toGet, number, answer))
    this.#engine.route('head', route.path, this.#guarded(this.#toHead, number, answer))
  }

  #answerOf(route: KeyedRoute | OpenRoute | PageRoute): AnswerTo {
    if (route.kind === 'keyed') return this.#admission.keyedAnswer(route)
    return route.kind === 'open' ? this.#admission.openAnswer(route) : this.#untouched(route.answer)
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
}
