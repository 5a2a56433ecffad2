/** The admin port: metrics, probes, reload, chaos. Never on the public port. */
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv4 } from 'node:net'
import { OperatorError } from '../errors.js'
import { isLoopbackAddress, isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, type RequestHost, requestHost } from '../same-origin.js'

export interface AdminTarget {
  metrics(): string
  /** Why requests cannot be answered, if so. */
  notReady(): string | undefined
  warning?(): string | undefined
  reload(): Promise<{ isLoaded: boolean; message: string }>
  /** Undefined unless the server was started with HSAPI_CHAOS. */
  readonly chaos?: ChaosControl | undefined
}

export interface ChaosControl {
  readonly expression: string
  /** Returns the normalised expression; rejects with an OperatorError if it is invalid. */
  put(expression: string): Promise<string>
}

export interface AdminOptions {
  host: string
  port: number
  /** Required for changes if set, or if the host is not a loopback address. */
  token: string | undefined
}

const TEXT = 'text/plain; charset=utf-8'
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'
const BODY_BYTES_MAX = 16_384
const BEARER = /^bearer (.*)$/i

/** Browsers send Origin or Sec-Fetch-Site with every request that could change something; programs send neither. */
function isCrossOrigin({ headers }: IncomingMessage, host: RequestHost | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOtherOrigin = origin !== undefined && (host === undefined || !isPageOf(origin, host))
  return isOtherOrigin || (site !== undefined && !isSameOrigin(String(site)))
}

/** Against DNS rebinding: anyone's domain name can resolve to this server. */
const isForeignName = (host: RequestHost | undefined) =>
  host === undefined || !(isLoopbackHost(host.name) || isIPv4(host.name) || host.name.startsWith('['))

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Undefined if the body is too large. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    // read to the end anyway, or the response would not arrive
    if (length <= BODY_BYTES_MAX) pieces.push(piece)
  }
  return length > BODY_BYTES_MAX ? undefined : Buffer.concat(pieces).toString('utf8')
}

export class AdminListener {
  readonly #target: AdminTarget
  readonly #options: AdminOptions
  readonly #server: Server

  private constructor(target: AdminTarget, options: AdminOptions) {
    this.#target = target
    this.#options = options
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(error => {
        if (!response.headersSent) this.#say(response, 500, `${(error as Error).message}\n`)
      })
    })
  }

  static async open(target: AdminTarget, options: AdminOptions): Promise<AdminListener> {
    const listener = new AdminListener(target, options)
    const { host, port } = options
    const listening = once(listener.#server.listen({ host, port, exclusive: true }), 'listening')
    await listening.catch((error: Error) => {
      throw new OperatorError(`HSAPI_ADMIN_PORT: cannot listen on ${host}:${port}: ${error.message}`)
    })
    return listener
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === '/reload') {
      if (request.method !== 'POST') return this.#refuseMethod(response, 'POST')
      return this.#reload(request, response)
    }
    if (path === '/chaos' && this.#target.chaos !== undefined) return this.#chaos(this.#target.chaos, isRead, request, response)
    if (path === '/chaos')
      return this.#say(response, 404, 'Chaos is disabled; start the server with HSAPI_CHAOS (off is enough).\n')
    if (!['/metrics', '/live', '/ready'].includes(path))
      return this.#say(response, 404, 'Unknown path; use /metrics, /live, /ready or POST /reload.\n')
    if (!isRead) return this.#refuseMethod(response, 'GET, HEAD')
    if (path === '/metrics') return this.#say(response, 200, this.#target.metrics(), METRICS)
    if (path === '/live') return this.#say(response, 200, 'ok\n')
    const why = this.#target.notReady()
    if (why !== undefined) return this.#say(response, 503, `${why}\n`)
    const warning = this.#target.warning?.()
    this.#say(response, 200, warning === undefined ? 'ok\n' : `ok, but ${warning}\n`)
  }

  #refuseMethod(response: ServerResponse, allow: string): void {
    response.setHeader('Allow', allow)
    this.#say(response, 405, `This path answers ${allow} only.\n`)
  }

  /** Checks a request that changes something, and answers it if it is refused. */
  #isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { host, token } = this.#options
    const forbid = (why: string) => {
      this.#say(response, 403, `${why}\n`)
      return true
    }
    const sentHost = requestHost(request.headers.host ?? '')
    if (isCrossOrigin(request, sentHost)) return forbid('Cross-origin requests are not allowed.')
    if (token === undefined && !isLoopbackAddress(host))
      return forbid('Set HSAPI_ADMIN_TOKEN to allow this on an address other than loopback.')
    if (token === undefined && isForeignName(sentHost))
      return forbid('Use localhost or an IP address as the host, or set HSAPI_ADMIN_TOKEN.')
    const sent = BEARER.exec(request.headers.authorization ?? '')?.[1]?.trimStart() ?? ''
    if (token !== undefined && !isEqual(sent, token)) {
      response.setHeader('WWW-Authenticate', 'Bearer')
      this.#say(response, 401, 'Send HSAPI_ADMIN_TOKEN as Authorization: Bearer.\n')
      return true
    }
    return false
  }

  async #chaos(chaos: ChaosControl, isRead: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isRead) return this.#say(response, 200, `${chaos.expression}\n`)
    if (request.method !== 'PUT') return this.#refuseMethod(response, 'GET, HEAD, PUT')
    if (this.#isRefused(request, response)) return
    const expression = await readText(request)
    if (expression === undefined) return this.#say(response, 413, `The body may have at most ${BODY_BYTES_MAX} bytes.\n`)
    try {
      this.#say(response, 200, `${await chaos.put(expression)}\n`)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      this.#say(response, 400, `${error.message}\n`)
    }
  }

  async #reload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isRefused(request, response)) return
    const { isLoaded, message } = await this.#target.reload()
    this.#say(response, isLoaded ? 200 : 409, `${message}\n`)
  }

  #say(response: ServerResponse, status: number, text: string, type = TEXT): void {
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(text)
  }
}
