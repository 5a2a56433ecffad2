/** A keep-alive HTTP/1.1 connection that sends prepared bytes and reports complete answers. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_LINE = Buffer.from('\r\n')
const CONNECT_MS = 10_000

/** Shared by all connections: data is processed before the next read, and a stream would allocate a buffer each time. */
const received = Buffer.allocUnsafeSlow(64 * 1024)

export interface Target {
  host: string
  port: number
  secure?: boolean
}

/** Renders a request without escaping, so inputs must not contain line breaks. */
export function requestBytes(
  { host, port }: Target,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: ${authority}\r\n${lines.join('')}\r\n`)
}

/** @param text an address such as https://example.org:8443 */
export function parseTarget(text: string): Required<Target> {
  const { protocol, hostname, port } = new URL(text)
  const secure = protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)), secure }
}

type BodyKind = 'none' | 'length' | 'chunked' | 'until close'

export class Connection<Context = unknown> {
  #socket!: Socket
  #rest: Buffer | undefined
  #body: BodyKind = 'none'
  #missing = 0
  #status = 0
  #isHead = false
  #onAnswer!: (status: number, connection: Connection<Context>) => void
  #onEnd: ((error: Error | undefined, connection: Connection<Context>) => void) | undefined
  #ended = false
  /** Set if the server closes the connection after the last answer: send nothing more. */
  isOver = false
  /** State of the caller: its request, when it was due and when it was sent. */
  context: Context | undefined
  dueMs = 0
  sentMs = 0

  /** Calls `onEnd` if the connection fails, or if the other side closes it without an announcement. */
  static open<Context>(
    { host, port, secure = false }: Target,
    onAnswer: (status: number, connection: Connection<Context>) => void,
    onEnd: (error: Error | undefined, connection: Connection<Context>) => void,
  ): Promise<Connection<Context>> {
    return new Promise((resolve, reject) => {
      const connection = new Connection<Context>()
      const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), CONNECT_MS)
      const opened = () => {
        clearTimeout(timer)
        connection.#onAnswer = onAnswer
        connection.#onEnd = onEnd
        resolve(connection)
      }
      const onBytes = (length: number) => {
        connection.#read(received.subarray(0, length))
        return true
      }
      const socket = secure
        ? connectTls(
            // SNI does not allow IP addresses
            { host, port, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) },
            opened,
          )
        : connect({ host, port, onread: { buffer: received, callback: onBytes } }, opened)
      socket.setNoDelay(true)
      let reason: Error | undefined
      socket.on('error', error => {
        reason = error
      })
      socket.on('close', () => {
        clearTimeout(timer)
        if (connection.#body === 'until close') connection.#answered()
        if (connection.#onEnd === undefined) return reject(reason ?? new Error('the connection was closed'))
        if (connection.#ended) return
        connection.#ended = true
        connection.#onEnd(reason, connection)
      })
      if (secure) socket.on('data', (data: Buffer) => connection.#read(data))
      connection.#socket = socket
    })
  }

  /** `isHead`: the request is HEAD, so the answer has no body even if its Content-Length is not 0. */
  send(bytes: Buffer, isHead = false): void {
    this.#isHead = isHead
    this.#socket.write(bytes)
  }

  /** Closes without calling `onEnd`. */
  close(): void {
    this.#ended = true
    this.#socket.destroy()
  }

  /** Closes the connection as failed, and calls `onEnd`. */
  breakOff(reason: Error): void {
    this.#socket.destroy(reason)
  }

  #answered(): void {
    const status = this.#status
    this.#body = 'none'
    this.#status = 0
    if (this.isOver) this.close()
    this.#onAnswer(status, this)
  }

  #read(chunk: Buffer): void {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = undefined
    let at = 0
    while (at >= 0 && at < data.length) {
      const next = this.#step(data, at)
      if (next < 0) this.#rest = Buffer.from(data.subarray(at))
      at = next
    }
  }

  #step(data: Buffer, at: number): number {
    switch (this.#body) {
      case 'length': {
        const taken = Math.min(this.#missing, data.length - at)
        this.#missing -= taken
        if (this.#missing === 0) this.#answered()
        return at + taken
      }
      case 'chunked':
        return this.#readChunk(data, at)
      case 'until close':
        return data.length
      default:
        return this.#readHead(data, at)
    }
  }

  #readHead(data: Buffer, at: number): number {
    const end = data.indexOf(END_OF_HEAD, at)
    if (end < 0) return -1
    const head = data.toString('latin1', at, end)
    const next = end + END_OF_HEAD.length
    const status = Number(head.slice(9, 12))
    if (status >= 100 && status < 200) return next
    this.#status = status
    // regexp-ignore: linear, blanks are matched only after the name of a field
    this.isOver = /\r\nconnection: *close/i.test(head)
    // regexp-ignore: linear, as the one before
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#missing = length === null ? 0 : Number(length[1])
    const isEmpty = this.#isHead || status === 204 || status === 304
    if (isEmpty || (length !== null && this.#missing === 0)) this.#answered()
    else if (length !== null) this.#body = 'length'
    // regexp-ignore: linear, as the ones before
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#body = 'chunked'
    else {
      this.#body = 'until close'
      this.isOver = true
    }
    return next
  }

  /** Chunks are skipped; the last is empty. A JSON service sends no trailers. */
  #readChunk(data: Buffer, at: number): number {
    const lineEnd = data.indexOf(END_OF_LINE, at)
    if (lineEnd < 0) return -1
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + size + 2 * END_OF_LINE.length
    if (!(next <= data.length)) return -1
    if (size === 0) this.#answered()
    return next
  }
}
