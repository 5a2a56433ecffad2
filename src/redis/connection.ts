/**
 * A connection to Redis or Valkey that reconnects by itself. A command that cannot be sent fails at once, so that requests do
 * not wait for it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../errors.js'
import { type RedisAddress, readAddress } from './address.js'
import { ClusterTransport } from './cluster.js'
import { SentinelTransport } from './sentinel.js'
import { SingleTransport } from './single.js'
import { IDLE_MS, type Transport, type TransportEvents } from './transport.js'

export interface RedisOptions {
  url: string
  /** Prefix of every name in Redis. */
  prefix: string
}

/** After this time without a reply the connection is replaced. */
const REPLY_MS_MAX = 2_000
const NO_REPLY = Symbol('no answer')
/** How long a command of the command line waits for a connection. */
const FIRST_READY_MS = 5_000
/** The same for Sentinel and Cluster: longer than a failover usually takes. */
const FIRST_READY_OF_SEVERAL_MS = 20_000
const READY_POLL_MS = 10

/** Errors that retrying does not fix. */
const PERMANENT_ERROR = /WRONGPASS|NOAUTH|NOPERM|certificate|No such master/
/** These errors are permanent only if there is no other server to try. */
const NOT_THERE = /ENOTFOUND|ECONNREFUSED/

const REASON_CHARS_MAX = 300
/** Control characters, line separators and bidirectional controls. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The reason as one printable line, because the server may send any characters. */
function reasonOf(error: unknown): string {
  const { message, code, name } = typeof error === 'string' ? { message: error } : (error as Partial<NodeJS.ErrnoException>)
  return (message || code || name || 'unknown').slice(0, REASON_CHARS_MAX).replace(UNPRINTABLE, '?')
}

async function openTransport(address: RedisAddress, events: TransportEvents, idleMs: number): Promise<Transport> {
  if (address.kind === 'cluster') return ClusterTransport.open(address, events)
  if (address.kind === 'sentinel') return SentinelTransport.open(address, events, idleMs)
  const single = await SingleTransport.create(events, idleMs)
  single.connect({ url: address.url })
  return single
}

export class RedisConnection {
  #transport!: Transport
  readonly #readyListeners: (() => void)[] = []
  #isClosed = false
  #lastError = 'not connected'

  private constructor(readonly prefix: string) {}

  /** Does not wait for the connection. With `idleMs` 0, the connection may be silent for any time. */
  static async open(
    { url, prefix }: RedisOptions,
    onError: (reason: string) => void,
    idleMs = IDLE_MS,
  ): Promise<RedisConnection> {
    const connection = new RedisConnection(prefix)
    const note = (error: unknown) => {
      connection.#lastError = reasonOf(error)
    }
    const events: TransportEvents = {
      note,
      lost: error => {
        note(error)
        if (!connection.#isClosed) onError(connection.#lastError)
      },
      ready: () => {
        for (const listener of connection.#readyListeners) listener()
      },
    }
    connection.#transport = await openTransport(readAddress(url, 'HSAPI_REDIS_URL'), events, idleMs)
    return connection
  }

  /** For the command line: waits for the connection, or throws an `OperatorError`. */
  static async openNow(options: RedisOptions): Promise<RedisConnection> {
    const connection = await RedisConnection.open(options, () => {}, 0)
    const isSingle = readAddress(options.url, 'HSAPI_REDIS_URL').kind === 'single'
    const isGivenUp = () => PERMANENT_ERROR.test(connection.#lastError) || (isSingle && NOT_THERE.test(connection.#lastError))
    if (await connection.ready(isSingle ? FIRST_READY_MS : FIRST_READY_OF_SEVERAL_MS, isGivenUp)) return connection
    connection.close()
    throw new OperatorError(`HSAPI_REDIS_URL: cannot reach the server: ${connection.#lastError}`)
  }

  get isReady(): boolean {
    return this.#transport.isReady
  }

  /**
   * Waits for the connection until `waitMs` have passed or `isGivenUp` returns true; returns whether the connection is ready.
   */
  async ready(waitMs: number, isGivenUp = () => false): Promise<boolean> {
    const deadline = Date.now() + waitMs
    while (!this.isReady && !isGivenUp() && Date.now() < deadline) await wait(READY_POLL_MS)
    return this.isReady
  }

  /** The last error, which is the reason if there is no connection. */
  get lastError(): string {
    return this.#lastError
  }

  /** Rejects at once without a connection, with a printable message. */
  async send(...args: readonly string[]): Promise<unknown> {
    const wasReady = this.isReady
    try {
      return await this.#transport.send(args)
    } catch (error) {
      // without a connection, the client's error gives no reason
      throw new Error(wasReady ? reasonOf(error) : this.#lastError)
    }
  }

  /** Like `send`, but replaces the connection if there is no reply. */
  sendOrReconnect(...args: readonly string[]): Promise<unknown> {
    return this.#replyOrReconnect(this.send(...args))
  }

  /**
   * Rejects if a server of a cluster does not reply, or if sentinels name another primary. If there is no reply in time, the
   * connections are replaced.
   */
  async reachAll(): Promise<void> {
    const reached = this.#transport.reachAll().catch(error => {
      throw new Error(reasonOf(error))
    })
    await this.#replyOrReconnect(reached)
  }

  async #replyOrReconnect(reply: Promise<unknown>): Promise<unknown> {
    const silence = wait(REPLY_MS_MAX, NO_REPLY, { ref: false })
    const answer = await Promise.race([reply, silence])
    if (answer !== NO_REPLY) return answer
    if (!this.#isClosed && this.isReady) this.#transport.replace()
    throw new Error(`no answer within ${REPLY_MS_MAX / 1000} s`)
  }

  onReady(listener: () => void): void {
    this.#readyListeners.push(listener)
  }

  /** After this, the connection cannot send other commands. */
  async subscribe(channel: string, listener: () => void): Promise<void> {
    await this.#transport.subscribe(channel, listener)
  }

  close(): void {
    this.#isClosed = true
    this.#transport.close()
  }
}
