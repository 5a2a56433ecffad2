/**
 * The primary that sentinels name. The sentinel client is used only to learn which server is the primary. Its commands would
 * wait for a failover without a time limit, so commands go through a separate connection. The client cannot send commands to
 * the sentinels themselves, so each sentinel also has a connection that is used to confirm the primary.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { RedisAddress } from './address.js'
import { SingleTransport } from './single.js'
import {
  CLIENT_OPTIONS,
  destroy,
  IDLE_MS,
  loadClient,
  PING_MS,
  socketOptions,
  type Transport,
  type TransportEvents,
} from './transport.js'

type Address = Extract<RedisAddress, { kind: 'sentinel' }>
type Client = ReturnType<Awaited<ReturnType<typeof loadClient>>['createClient']>
interface Node {
  host: string
  port: number
}

/** Interval for asking who the primary is, in case the message about a failover was lost. */
const SCAN_MS = 5_000
/** How long the sentinels have to confirm the primary. */
const CONFIRM_MS = 500

export class SentinelTransport implements Transport {
  /** The server to which commands go. */
  #node: Node | undefined

  private constructor(
    private readonly name: string,
    private readonly sentinel: { destroy(): Promise<void> },
    /** One connection to each sentinel. */
    private readonly sentinels: readonly Client[],
    private readonly primary: SingleTransport,
  ) {}

  static async open(address: Address, events: TransportEvents, idleMs: number): Promise<SentinelTransport> {
    const { createClient, createSentinel } = await loadClient()
    const primary = await SingleTransport.create(events, idleMs)
    const { login, sentinelLogin, database, tls } = address
    const sentinelOptions = { ...sentinelLogin, pingInterval: PING_MS }
    const sentinel = createSentinel({
      name: address.primary,
      sentinelRootNodes: address.sentinels,
      scanInterval: SCAN_MS,
      maxCommandRediscovers: Number.POSITIVE_INFINITY,
      sentinelClientOptions: { ...sentinelOptions, socket: socketOptions(IDLE_MS, tls) },
      // the client also opens a connection to the primary, which is not used
      nodeClientOptions: { ...CLIENT_OPTIONS, ...login, database, socket: socketOptions(0, tls) },
    })
    const sentinels = address.sentinels.map(node => {
      const socket = { ...socketOptions(IDLE_MS, tls), ...node }
      const client = createClient({ ...CLIENT_OPTIONS, ...sentinelOptions, socket }) as Client
      client.on('error', error => events.note(error))
      client.connect().catch(() => {})
      return client
    })
    const transport = new SentinelTransport(address.primary, sentinel, sentinels, primary)
    sentinel.on('error', error => events.note(error))
    sentinel.on('topology-change', ({ type, node }) => {
      if (type !== 'MASTER_CHANGE') return
      transport.#node = node
      primary.connect({ ...login, database, tls, socket: node })
    })
    // this promise settles only when the client is closed
    sentinel.connect().catch(() => {})
    return transport
  }

  get isReady(): boolean {
    return this.primary.isReady
  }

  send(args: readonly string[]): Promise<unknown> {
    return this.primary.send(args)
  }

  /**
   * Rejects if most of the sentinels that reply name another primary: a primary that was paused does not know that it has been
   * replaced. If no sentinel replies, the connection is trusted.
   */
  async reachAll(): Promise<void> {
    const node = this.#node
    const asked = this.sentinels.map(client => client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', this.name]))
    const replies = await Promise.all(
      asked.map(reply => Promise.race([reply, wait(CONFIRM_MS, undefined, { ref: false })]).catch(() => undefined)),
    )
    const primaries = replies.filter(reply => Array.isArray(reply))
    const others = primaries.filter(([host, port]) => host !== node?.host || Number(port) !== node?.port)
    if (others.length * 2 > primaries.length) throw new Error('the sentinels name another primary')
  }

  subscribe(channel: string, listener: () => void): Promise<void> {
    return this.primary.subscribe(channel, listener)
  }

  replace(): void {
    this.primary.replace()
  }

  close(): void {
    this.sentinel.destroy().catch(() => {})
    for (const client of this.sentinels) destroy(client)
    this.primary.close()
  }
}
