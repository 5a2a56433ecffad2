import type { Engine, Handler, HttpResponse, Method, Sender } from './engine.js'
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
  #listening: ListenSocket | undefined
  #port = 0
  connections = 0

  constructor(uws: UWebSockets, isSound: boolean, unreadBytesMax: number) {
    this.#uws = uws
    this.sender = new UwsSender(isSound, unreadBytesMax, () => sitesNotReading(this.#port)) as Sender
    this.#app = uws.App()
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
    this.#listening = await new Promise<ListenSocket>((resolve, reject) => {
      this.#app.listen(host, port, options, socket => {
        if (socket) resolve(socket)
        else reject(new Error('the port cannot be had'))
      })
    })
    this.#port = this.#uws.us_socket_local_port(this.#listening)
    return this.#port
  }

  stopListening(): void {
    if (this.#listening !== undefined) this.#uws.us_listen_socket_close(this.#listening)
    this.#listening = undefined
  }

  close(): void {
    this.#app.close()
  }
}
