/** What a thread needs to take leases from a store that replicas share. */
import type { Counters } from '../gate/counters.js'
import { LeaseDesk } from '../gate/lease-desk.js'
import type { LeaseTable } from '../gate/lease-table.js'
import { RedisConnection, type RedisOptions } from '../redis/connection.js'
import { RedisLeases } from '../redis/leases.js'
import type { Log } from './log.js'

/** How long a start waits for the store; without it the server starts all the same. */
const FIRST_MS = 1_000
const FIRST_POLL_MS = 10

export interface Leasing {
  desk: LeaseDesk
  /** Gives back what is not spent. */
  close(): Promise<void>
}

/** Hears when a thread does without the store, and when it asks it again. */
export interface StoreEvents {
  lost(reason: string): void
  back(): void
}

/** Says once that the store is away, however many threads find out, and once that it is back for all of them. */
export class StoreTalk {
  readonly #log: Log
  #away = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether any thread does without it. */
  get isAway(): boolean {
    return this.#away > 0
  }

  lost(reason: string): void {
    if (this.#away++ === 0)
      this.#log(`hsapi: the shared store is away, every replica counts for itself: ${reason}`)
  }

  back(): void {
    if (--this.#away === 0) this.#log('hsapi: the shared store is back, quotas are shared again')
  }
}

/** Comes with the store's first answer, or without. */
export async function openLeasing(
  options: RedisOptions,
  counters: Counters,
  table: LeaseTable,
  events: StoreEvents,
): Promise<Leasing> {
  const connection = await RedisConnection.open(options, reason => desk.lost(reason))
  const desk = new LeaseDesk({
    counters,
    table,
    store: new RedisLeases(connection),
    onLost: reason => events.lost(reason),
    onBack: () => events.back(),
  })
  const deadline = Date.now() + FIRST_MS
  while (!connection.isReady && !desk.isAway && Date.now() < deadline)
    await new Promise(done => setTimeout(done, FIRST_POLL_MS))
  if (!connection.isReady) desk.lost('no connection')
  return {
    desk,
    close: async () => {
      await desk.close()
      connection.close()
    },
  }
}
