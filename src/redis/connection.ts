/** A reconnecting connection to Redis or Valkey. A command fails at once if it cannot be sent: requests must not wait for it. */
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../errors.js'

export interface RedisOptions {
  url: string
  /** Prefix of every name in Redis. */
  prefix: string
}

const CONNECT_MS = 2_000
const RETRY_MS = 250
/** After this time without a reply the connection is replaced. */
const REPLY_MS_MAX = 2_000
const NO_REPLY = Symbol('no answer')
/** A connection without traffic for this time is closed: its handshake may have been lost, which commands cannot detect. */
const IDLE_MS = 5_000
/** How long the command line waits for a connection. */
const FIRST_READY_MS = 5_000
const READY_POLL_MS = 10

/** Imported on demand: the client takes a tenth of a second to load. */
async function createClient(url: string, idleMs: number) {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, socketTimeout: idleMs, reconnectStrategy: () => RETRY_MS, noDelay: true },
  })
}

type RedisClient = Awaited<ReturnType<typeof createClient>>

/** Errors that retrying does not fix. */
const PERMANENT_ERROR = /WRONGPASS|NOAUTH|NOPERM|certificate|ENOTFOUND|ECONNREFUSED/

const REASON_CHARS_MAX = 300
/** Control characters, line separators and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** One printable line: the server may send anything. */
function reasonOf(error: unknown): string {
  const { message, code, name } = error as { message?: string; code?: string; name?: string }
  return (message || code || name || 'unknown').slice(0, REASON_CHARS_MAX).replace(UNPRINTABLE, '?')
}

export class RedisConnection {
  readonly #client: RedisClient
  readonly prefix: string
  #isClosed = false
  #lastError = 'not connected'

  private constructor(client: RedisClient, prefix: string, onError: (reason: string) => void) {
    this.#client = client
    this.prefix = prefix
    client.on('error', error => {
      this.#lastError = reasonOf(error)
      if (!this.#isClosed) onError(this.#lastError)
    })
  }

  /** Does not wait for the connection. With `idleMs` 0 it may stay silent. */
  static async open(
    { url, prefix }: RedisOptions,
    onError: (reason: string) => void,
    idleMs = IDLE_MS,
  ): Promise<RedisConnection> {
    const client = await createClient(url, idleMs)
    const connection = new RedisConnection(client, prefix, onError)
    // the client keeps trying; failures are 'error' events
    client.connect().catch(() => {})
    return connection
  }

  /** For the command line: waits for the connection, or throws an `OperatorError`. */
  static async openNow(options: RedisOptions): Promise<RedisConnection> {
    const connection = await RedisConnection.open(options, () => {}, 0)
    if (await connection.ready(FIRST_READY_MS, () => PERMANENT_ERROR.test(connection.#lastError))) return connection
    connection.close()
    throw new OperatorError(`HSAPI_REDIS_URL: cannot reach the server there: ${connection.#lastError}`)
  }

  get isReady(): boolean {
    return this.#client.isReady
  }

  /** Waits for the connection, or until `isGivenUp`; returns whether it is ready. */
  async ready(waitMs: number, isGivenUp = () => false): Promise<boolean> {
    const deadline = Date.now() + waitMs
    while (!this.isReady && !isGivenUp() && Date.now() < deadline) await wait(READY_POLL_MS)
    return this.isReady
  }

  /** Rejects at once without a connection, with a printable message. */
  async send(...args: readonly string[]): Promise<unknown> {
    try {
      return await this.#client.sendCommand(args)
    } catch (error) {
      throw new Error(reasonOf(error))
    }
  }

  /** As `send`; replaces the connection if there is no reply. */
  async sendOrReconnect(...args: readonly string[]): Promise<unknown> {
    const silence = wait(REPLY_MS_MAX, NO_REPLY, { ref: false })
    const answer = await Promise.race([this.send(...args), silence])
    if (answer !== NO_REPLY) return answer
    if (!this.#isClosed && this.isReady) {
      this.#client.destroy()
      this.#client.connect().catch(() => {})
    }
    throw new Error(`no answer within ${REPLY_MS_MAX / 1000} s`)
  }

  onReady(listener: () => void): void {
    this.#client.on('ready', listener)
  }

  /** After this, the connection cannot send other commands. */
  async subscribe(channel: string, listener: () => void): Promise<void> {
    await this.#client.subscribe(channel, listener)
  }

  close(): void {
    this.#isClosed = true
    try {
      this.#client.destroy()
    } catch {
      // the client was not open
    }
  }
}
