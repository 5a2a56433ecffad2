/**
 * A connection to Redis or Valkey that comes back by itself. A command that cannot be sent at once fails at once: whoever
 * waits for a request's answer must not wait for a network.
 */
import { OperatorError } from '../errors.js'

/** What of the client is used here. */
export interface RedisClient {
  connect(): Promise<unknown>
  destroy(): void
  readonly isReady: boolean
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', hear: (error: Error) => void): unknown
  on(event: 'ready' | 'end', hear: () => void): unknown
  subscribe(channel: string, hear: () => void): Promise<void>
}

export interface RedisOptions {
  /** `redis://` or, with TLS, `rediss://`, with user, password and database number where needed. */
  url: string
  /** Before the name of every key. */
  prefix: string
}

const CONNECT_MS = 2_000
const RETRY_MS = 250
/** A command that is not answered within this time shows that nobody is there. */
const SILENT_MS = 2_000
/** For commands that people wait for. */
const FIRST_READY_MS = 5_000

/** Only where it is needed: the client takes a tenth of a second to load. */
async function createClient(url: string): Promise<RedisClient> {
  const { createClient } = await import('@redis/client')
  return createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: () => RETRY_MS, noDelay: true },
  }) as unknown as RedisClient
}

/** Trying again changes nothing. */
const REFUSED = /WRONGPASS|NOAUTH|NOPERM|certificate|ENOTFOUND|ECONNREFUSED/

const REASON_CHARS_MAX = 300
/** What a terminal or a reader of lines would act on: controls, other ends of lines, marks of direction. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** What went wrong, in one printable line: the other side may send anything. */
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

  /** Does not wait for the connection, which may come and go from now on. */
  static async open({ url, prefix }: RedisOptions, onError: (reason: string) => void): Promise<RedisConnection> {
    const client = await createClient(url)
    const connection = new RedisConnection(client, prefix, onError)
    // it goes on trying; each failure is told through 'error'
    client.connect().catch(() => {})
    return connection
  }

  /** For a command: connected, or a sentence. */
  static async openNow(options: RedisOptions): Promise<RedisConnection> {
    const connection = await RedisConnection.open(options, () => {})
    const deadline = Date.now() + FIRST_READY_MS
    while (!connection.isReady && !REFUSED.test(connection.#lastError) && Date.now() < deadline)
      await new Promise(done => setTimeout(done, 20))
    if (connection.isReady) return connection
    connection.close()
    throw new OperatorError(`HSAPI_REDIS_URL: cannot reach the server there: ${connection.#lastError}`)
  }

  get isReady(): boolean {
    return this.#client.isReady
  }

  /** Rejects at once where there is no connection; the reason can be shown as it is. */
  async send(...args: readonly string[]): Promise<unknown> {
    try {
      return await this.#client.sendCommand(args)
    } catch (error) {
      throw new Error(reasonOf(error))
    }
  }

  /** As `send`; silence ends the connection, so that another one is made. */
  async sendOrReconnect(...args: readonly string[]): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${SILENT_MS / 1000} s`)), SILENT_MS)
    })
    try {
      return await Promise.race([this.send(...args), silence])
    } catch (error) {
      if (!this.#isClosed && this.isReady && /no answer within/.test(reasonOf(error))) {
        this.#client.destroy()
        this.#client.connect().catch(() => {})
      }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  onReady(hear: () => void): void {
    this.#client.on('ready', hear)
  }

  /** On a connection that does nothing else. */
  async subscribe(channel: string, hear: () => void): Promise<void> {
    await this.#client.subscribe(channel, hear)
  }

  close(): void {
    this.#isClosed = true
    try {
      this.#client.destroy()
    } catch {
      // it was not open
    }
  }
}
