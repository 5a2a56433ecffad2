/** Puts the routes on a socket. Order of checks: route, method, key, quota, dataset, parameters, data. */
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import { OperatorError } from '../errors.js'
import { type Gate, Verdict } from '../gate/gate.js'
import { PAGE_LIMIT_MAX } from './parameters.js'
import { readKey } from './request.js'
import { Responder } from './respond.js'
import { type Answer, type KeyedRoute, type OpenRoute, ROUTES } from './routes.js'
import { type Handler, type HttpResponse, type ListenSocket, loadUws } from './uws.js'

/** uWebSockets' default: several listeners on one port share its connections. */
const SHARED_PORT = 0
const STARTING_RETRY_SECONDS = 1
/** Brackets, meta and envelope of a page, generously. */
const ENVELOPE_BYTES = 4096
/** How long open connections may take to finish once the server stops. */
const DRAIN_MS = 2_000
const DRAIN_POLL_MS = 20

export interface ServerOptions {
  gate: Gate
  clock: Clock
  /** Told about faults of ours: requests that ended in 500. */
  onFault(error: unknown): void
}

export interface Server {
  /** Until then keyed endpoints answer 503. */
  serve(catalog: Catalog): void
  /** The port taken. Alone, a port that another server has is refused; with others, threads of one process share it. */
  listen(host: string, port: number, withOthers?: boolean): Promise<number>
  /** Lets what is under way finish, then closes every connection. */
  close(): Promise<void>
}

export function createServer({ gate, clock, onFault }: ServerOptions): Server {
  const uws = loadUws()
  const app = uws.App()
  const toGet = new Responder(clock, gate.shown, false)
  const toHead = new Responder(clock, gate.shown, true)
  let ready = false
  let connections = 0
  let listening: ListenSocket | undefined

  /** uWebSockets ends the process when a handler throws or answers nothing, so every handler runs in here. */
  const guard = (out: Responder, answer: Answer): Handler => {
    return (res, req) => {
      out.begin(res)
      try {
        answer(req, out)
      } catch (error) {
        onFault(error)
        gate.showFree()
        out.refuse('internalError')
      }
    }
  }

  const refuse = (verdict: Verdict, out: Responder): void => {
    switch (verdict) {
      case Verdict.MissingKey:
        return out.refuse('missingApiKey')
      case Verdict.ExpiredKey:
        return out.refuse('apiKeyExpired')
      case Verdict.OverLimit:
        return out.refuseFor('rateLimitExceeded', gate.retryAfterSeconds)
      default:
        return out.refuse('invalidApiKey')
    }
  }

  const openAnswer = (route: OpenRoute): Answer => {
    const handle = route.prepare()
    return (req, out) => {
      gate.peek(readKey(req), clock.now())
      handle(ready, out)
    }
  }

  const prepare: ((catalog: Catalog) => void)[] = []
  const keyedAnswer = (route: KeyedRoute): Answer => {
    let handle: Answer = (_req, out) => out.refuseFor('dbUnavailable', STARTING_RETRY_SECONDS)
    prepare.push(catalog => {
      handle = route.prepare(catalog)
    })
    return (req, out) => {
      const verdict = gate.admit(readKey(req), clock.now())
      if (verdict === Verdict.Admitted) handle(req, out)
      else refuse(verdict, out)
    }
  }

  const unknown: Answer = (_req, out) => {
    gate.showFree()
    out.refuse('routeNotFound')
  }
  const wrongMethod: Answer = (_req, out) => {
    gate.showFree()
    out.refuse('methodNotAllowed')
  }

  for (const route of ROUTES) {
    const answer = route.keyed ? keyedAnswer(route) : openAnswer(route)
    app.get(route.path, guard(toGet, answer))
    app.head(route.path, guard(toHead, answer))
    app.any(route.path, guard(toGet, wrongMethod))
  }
  app.head('/*', guard(toHead, unknown))
  app.any('/*', guard(toGet, unknown))
  const count = (_res: HttpResponse, change: number) => {
    connections += change
  }
  app.filter(count)

  return {
    serve(catalog) {
      for (const out of [toGet, toHead])
        out.reserve(PAGE_LIMIT_MAX * catalog.meta.recordBytesMax + ENVELOPE_BYTES)
      for (const step of prepare) step(catalog)
      ready = true
    },

    async listen(host, port, withOthers = false) {
      const exclusive = uws.LIBUS_LISTEN_EXCLUSIVE_PORT
      const open = (wanted: number, options: number) =>
        new Promise<ListenSocket>((resolve, reject) => {
          app.listen(host, wanted, options, socket => {
            if (socket) return resolve(socket)
            reject(
              new OperatorError(
                `HSAPI_PORT: cannot listen on ${host}:${wanted}; is another server running there?`,
              ),
            )
          })
        })
      listening = await open(port, withOthers ? SHARED_PORT : exclusive)
      return uws.us_socket_local_port(listening)
    },

    async close() {
      if (listening !== undefined) uws.us_listen_socket_close(listening)
      listening = undefined
      for (const out of [toGet, toHead]) out.closing = true
      const deadline = Date.now() + DRAIN_MS
      while (connections > 0 && Date.now() < deadline)
        await new Promise(done => setTimeout(done, DRAIN_POLL_MS))
      app.close()
    },
  }
}
