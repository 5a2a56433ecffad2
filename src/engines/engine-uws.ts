import { setImmediate } from 'node:timers/promises'
import { BodyRest } from './body-rest.js'
import { bytes } from './bytes.js'
import type { Engine, Handler, HttpRequest, HttpResponse, Method, Sender, TlsFiles } from './engine.js'
import { LateResponse } from './late-response.js'
import { hasClearEnd, hasTransferEncoding } from './request.js'
import { stalledSubnets } from './unread-sockets.js'
import type { ListenSocket, UWebSockets, UwsApp } from './uws.js'
import { UwsSender } from './uws-sender.js'

const SHARED_PORT = 0
const BAD_REQUEST = bytes('400 Bad Request').slice().buffer

export class UwsEngine implements Engine {
  readonly name = 'uws'
  readonly sender: Sender
  readonly #uws: UWebSockets
  readonly #tls: TlsFiles | undefined
  /** The last app listens; the others serve connections that were opened with an earlier certificate. */
  readonly #apps: UwsApp[] = []
  readonly #routes: [Method, string, Handler][] = []
  #listening: ListenSocket[] = []
  /** Functions that open the same ports and sockets again, for an app with a new certificate. */
  readonly #places: ((app: UwsApp) => Promise<ListenSocket>)[] = []
  #port = 0
  connections = 0

  constructor(uws: UWebSockets, hasOverflowFix: boolean, unreadBytesMax: number, tls?: TlsFiles) {
    this.#uws = uws
    this.sender = new UwsSender(hasOverflowFix, unreadBytesMax, () => stalledSubnets(this.#port))
    this.#tls = tls
    this.#apps.push(this.#createApp())
  }

  get #app(): UwsApp {
    return this.#apps[this.#apps.length - 1]
  }

  #createApp(): UwsApp {
    const tls = this.#tls
    const app = tls === undefined ? this.#uws.App() : this.#uws.SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key })
    const count = (_res: HttpResponse, change: number) => {
      this.connections += change
    }
    return app.filter(count)
  }

  route(method: Method, pattern: string, handler: Handler): void {
    const answer: Handler = (res, req) => this.#answerWithBody(res, req, handler)
    if (method === 'post' || method === 'any') return this.#addRoute(method, pattern, answer)
    // reading one header costs a fiftieth of a lookup, so GET checks only Transfer-Encoding
    this.#addRoute(method, pattern, (res, req) => {
      if (hasTransferEncoding(req)) answer(res, req)
      else handler(res, req)
    })
  }

  #addRoute(method: Method, pattern: string, handler: Handler): void {
    this.#routes.push([method, pattern, handler])
    this.#app[method](pattern, handler)
  }

  #answerWithBody(res: HttpResponse, req: HttpRequest, handler: Handler): void {
    if (!hasClearEnd(req)) new LateResponse(res, this.sender).writeStatus(BAD_REQUEST).endWithoutBody()
    else if (hasTransferEncoding(req)) handler(new LateResponse(res, this.sender, new BodyRest()), req)
    else handler(res, req)
  }

  /** With TLS the port is always shared, since a new certificate needs a second listener next to the first. */
  async listen(host: string, port: number, isShared: boolean): Promise<number> {
    const options = isShared || this.#tls !== undefined ? SHARED_PORT : this.#uws.LIBUS_LISTEN_EXCLUSIVE_PORT
    const socket = await this.#open(app => listening('the port', done => app.listen(host, port, options, done)))
    this.#port = this.#uws.us_socket_local_port(socket)
    return this.#port
  }

  async listenUnix(path: string): Promise<void> {
    await this.#open(app => listening('the socket', done => app.listen_unix(done, path)))
  }

  async #open(place: (app: UwsApp) => Promise<ListenSocket>): Promise<ListenSocket> {
    const socket = await place(this.#app)
    this.#listening.push(socket)
    this.#places.push(place)
    return socket
  }

  /** The engine cannot change the certificate of an app, so a second app takes over listening. */
  async renewCertificate(): Promise<void> {
    if (this.#listening.length === 0) return
    const app = this.#createApp()
    for (const [method, pattern, handler] of this.#routes) app[method](pattern, handler)
    const before = this.#listening
    const after: ListenSocket[] = []
    try {
      for (const place of this.#places) after.push(await place(app))
    } catch (error) {
      app.close()
      throw error
    }
    this.#apps.push(app)
    this.#listening = after
    await this.#closeListening(before)
  }

  /** Waits a whole turn of the event loop, which accepts all waiting connections: closing the port would reset them. */
  async #closeListening(sockets: readonly ListenSocket[]): Promise<void> {
    await setImmediate()
    // a whole turn has passed only after the second call
    await setImmediate()
    for (const socket of sockets) this.#uws.us_listen_socket_close(socket)
  }

  async stopListening(): Promise<void> {
    await this.#closeListening(this.#listening.splice(0))
  }

  close(): void {
    for (const app of this.#apps) app.close()
  }
}

async function listening(name: string, open: (done: (socket: ListenSocket | false) => void) => void): Promise<ListenSocket> {
  const socket = await new Promise<ListenSocket | false>(open)
  if (!socket) throw new Error(`${name} is not available`)
  return socket
}
