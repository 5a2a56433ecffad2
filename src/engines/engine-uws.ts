import { BodyRest } from './body-rest.js'
import { bytes } from './bytes.js'
import type { Engine, Handler, HttpRequest, HttpResponse, Method, Sender, TlsFiles } from './engine.js'
import { LateResponse } from './late-response.js'
import { hasClearEnd, hasTransferEncoding } from './request.js'
import { sitesNotReading } from './unread-sockets.js'
import type { ListenSocket, UWebSockets, UwsApp } from './uws.js'
import { UwsSender } from './uws-sender.js'

/** uWebSockets' default: several listeners on one port share its connections. */
const SHARED_PORT = 0
const BAD_REQUEST = bytes('400 Bad Request').slice().buffer

export class UwsEngine implements Engine {
  readonly name = 'uws'
  readonly sender: Sender
  readonly #uws: UWebSockets
  readonly #app: UwsApp
  readonly #listening: ListenSocket[] = []
  #port = 0
  connections = 0

  constructor(uws: UWebSockets, isSound: boolean, unreadBytesMax: number, tls?: TlsFiles) {
    this.#uws = uws
    this.sender = new UwsSender(isSound, unreadBytesMax, () => sitesNotReading(this.#port)) as Sender
    this.#app = tls === undefined ? uws.App() : uws.SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key })
    const count = (_res: HttpResponse, change: number) => {
      this.connections += change
    }
    this.#app.filter(count)
  }

  route(method: Method, pattern: string, handler: Handler): void {
    const answer: Handler = (res, req) => this.#answerWithBody(res, req, handler)
    if (method === 'post' || method === 'any') this.#app[method](pattern, answer)
    // a look at each header costs a fiftieth of a lookup, so that of requests that hardly have a body only this one is asked for
    else
      this.#app[method](pattern, (res, req) => {
        if (hasTransferEncoding(req)) answer(res, req)
        else handler(res, req)
      })
  }

  /** A request that has a body, as far as its headers tell. */
  #answerWithBody(res: HttpResponse, req: HttpRequest, handler: Handler): void {
    const isClear = hasClearEnd(req)
    if (isClear && !hasTransferEncoding(req)) return handler(res, req)
    if (isClear) handler(new LateResponse(res, this.sender, new BodyRest()), req)
    else new LateResponse(res, this.sender).writeStatus(BAD_REQUEST).endWithoutBody()
  }

  async listen(host: string, port: number, withOthers: boolean): Promise<number> {
    const options = withOthers ? SHARED_PORT : this.#uws.LIBUS_LISTEN_EXCLUSIVE_PORT
    const listening = await new Promise<ListenSocket>((resolve, reject) => {
      this.#app.listen(host, port, options, socket => {
        if (socket) resolve(socket)
        else reject(new Error('the port cannot be had'))
      })
    })
    this.#listening.push(listening)
    this.#port = this.#uws.us_socket_local_port(listening)
    return this.#port
  }

  async listenUnix(path: string): Promise<void> {
    const listening = await new Promise<ListenSocket>((resolve, reject) => {
      this.#app.listen_unix(socket => {
        if (socket) resolve(socket)
        else reject(new Error('the socket cannot be had'))
      }, path)
    })
    this.#listening.push(listening)
  }

  stopListening(): void {
    for (const socket of this.#listening.splice(0)) this.#uws.us_listen_socket_close(socket)
  }

  close(): void {
    this.#app.close()
  }
}
