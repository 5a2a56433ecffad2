/** A connection to one Redis server. */
import { CLIENT_OPTIONS, destroy, loadClient, socketOptions, type Transport, type TransportEvents } from './transport.js'

type Library = Awaited<ReturnType<typeof loadClient>>
type Client = ReturnType<Library['createClient']>
type Options = NonNullable<Parameters<Library['createClient']>[0]>

export class SingleTransport implements Transport {
  #client: Client | undefined

  private constructor(
    private readonly library: Library,
    private readonly events: TransportEvents,
    private readonly idleMs: number,
  ) {}

  /** Does not connect until `connect` is called. */
  static async create(events: TransportEvents, idleMs: number): Promise<SingleTransport> {
    return new SingleTransport(await loadClient(), events, idleMs)
  }

  /** Connects to this server instead of the previous one. Retries by itself. */
  connect({ socket, tls, ...options }: Options & { tls?: boolean }): void {
    destroy(this.#client)
    const client = this.library.createClient({
      ...CLIENT_OPTIONS,
      ...options,
      socket: { ...socketOptions(this.idleMs, tls), ...socket } as NonNullable<Options['socket']>,
    }) as Client
    this.#client = client
    client.on('error', error => {
      if (client === this.#client) this.events.lost(error)
    })
    client.on('ready', () => {
      if (client === this.#client) this.events.ready()
    })
    // failures are reported as 'error' events
    client.connect().catch(() => {})
  }

  get isReady(): boolean {
    return this.#client?.isReady ?? false
  }

  async send(args: readonly string[]): Promise<unknown> {
    if (this.#client === undefined) throw new Error('not connected')
    return await this.#client.sendCommand(args)
  }

  async reachAll(): Promise<void> {}

  /** After this, the connection cannot send other commands. */
  async subscribe(channel: string, listener: () => void): Promise<void> {
    await this.#client?.subscribe(channel, listener)
  }

  replace(): void {
    const client = this.#client
    destroy(client)
    client?.connect().catch(() => {})
  }

  close(): void {
    destroy(this.#client)
  }
}
