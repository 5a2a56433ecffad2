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
  readonly #app: UwsApp
  readonly #listening: ListenSocket[] = []
  #port = 0
  connections = 0

  constructor(uws: UWebSockets, hasOverflowFix: boolean, unreadBytesMax: number, tls?: TlsFiles) {
    this.#uws = uws
    this.sender = new UwsSender(hasOverflowFix, unreadBytesMax, () => stalledSubnets(this.#port))
    this.#app = tls === undefined ? uws.App() : uws.SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key })
    const count = (_res: HttpResponse, change: number) => {
      this.connections += change
    }
    this.#app.filter(count)
  }

  route(method: Method, pattern: string, handler: Handler): void {
    const answer: Handler = (res, req) => this.#answerWithBody(res, req, handler)
    if (method === 'post' || method === 'any') this.#app[method](pattern, answer)
    // reading one header costs a fiftieth of a lookup, so GET checks this one only
    else
      this.#app[method](pattern, (res, req) => {
        if (hasTransferEncoding(req)) answer(res, req)
        else handler(res, req)
      })
  }

  #answerWithBody(res: HttpResponse, req: HttpRequest, handler: Handler): void {
    if (!hasClearEnd(req)) new LateResponse(res, this.sender).writeStatus(BAD_REQUEST).endWithoutBody()
    else if (hasTransferEncoding(req)) handler(new LateResponse(res, this.sender, new BodyRest()), req)
    else handler(res, req)
  }

  async listen(host: string, port: number, isShared: boolean): Promise<number> {
    const options = isShared ? SHARED_PORT : this.#uws.LIBUS_LISTEN_EXCLUSIVE_PORT
    const socket = await this.#open('the port', done => this.#app.listen(host, port, options, done))
    this.#port = this.#uws.us_socket_local_port(socket)
    return this.#port
  }

  async listenUnix(path: string): Promise<void> {
    await this.#open('the socket', done => this.#app.listen_unix(done, path))
  }

  async #open(name: string, open: (done: (socket: ListenSocket | false) => void) => void): Promise<ListenSocket> {
    const socket = await new Promise<ListenSocket | false>(open)
    if (!socket) throw new Error(`${name} is not available`)
    this.#listening.push(socket)
    return socket
  }

  /** A closed port resets what waits to be accepted; a whole turn of the event loop accepts all of it. */
  async stopListening(): Promise<void> {
    await setImmediate()
    // only the second one comes after a whole turn
    await setImmediate()
    for (const socket of this.#listening.splice(0)) this.#uws.us_listen_socket_close(socket)
  }

  close(): void {
    this.#app.close()
  }
}
