/** The admin port: metrics, probes, searches, reload, chaos, keys and usage. The public port has none of these paths. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ApiError, OperatorError } from '../errors.js'
import { isOperatorPath, OperatorApi, type OperatorTarget } from './operator-api.js'
import { type Access, operatorRefusal, pageRefusal } from './operators.js'
import { BODY_BYTES_MAX, readText } from './read-text.js'

export interface AdminTarget {
  metrics(): string
  /** Why requests cannot be answered; undefined if they can. */
  notReady(): string | undefined
  /** Problems that do not stop the server from answering requests. */
  warnings?(): readonly string[]
  /** One line that names the snapshot in use. */
  inUse?(): string | undefined
  /**
   * The texts that users searched for, at most `limit` per list; undefined unless the server was started with HSAPI_SEARCHES.
   */
  readonly searches?: ((limit: number) => Promise<unknown>) | undefined
  reload(): Promise<{ isLoaded: boolean; message: string }>
  /** Undefined unless the server was started with HSAPI_CHAOS. */
  readonly chaos?: ChaosControl | undefined
  /** Set once the server has started. */
  readonly operator?: OperatorTarget | undefined
  /** The page for keys and usage, and its files; returns undefined for other paths. */
  readonly page?: ((request: PageRequest) => Promise<PageAnswer | undefined>) | undefined
}

export interface PageRequest {
  path: string
  query: string
  headers: IncomingMessage['headers']
}

export interface PageAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

export interface ChaosControl {
  readonly expression: string
  /** Returns the normalised expression; rejects with an OperatorError if it is invalid. */
  put(expression: string): Promise<string>
}

export interface AdminOptions extends Access {
  port: number
}

const TEXT = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json'
const METRICS = 'text/plain; version=0.0.4; charset=utf-8'
const SEARCHES_MAX = 1_000
const SEARCHES_DEFAULT = 100

export class AdminListener {
  readonly #target: AdminTarget
  readonly #options: AdminOptions
  readonly #server: Server
  readonly #api: OperatorApi

  private constructor(target: AdminTarget, options: AdminOptions) {
    this.#target = target
    this.#options = options
    this.#api = new OperatorApi(() => target.operator, options)
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(error => {
        if (!response.headersSent) this.#sendText(response, 500, `${(error as Error).message}\n`)
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
      return this.#sendText(response, 404, 'Chaos is disabled; start the server with HSAPI_CHAOS set, for example to "off".\n')
    if (isOperatorPath(path)) return this.#operate(path, request, response)
    if (!['/metrics', '/live', '/ready', '/searches'].includes(path)) {
      if (isRead && (await this.#showPage(path, request, response))) return
      return this.#sendText(
        response,
        404,
        'Unknown path; use /, /keys, /usage, /metrics, /live, /ready, /searches or POST /reload.\n',
      )
    }
    if (!isRead) return this.#refuseMethod(response, 'GET, HEAD')
    if (path === '/metrics') return this.#sendText(response, 200, this.#target.metrics(), METRICS)
    if (path === '/searches') return this.#searches(request, response)
    if (path === '/live') return this.#sendText(response, 200, 'ok\n')
    const why = this.#target.notReady()
    if (why !== undefined) return this.#sendText(response, 503, `${why}\n`)
    this.#sendText(
      response,
      200,
      ['ok', ...(this.#target.warnings?.() ?? []), this.#target.inUse?.() ?? [], ''].flat().join('\n'),
    )
  }

  #refuseMethod(response: ServerResponse, allow: string): void {
    response.setHeader('Allow', allow)
    this.#sendText(response, 405, `This path answers ${allow} only.\n`)
  }

  /** Only for operators: not everyone who may read metrics may see what people searched for. */
  async #searches(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searches } = this.#target
    if (searches === undefined)
      return this.#sendText(response, 404, 'Searches are not counted; start the server with HSAPI_SEARCHES=on.\n')
    if (this.#isRefused(request, response)) return
    const given = new URLSearchParams((request.url ?? '').split('?')[1]).get('limit') ?? String(SEARCHES_DEFAULT)
    const limit = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0
    if (limit < 1 || limit > SEARCHES_MAX)
      return this.#sendText(response, 400, `limit must be a whole number from 1 to ${SEARCHES_MAX}.\n`)
    this.#sendText(response, 200, `${JSON.stringify(await searches(limit))}\n`, JSON_TYPE)
  }

  /** Refuses a request that does not come from an operator, and then returns true. */
  #isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const refusal = operatorRefusal(request, this.#options)
    if (refusal !== undefined) this.#refuse(response, refusal)
    return refusal !== undefined
  }

  #refuse(response: ServerResponse, { status, message }: ApiError): void {
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
    this.#sendText(response, status, `${message}\n`)
  }

  async #operate(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#api.answer(path, request)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    this.#sendText(response, status, `${JSON.stringify(body)}\n`, JSON_TYPE)
  }

  /** Answers a request for a file of the operators' page; returns false for other paths. */
  async #showPage(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [, query = ''] = (request.url ?? '').split('?', 2)
    const answer = await this.#target.page?.({ path, query, headers: request.headers })
    if (answer === undefined) return false
    const refusal = pageRefusal(request, this.#options)
    if (refusal !== undefined) this.#refuse(response, refusal)
    else {
      response.writeHead(answer.status, answer.headers)
      response.end(answer.body)
    }
    return true
  }

  async #chaos(chaos: ChaosControl, isRead: boolean, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isRead) return this.#sendText(response, 200, `${chaos.expression}\n`)
    if (request.method !== 'PUT') return this.#refuseMethod(response, 'GET, HEAD, PUT')
    if (this.#isRefused(request, response)) return
    const expression = await readText(request)
    if (expression === undefined) return this.#sendText(response, 413, `The body may have at most ${BODY_BYTES_MAX} bytes.\n`)
    try {
      this.#sendText(response, 200, `${await chaos.put(expression)}\n`)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      this.#sendText(response, 400, `${error.message}\n`)
    }
  }

  async #reload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isRefused(request, response)) return
    const { isLoaded, message } = await this.#target.reload()
    this.#sendText(response, isLoaded ? 200 : 409, `${message}\n`)
  }

  #sendText(response: ServerResponse, status: number, text: string, type = TEXT): void {
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(text)
  }
}
