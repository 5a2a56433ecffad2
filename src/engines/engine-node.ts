/** Gives node:http the interface of uWebSockets.js, for platforms without a binary of uWebSockets.js. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { type AddressInfo, type ListenOptions, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BodyRest } from './body-rest.js'
import { copyOf } from './bytes.js'
import type { Bytes, Engine, Handler, HttpRequest, HttpResponse, Method, Sender, TlsFiles } from './engine.js'
import { parseAddress } from './ip-address.js'
import { Router } from './router.js'

/** Header names by buffer, because callers always pass the same few buffers. */
const namesOf = new Map<ArrayBuffer, string>()

function nameOf(bytes: ArrayBuffer): string {
  let name = namesOf.get(bytes)
  if (name === undefined) {
    name = Buffer.from(bytes).toString('latin1')
    namesOf.set(bytes, name)
  }
  return name
}

class NodeRequest implements HttpRequest {
  constructor(
    private readonly message: IncomingMessage,
    private readonly query: string,
    private readonly parameters: readonly string[],
  ) {}

  getMethod(): string {
    return this.message.method ?? ''
  }

  getUrl(): string {
    return (this.message.url ?? '').split('?', 1)[0] ?? ''
  }

  getQuery(): string {
    return this.query
  }

  /** Does not use `headers`, in which Node joins repeated headers: the interface returns the first one. */
  getHeader(lowerCaseName: ArrayBuffer): string {
    const name = nameOf(lowerCaseName)
    const raw = this.message.rawHeaders
    for (let i = 0; i < raw.length; i += 2) {
      const at = raw[i]
      if (at.length === name.length && at.toLowerCase() === name) return raw[i + 1]
    }
    return ''
  }

  forEach(take: (name: string, value: string) => void): void {
    const raw = this.message.rawHeaders
    for (let i = 0; i < raw.length; i += 2) take(raw[i].toLowerCase(), raw[i + 1])
  }

  getParameter(index: number): string {
    return this.parameters[index] ?? ''
  }
}

/**
 * Maximum unread bytes of a connection: enough for 16 pipelined responses, four of which may be the longest (the OpenAPI
 * document of 270 KB, which may grow).
 */
const CONNECTION_UNREAD_BYTES_MAX = 2 * 1024 * 1024
/** Estimated size of a response without a body. */
const HEAD_BYTES = 1024

/** Limits the bytes buffered for clients that do not read: pipelined responses wait until the client has read earlier ones. */
class UnreadResponses {
  /** Unread bytes of each socket; the sockets that have waited longest come first. */
  readonly #bytesOf = new Map<Socket, number>()
  #total = 0
  #isChecking = false

  constructor(private readonly bytesMax: number) {}

  add(socket: Socket, response: ServerResponse, bytes: number): void {
    // bytes of a closed socket are not counted, because `forget` may already have been called
    if (socket.destroyed) return
    const before = this.#bytesOf.get(socket) ?? 0
    this.#bytesOf.set(socket, before + bytes)
    this.#total += bytes
    response.once('finish', () => this.#remove(socket, bytes))
    // a single response may be longer than the limit
    if (before > 0 && before + bytes > CONNECTION_UNREAD_BYTES_MAX) socket.destroy()
    else if (this.#total > this.bytesMax && !this.#isChecking) {
      this.#isChecking = true
      // checked one turn later, when the kernel has taken as many bytes as it can
      setImmediate(this.#closeSlowest)
    }
  }

  /** Must be called after the connection is closed. */
  forget(socket: Socket): void {
    this.#remove(socket, this.#bytesOf.get(socket) ?? 0)
  }

  #remove(socket: Socket, bytes: number): void {
    const before = this.#bytesOf.get(socket)
    if (before === undefined) return
    this.#total -= bytes
    if (before > bytes) this.#bytesOf.set(socket, before - bytes)
    else this.#bytesOf.delete(socket)
  }

  readonly #closeSlowest = () => {
    this.#isChecking = false
    for (const socket of this.#bytesOf.keys()) {
      if (this.#total <= this.bytesMax) return
      socket.destroy()
      this.forget(socket)
    }
  }
}

class NodeResponse implements HttpResponse {
  readonly #rest: BodyRest | undefined
  #written = 0

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    isChunked: boolean,
    private readonly unread: UnreadResponses,
  ) {
    if (!isChunked) return
    const rest = new BodyRest()
    this.#rest = rest
    message.on('data', (piece: Buffer) => rest.add(piece.length, false))
    message.on('end', () => rest.add(0, true))
    response.on('close', () => rest.stop())
  }

  writeStatus(head: ArrayBuffer): this {
    const [status = '', ...lines] = Buffer.from(head).toString('latin1').split('\r\n')
    this.response.statusCode = Number(status.slice(0, 3))
    this.response.statusMessage = status.slice(4)
    for (const line of lines) {
      const colon = line.indexOf(': ')
      const [name, value] = [line.slice(0, colon), line.slice(colon + 2)]
      // Vary is the only header that may occur twice; for all others, `setHeader` is faster
      if (name === 'Vary') this.response.appendHeader(name, value)
      else this.response.setHeader(name, value)
    }
    return this
  }

  writeHeader(name: string, value: string): this {
    this.response.setHeader(name, value)
    return this
  }

  end(body: Bytes, closeConnection = false): this {
    const bytes = copyOf(body)
    this.response.setHeader('Content-Length', bytes.length)
    if (closeConnection) this.response.shouldKeepAlive = false
    this.unread.add(this.message.socket, this.response, bytes.length)
    this.#finish(bytes)
    return this
  }

  #finish(body?: Uint8Array): void {
    if (this.#rest === undefined) this.response.end(body)
    else
      this.#rest.whenDone(() => {
        this.#closeIfUnread()
        this.response.end(body)
      })
  }

  /** Closes the connection after the response if the body has not ended: a chunked body may be endless. */
  #closeIfUnread(): void {
    if (this.#rest !== undefined && !this.message.complete) this.response.shouldKeepAlive = false
  }

  endWithoutBody(): this {
    this.unread.add(this.message.socket, this.response, HEAD_BYTES)
    this.#finish()
    return this
  }

  tryEnd(piece: Uint8Array | ArrayBuffer | string, total: number): [boolean, boolean] {
    const bytes = copyOf(piece)
    if (!this.response.headersSent) {
      this.#closeIfUnread()
      this.response.setHeader('Content-Length', total)
    }
    this.#written += bytes.length
    const isComplete = this.#written >= total
    if (isComplete) this.#finish(bytes)
    else this.response.write(bytes)
    return [true, isComplete]
  }

  getWriteOffset(): number {
    return this.#written
  }

  close(): void {
    this.message.socket.destroy()
  }

  onData(take: (piece: ArrayBuffer, isLast: boolean) => void): this {
    const give = (piece: Uint8Array, isLast: boolean) => take(new Uint8Array(piece).buffer, isLast)
    this.message.on('data', (piece: Buffer) => give(piece, false))
    this.message.on('end', () => give(new Uint8Array(0), true))
    return this
  }

  /** Listens on the socket, because a response that waits behind another one gets no event when the connection closes. */
  onAborted(forget: () => void): this {
    const { socket } = this.message
    const closed = () => {
      if (!this.response.writableFinished) forget()
    }
    socket.setMaxListeners(0)
    socket.once('close', closed)
    this.response.once('finish', () => socket.off('close', closed))
    return this
  }

  cork(write: () => void): this {
    write()
    return this
  }

  getRemoteAddress(): ArrayBuffer {
    const bytes = parseAddress(this.message.socket.remoteAddress ?? '')
    return (bytes?.buffer ?? new ArrayBuffer(0)) as ArrayBuffer
  }
}

function methodOf(message: IncomingMessage): Method {
  const method = message.method?.toLowerCase()
  return method === 'get' || method === 'head' || method === 'post' || method === 'options' ? method : 'any'
}

const TRANSFER_ENCODING = 'transfer-encoding'

/** Returns all Transfer-Encoding lines, joined so that two lines are never mistaken for `chunked`. */
function transferCoding({ rawHeaders }: IncomingMessage): string {
  const codings: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name.length === TRANSFER_ENCODING.length && name.toLowerCase() === TRANSFER_ENCODING) codings.push(rawHeaders[i + 1])
  }
  return codings.join().toLowerCase()
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

/** The same timeouts as in uWebSockets.js. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 }

/** Maximum number of connections that wait to be accepted: the default of `listen` plus one. */
const BACKLOG = 512

const readFiles = ({ cert, key }: TlsFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) })

const SENDER: Sender = {
  send(res, head, body, closing) {
    res.writeStatus(head).end(body, closing)
  },
  sendHead(res, head, length, closing) {
    res.writeStatus(head)
    if (length !== undefined) res.writeHeader('Content-Length', String(length))
    if (closing) res.writeHeader('Connection', 'close')
    res.endWithoutBody()
  },
}

export class NodeEngine implements Engine {
  readonly name = 'node'
  readonly sender = SENDER
  readonly #router = new Router()
  readonly #servers: Server[] = []
  connections = 0
  #accepted = 0
  readonly #unread: UnreadResponses

  constructor(
    unreadBytesMax: number,
    private readonly tls?: TlsFiles,
  ) {
    this.#unread = new UnreadResponses(unreadBytesMax)
  }

  #createServer(): Server {
    const answer = (message: IncomingMessage, response: ServerResponse) => this.#answer(message, response)
    const server =
      this.tls === undefined ? createServer(TIMEOUTS, answer) : createTlsServer({ ...TIMEOUTS, ...readFiles(this.tls) }, answer)
    // while earlier pipelined responses wait, Node would write "100 Continue" into the middle of them
    server.on('checkContinue', (message, response) => {
      if (response.socket !== null) response.writeContinue()
      this.#answer(message, response)
    })
    server.on('connection', (socket: Socket) => {
      this.connections++
      this.#accepted++
      socket.on('close', () => {
        this.connections--
      })
    })
    // requests refer to these sockets; with TLS they wrap the sockets above
    server.on(this.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      socket.on('close', () => this.#unread.forget(socket))
    })
    this.#servers.push(server)
    return server
  }

  route(method: Method, pattern: string, handler: Handler): void {
    this.#router.add(method, pattern, handler)
  }

  #answer(message: IncomingMessage, response: ServerResponse): void {
    // the response to an earlier pipelined request has closed the connection
    if (message.socket.destroyed || message.socket.writableEnded) return
    // Node refuses ambiguous framing itself, but accepts any coding before `chunked`
    const coding = transferCoding(message)
    if (coding !== '' && coding !== 'chunked') return void message.socket.end(BAD_REQUEST)
    const target = message.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const found = this.#router.find(methodOf(message), path)
    if (found === undefined) throw new Error(`no route matches ${message.method} ${path}`)
    const query = mark < 0 ? '' : target.slice(mark + 1)
    const res = new NodeResponse(message, response, coding === 'chunked', this.#unread)
    found.handler(res, new NodeRequest(message, query, found.parameters))
  }

  async listen(host: string, port: number, isShared: boolean): Promise<number> {
    if (isShared) throw new Error('node:http cannot share a port among threads')
    const server = await this.#open({ host, port, exclusive: true })
    return (server.address() as AddressInfo).port
  }

  async listenUnix(path: string): Promise<void> {
    await this.#open({ path })
  }

  async #open(options: ListenOptions): Promise<Server> {
    const server = this.#createServer().listen(options)
    await once(server, 'listening')
    return server
  }

  async renewCertificate(): Promise<void> {
    if (this.tls === undefined) return
    for (const server of this.#servers) (server as TlsServer).setSecureContext(readFiles(this.tls))
  }

  /** Accepts waiting connections, because closing the port would reset them. Each turn of the event loop accepts only one. */
  async #acceptWaiting(): Promise<void> {
    let before = -1
    for (let turn = 0; turn < BACKLOG && this.#accepted > before; turn++) {
      before = this.#accepted
      await nextTurn()
      // a whole turn has passed only after the second call
      await nextTurn()
    }
  }

  /** Does not use `close` of http.Server, which would drop idle connections and with them requests that are on their way. */
  async stopListening(): Promise<void> {
    await this.#acceptWaiting()
    for (const server of this.#servers) {
      if (!server.listening) continue
      NetServer.prototype.close.call(server)
    }
  }

  close(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
  }
}
