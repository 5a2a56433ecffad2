/**
 * The primary that sentinels name. The sentinel client is used only to learn which server is the primary. Its commands would wait
 * for a failover without a time limit, so commands go through a separate connection.
 */
import type { RedisAddress } from './address.js'
import { SingleTransport } from './single.js'
import { CLIENT_OPTIONS, IDLE_MS, loadClient, PING_MS, socketOptions, type Transport, type TransportEvents } from './transport.js'

type Address = Extract<RedisAddress, { kind: 'sentinel' }>

/** Interval for asking who the primary is, in case the message about a failover was lost. */
const SCAN_MS = 5_000

export class SentinelTransport implements Transport {
  private constructor(
    private readonly sentinel: { destroy(): Promise<void> },
    private readonly primary: SingleTransport,
  ) {}

  static async open(address: Address, events: TransportEvents, idleMs: number): Promise<SentinelTransport> {
    const { createSentinel } = await loadClient()
    const primary = await SingleTransport.create(events, idleMs)
    const { login, sentinelLogin, database, tls } = address
    const sentinel = createSentinel({
      name: address.primary,
      sentinelRootNodes: address.sentinels,
      scanInterval: SCAN_MS,
      maxCommandRediscovers: Number.POSITIVE_INFINITY,
      sentinelClientOptions: { ...sentinelLogin, pingInterval: PING_MS, socket: socketOptions(IDLE_MS, tls) },
      // the client also opens a connection to the primary, which is not used
      nodeClientOptions: { ...CLIENT_OPTIONS, ...login, database, socket: socketOptions(0, tls) },
    })
    sentinel.on('error', error => events.note(error))
    sentinel.on('topology-change', ({ type, node }) => {
      if (type === 'MASTER_CHANGE') primary.connect({ ...login, database, tls, socket: node })
    })
    // this promise settles only when the client is closed
    sentinel.connect().catch(() => {})
    return new SentinelTransport(sentinel, primary)
  }

  get isReady(): boolean {
    return this.primary.isReady
  }

  send(args: readonly string[]): Promise<unknown> {
    return this.primary.send(args)
  }

  async reachAll(): Promise<void> {}

  subscribe(channel: string, listener: () => void): Promise<void> {
    return this.primary.subscribe(channel, listener)
  }

  replace(): void {
    this.primary.replace()
  }

  close(): void {
    this.sentinel.destroy().catch(() => {})
    this.primary.close()
  }
}
