/** For those who run the server: metrics, probes, loading the dataset anew, faults on demand. On a port of its own, never the public one. */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv4 } from 'node:net'
import { OperatorError } from '../errors.js'
import { isLoopbackAddress, isLoopbackHost } from '../loopback.js'
import { isPageOf, isSameOrigin, type RequestHost, requestHost } from '../same-origin.js'

export interface Administered {
  metrics(): string
  /** Undefined when requests can be answered, else why not. */
  notReady(): string | undefined
  /** What is wrong though requests are answered. */
  warning?(): string | undefined
  reload(): Promise<{ isLoaded: boolean; message: string }>
  /** Faults on demand, where the server was started with them. */
  readonly chaos?: AdministeredChaos | undefined
}

export interface AdministeredChaos {
  /** What is in force. */
  readonly expression: string
  /** Puts another one in force and gives it; rejects with an OperatorError where it cannot be read. */
  put(expression: string): Promise<string>
}

export interface AdminOptions {
  host: string
  port: number
  /** What changes something wants it, where it is set or the host is no loopback address. */
  token: string | undefined
}

const TEXT = 'text/plain; charset=utf-8'
/** Of Prometheus' text format. */
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'
/** Of what is put; no expression is nearly as long. */
const BODY_BYTES_MAX = 16_384
const BEARER = /^bearer (.*)$/i

/** Browsers tell these of every request that could change something; programs tell neither. */
function isOfOtherPage({ headers }: IncomingMessage, host: RequestHost | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const isOtherOrigin = origin !== undefined && (host === undefined || !isPageOf(origin, host))
  return isOtherOrigin || (site !== undefined && !isSameOrigin(String(site)))
}

/** A name may be anybody's who has a DNS server, and lead here all the same; an address cannot. */
const isNameOfOthers = (host: RequestHost | undefined) =>
  host === undefined || !(isLoopbackHost(host.name) || isIPv4(host.name) || host.name.startsWith('['))

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Undefined where there is too much of it. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    // read to its end all the same, or the answer would not arrive
    if (length <= BODY_BYTES_MAX) pieces.push(piece)
  }
  return length > BODY_BYTES_MAX ? undefined : Buffer.concat(pieces).toString('utf8')
}

export class AdminListener {
  readonly #subject: Administered
  readonly #options: AdminOptions
  readonly #server: Server

  private constructor(subject: Administered, options: AdminOptions) {
    this.#subject = subject
    this.#options = options
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(error => {
        if (!response.headersSent) this.#say(response, 500, `${(error as Error).message}\n`)
      })
    })
  }

  static async open(subject: Administered, options: AdminOptions): Promise<AdminListener> {
    const listener = new AdminListener(subject, options)
    const { host, port } = options
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', error =>
        reject(new OperatorError(`HSAPI_ADMIN_PORT: cannot listen on ${host}:${port}: ${error.message}`)),
      )
      listener.#server.listen({ host, port, exclusive: true }, resolve)
    })
    return listener
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): Promise<void> {
    return new Promise(done => {
      this.#server.close(() => done())
      this.#server.closeAllConnections()
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === '/reload') {
      if (request.method !== 'POST') return this.#refuseMethod(response, 'POST')
      return this.#reload(request, response)
    }
    if (path === '/chaos' && this.#subject.chaos !== undefined) return this.#chaos(this.#subject.chaos, isRead, request, response)
    if (!['/metrics', '/live', '/ready'].includes(path)) return this.#say(response, 404, this.#whatThereIs(path))
    if (!isRead) return this.#refuseMethod(response, 'GET, HEAD')
    if (path === '/metrics') return this.#say(response, 200, this.#subject.metrics(), METRICS)
    if (path === '/live') return this.#say(response, 200, 'ok\n')
    const why = this.#subject.notReady()
    if (why !== undefined) return this.#say(response, 503, `${why}\n`)
    const warning = this.#subject.warning?.()
    this.#say(response, 200, warning === undefined ? 'ok\n' : `ok, but ${warning}\n`)
  }

  #whatThereIs(path: string): string {
    if (path === '/chaos') return 'Faults on demand need a server started with HSAPI_CHAOS; off is enough.\n'
    return 'There are /metrics, /live, /ready and POST /reload here.\n'
  }

  #refuseMethod(response: ServerResponse, allow: string): void {
    response.setHeader('Allow', allow)
    this.#say(response, 405, `This path answers ${allow} only.\n`)
  }

  /** What changes something is refused here where it must be. */
  #isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { host, token } = this.#options
    const forbid = (why: string) => {
      this.#say(response, 403, `${why}\n`)
      return true
    }
    const asked = requestHost(request.headers.host ?? '')
    if (isOfOtherPage(request, asked)) return forbid('A web page of another origin may not do this.')
    if (token === undefined && !isLoopbackAddress(host))
      return forbid('Set HSAPI_ADMIN_TOKEN to allow this off the loopback address.')
    if (token === undefined && isNameOfOthers(asked))
      return forbid('Use localhost or an IP address as the host, or set HSAPI_ADMIN_TOKEN.')
    const sent = BEARER.exec(request.headers.authorization ?? '')?.[1]?.trimStart() ?? ''
    if (token !== undefined && !isSame(sent, token)) {
      response.setHeader('WWW-Authenticate', 'Bearer')
      this.#say(response, 401, 'Send HSAPI_ADMIN_TOKEN as Authorization: Bearer.\n')
      return true
    }
    return false
  }

  async #chaos(chaos: AdministeredChaos, isRead: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isRead) return this.#say(response, 200, `${chaos.expression}\n`)
    if (request.method !== 'PUT') return this.#refuseMethod(response, 'GET, HEAD, PUT')
    if (this.#isRefused(request, response)) return
    const expression = await textOf(request)
    if (expression === undefined) return this.#say(response, 413, `A body may have ${BODY_BYTES_MAX} bytes at most.\n`)
    try {
      this.#say(response, 200, `${await chaos.put(expression)}\n`)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      this.#say(response, 400, `${error.message}\n`)
    }
  }

  async #reload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isRefused(request, response)) return
    const { isLoaded, message } = await this.#subject.reload()
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
