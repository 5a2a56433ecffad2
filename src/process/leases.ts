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

/** Comes with the store's first answer, or without. `log` is told when the store goes away and when it is back. */
export async function openLeasing(
  options: RedisOptions,
  counters: Counters,
  table: LeaseTable,
  log: Log,
): Promise<Leasing> {
  const connection = await RedisConnection.open(options, reason => desk.lost(reason))
  const desk = new LeaseDesk({
    counters,
    table,
    store: new RedisLeases(connection),
    onLost: reason => log(`hsapi: the shared store is away, every replica counts for itself: ${reason}`),
    onBack: () => log('hsapi: the shared store is back, quotas are shared again'),
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
