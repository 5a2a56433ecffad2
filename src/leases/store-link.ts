/**
 * Tracks whether the store is usable. The store is lost after an error or a late reply. It is up again when it replies in
 * time and has settled.
 */
import type { LeaseStore, Presence } from './lease-store.js'
import type { LeaseTable } from './lease-table.js'

const HEARTBEAT_MS = 1_000
const PROBE_MS = 250
/**
 * Before leases are taken again, every other replica must have reached the store and reported its requests; after a failover
 * some need longer than others. Otherwise the first replica to return would be granted requests that the others have already
 * spent. This is also the longest wait for replicas that were killed.
 */
const GATHER_MS_MAX = 5_000
const SETTLE_MS = 500

/**
 * How long a replica counts as new after the first reply. In this time all others send a heartbeat and learn of the new one.
 */
const NEW_MS = 2 * HEARTBEAT_MS

export interface StoreLinkOptions {
  table: LeaseTable
  store: LeaseStore
  waitMs: number
  now: () => number
  onLost(reason: string): void
  /** Called when the store replies but is not up yet. */
  onAnswer(): void
  onBack(): void
}

export class StoreLink {
  #state: 'up' | 'lost' | 'settling' | 'closed' = 'up'
  #isAnnouncing = false
  /** The time of the first reply since the store was last lost. */
  #firstReplyMs: number | undefined
  /** When a probe of the lost store was first answered within the time limit. */
  #answeredMs: number | undefined
  #isKnownToOthers = false
  #timer: NodeJS.Timeout | undefined
  readonly #heartbeat: NodeJS.Timeout

  constructor(private readonly options: StoreLinkOptions) {
    this.#heartbeat = setInterval(() => {
      if (this.#state === 'up') void this.announce()
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  get isSettling(): boolean {
    return this.#state === 'settling'
  }

  lost(reason: string): void {
    if (this.#state === 'lost' || this.#state === 'closed') return
    const wasUp = this.isUp
    this.#state = 'lost'
    this.#firstReplyMs = undefined
    this.#answeredMs = undefined
    clearTimeout(this.#timer)
    if (wasUp) this.options.onLost(reason)
    void this.announce()
  }

  /** Sends a heartbeat while the store is up, a probe while it is lost. */
  async announce(): Promise<void> {
    if (this.#isAnnouncing || this.#state === 'closed') return
    this.#isAnnouncing = true
    const { store, table, now } = this.options
    const sentMs = now()
    let presence: Presence
    try {
      presence = await store.announce(table.replicaId)
    } catch (error) {
      this.#isAnnouncing = false
      return this.#failed((error as Error).message)
    }
    this.#isAnnouncing = false
    // until all replicas have reconnected, the store may know only some of them
    if (this.isUp) this.#recordPresence(presence)
    else if (this.#state === 'lost') this.#answered(now() - sentMs, presence.silentMs)
  }

  #recordPresence(presence: Presence): void {
    const { table, now } = this.options
    table.presence = presence
    this.#firstReplyMs ??= now()
    this.#isKnownToOthers ||= presence.replicas === 1 || now() - this.#firstReplyMs >= NEW_MS
    table.isNew = !this.#isKnownToOthers
  }

  #failed(reason: string): void {
    if (this.#state !== 'lost') return this.lost(reason)
    this.#answeredMs = undefined
    this.#schedule(PROBE_MS, () => void this.announce())
  }

  #answered(tookMs: number, silentMs: number): void {
    const { onAnswer, waitMs, now } = this.options
    onAnswer()
    // after a late reply, the store is probed again
    if (tookMs > waitMs) return void this.announce()
    this.#answeredMs ??= now() - tookMs
    const elapsedMs = now() - this.#answeredMs
    if (silentMs > elapsedMs && elapsedMs < GATHER_MS_MAX) return this.#schedule(PROBE_MS, () => void this.announce())
    this.#state = 'settling'
    this.#schedule(SETTLE_MS, () => {
      this.#state = 'up'
      this.options.onBack()
      void this.announce()
    })
  }

  #schedule(ms: number, action: () => void): void {
    this.#timer = setTimeout(action, ms)
    this.#timer.unref()
  }

  close(): void {
    this.#state = 'closed'
    clearInterval(this.#heartbeat)
    clearTimeout(this.#timer)
  }
}
