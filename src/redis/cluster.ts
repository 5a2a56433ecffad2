/** A Redis Cluster. All names that a script uses share a hash tag, so each command goes to one server. */
import { setTimeout as wait } from 'node:timers/promises'
import type { RedisAddress } from './address.js'
import {
  CLIENT_OPTIONS,
  destroy,
  IDLE_MS,
  loadClient,
  PING_MS,
  RETRY_MS,
  socketOptions,
  type Transport,
  type TransportEvents,
} from './transport.js'

type Address = Extract<RedisAddress, { kind: 'cluster' }>
type Cluster = ReturnType<Awaited<ReturnType<typeof loadClient>>['createCluster']>

const REDIRECTIONS_MAX = 4

/** Commands without a key, which any server answers. */
const KEYLESS: readonly string[] = ['INFO', 'TIME', 'PING']
/** The key of EVAL and EVALSHA comes after the script and the number of keys. */
const keyOf = (args: readonly string[]) => (args[0]?.startsWith('EVAL') ? args[3] : args[1])

export class ClusterTransport implements Transport {
  #isClosed = false

  private constructor(private readonly cluster: Cluster) {}

  static async open({ nodes, login, tls }: Address, events: TransportEvents): Promise<ClusterTransport> {
    const { createCluster } = await loadClient()
    const cluster = createCluster({
      rootNodes: nodes.map(node => ({ socket: node })),
      defaults: {
        ...CLIENT_OPTIONS,
        ...login,
        pingInterval: PING_MS,
        socket: socketOptions(IDLE_MS, tls),
      },
      // otherwise the client would wait for all servers when it connects, even for one that is gone
      minimizeConnections: true,
      maxCommandRedirections: REDIRECTIONS_MAX,
      topologyRefreshOnReconnectionAttemptStrategy: RETRY_MS,
    }) as Cluster
    const transport = new ClusterTransport(cluster)
    cluster.on('error', error => events.note(error))
    cluster.on('node-error', error => events.lost(error))
    cluster.on('connect', () => events.ready())
    void transport.#connect()
    return transport
  }

  async #connect(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.cluster.connect()
        return
      } catch {
        // each server's error was already reported by an 'error' event
        if (this.cluster.isOpen) return
        await wait(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  get isReady(): boolean {
    return this.cluster.isReady
  }

  async send(args: readonly string[]): Promise<unknown> {
    if (!KEYLESS.includes(args[0] as string)) return await this.cluster.sendCommand(keyOf(args), false, [...args])
    const client = await this.cluster.nodeClient(this.cluster.getRandomNode())
    return await client.sendCommand(args)
  }

  async reachAll(): Promise<void> {
    const { cluster } = this
    await Promise.all(cluster.masters.map(async node => (await cluster.nodeClient(node)).sendCommand(['PING'])))
  }

  async subscribe(channel: string, listener: () => void): Promise<void> {
    await this.cluster.subscribe(channel, listener)
  }

  replace(): void {
    destroy(this.cluster)
    void this.#connect()
  }

  close(): void {
    this.#isClosed = true
    destroy(this.cluster)
  }
}
