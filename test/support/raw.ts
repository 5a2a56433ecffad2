/** Sends and receives raw bytes, without an HTTP client. */
import { connect, type Socket } from 'node:net'

export function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', data => {
      text += data.toString('latin1')
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

/** A connection that stays open and collects the received text. */
export class Connection {
  readonly socket: Socket
  text = ''
  readonly closed: Promise<void>

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', data => {
      this.text += data.toString('latin1')
    })
    this.socket.on('error', () => {})
    this.closed = new Promise(done => this.socket.on('close', () => done()))
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port)
    await new Promise((done, fail) => connection.socket.once('connect', done).once('error', fail))
    return connection
  }

  send(bytes: string): void {
    this.socket.write(bytes)
  }

  /** Waits until the received text matches. */
  async until(pattern: RegExp, ms = 5_000): Promise<void> {
    const deadline = Date.now() + ms
    while (!pattern.test(this.text)) {
      if (Date.now() > deadline) throw new Error(`expected ${pattern}, received ${JSON.stringify(this.text)}`)
      await new Promise(done => setTimeout(done, 5))
    }
  }
}
