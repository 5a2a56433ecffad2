import type { Engine, Handler, HttpResponse, Method, Sender, TlsFiles } from './engine.js'
import { sitesNotReading } from './unread-sockets.js'
import type { ListenSocket, UWebSockets, UwsApp } from './uws.js'
import { UwsSender } from './uws-sender.js'

/** uWebSockets' default: several listeners on one port share its connections. */
const SHARED_PORT = 0

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
    this.#app =
      tls === undefined ? uws.App() : uws.SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key })
    const count = (_res: HttpResponse, change: number) => {
      this.connections += change
    }
    this.#app.filter(count)
  }

  route(method: Method, pattern: string, handler: Handler): void {
    this.#app[method](pattern, handler)
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
