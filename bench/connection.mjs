/** One kept-alive HTTP/1.1 connection that sends ready-made bytes and tells when an answer is complete. */
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_LINE = Buffer.from('\r\n')
const CONNECT_MS = 10_000

/** One for all: what comes is looked at before anything else comes, and a stream would take a new one each time. */
const received = Buffer.allocUnsafeSlow(64 * 1024)

const Body = { None: 0, Length: 1, Chunked: 2, UntilClose: 3 }

/** A request as it goes over the wire. */
export function requestBytes({ host, port }, path, headers = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n${lines.join('')}\r\n`)
}

/** @param {string} text an address such as https://example.org:8443 */
export function parseTarget(text) {
  const { protocol, hostname, port } = new URL(text)
  const secure = protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)), secure }
}

export class Connection {
  #socket
  #rest = undefined
  #body = Body.None
  #missing = 0
  #status = 0
  #onAnswer
  #onEnd
  #ended = false
  /** The server closes it after the answer that was told last: it must not be sent another request. */
  isOver = false
  /** For whoever uses the connection: the number of the request it is busy with, and when that was sent. */
  request = -1
  sentMs = 0

  /**
   * @param {(status: number, connection: Connection) => void} onAnswer
   * @param {(error: Error | undefined, connection: Connection) => void} onEnd the connection is over
   */
  static open({ host, port, secure = false }, onAnswer, onEnd) {
    return new Promise((resolve, reject) => {
      const connection = new Connection()
      const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_MS)
      const opened = () => {
        clearTimeout(timer)
        connection.#onAnswer = onAnswer
        connection.#onEnd = onEnd
        resolve(connection)
      }
      const onBytes = length => {
        connection.#read(received.subarray(0, length))
        return true
      }
      const socket = secure
        ? connectTls({ host, port, servername: host, ALPNProtocols: ['http/1.1'] }, opened)
        : connect({ host, port, onread: { buffer: received, callback: onBytes } }, opened)
      socket.setNoDelay(true)
      let reason
      socket.on('error', error => {
        reason = error
      })
      socket.on('close', () => {
        clearTimeout(timer)
        if (connection.#body === Body.UntilClose) connection.#answered()
        if (connection.#onEnd === undefined) return reject(reason ?? new Error('the connection was closed'))
        if (connection.#ended) return
        connection.#ended = true
        connection.#onEnd(reason, connection)
      })
      if (secure) socket.on('data', data => connection.#read(data))
      connection.#socket = socket
    })
  }

  send(bytes) {
    this.#socket.write(bytes)
  }

  /** Ends it from this side, without a word to `onEnd`. */
  close() {
    this.#ended = true
    this.#socket.destroy()
  }

  #answered() {
    const status = this.#status
    this.#body = Body.None
    this.#status = 0
    if (this.isOver) this.close()
    this.#onAnswer(status, this)
  }

  #read(chunk) {
    const data = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = undefined
    let at = 0
    while (at >= 0 && at < data.length) {
      const next = this.#step(data, at)
      if (next < 0) this.#rest = Buffer.from(data.subarray(at))
      at = next
    }
  }

  /** @returns {number} where to read on, -1 when more must come first */
  #step(data, at) {
    switch (this.#body) {
      case Body.Length: {
        const taken = Math.min(this.#missing, data.length - at)
        this.#missing -= taken
        if (this.#missing === 0) this.#answered()
        return at + taken
      }
      case Body.Chunked:
        return this.#readChunk(data, at)
      case Body.UntilClose:
        return data.length
      default:
        return this.#readHead(data, at)
    }
  }

  #readHead(data, at) {
    const end = data.indexOf(END_OF_HEAD, at)
    if (end < 0) return -1
    const head = data.latin1Slice(at, end)
    const next = end + END_OF_HEAD.length
    const status = Number(head.slice(9, 12))
    if (status >= 100 && status < 200) return next
    this.#status = status
    this.isOver = /\r\nconnection: *close/i.test(head)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#missing = length === null ? 0 : Number(length[1])
    if (status === 204 || status === 304 || (length !== null && this.#missing === 0)) this.#answered()
    else if (length !== null) this.#body = Body.Length
    else this.#body = /\r\ntransfer-encoding: *chunked/i.test(head) ? Body.Chunked : Body.UntilClose
    return next
  }

  /** A chunk is skipped whole; the last one is empty. Trailers are not expected of a JSON service. */
  #readChunk(data, at) {
    const lineEnd = data.indexOf(END_OF_LINE, at)
    if (lineEnd < 0) return -1
    const size = Number.parseInt(data.latin1Slice(at, lineEnd), 16)
    const next = lineEnd + size + 2 * END_OF_LINE.length
    if (!(next <= data.length)) return -1
    if (size === 0) this.#answered()
    return next
  }
}
