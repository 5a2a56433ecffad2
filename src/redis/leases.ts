/** Leases out of Redis: one script call a question. */
import { createHash } from 'node:crypto'
import type { Lease, LeaseAsk, LeaseStore, Windows } from '../gate/lease-store.js'
import type { RedisConnection } from './connection.js'
import { LEASE_SCRIPT } from './lease-script.js'

const SCRIPT_SHA = createHash('sha1').update(LEASE_SCRIPT).digest('hex')
const PROBE_MS = '60000'

/** Where a key's windows are. In braces, the part that decides on the place in a cluster. */
export function windowsName(prefix: string, keyId: string): string {
  return `${prefix}use:{${keyId}}`
}

export class RedisLeases implements LeaseStore {
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  async ask(ask: LeaseAsk): Promise<Lease> {
    const { minuteStartMs, minuteCount, day, dayCount } = ask.known
    const numbers = [
      ask.waiting,
      ask.ahead,
      ask.limitMinute,
      ask.limitDay,
      ask.back,
      ask.spentMinute,
      ask.spentDay,
    ]
    const args = [...numbers, minuteStartMs, minuteCount, day, dayCount, ask.isWhole ? 1 : 0].map(String)
    const [granted, m, mc, d, dc, nowMs] = (await this.#run(
      windowsName(this.#connection.prefix, ask.keyId),
      args,
    )) as [number, number, number, number, number, number]
    return { granted, minuteStartMs: m, minuteCount: mc, day: d, dayCount: dc, nowMs }
  }

  /** A store that was restarted or flushed has forgotten the script. */
  async #run(name: string, args: string[]): Promise<unknown> {
    try {
      return await this.#connection.send('EVALSHA', SCRIPT_SHA, '1', name, ...args)
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return await this.#connection.send('EVAL', LEASE_SCRIPT, '1', name, ...args)
    }
  }

  async probe(): Promise<void> {
    const { prefix } = this.#connection
    await this.#connection.sendOrReconnect('SET', `${prefix}probe`, '1', 'PX', PROBE_MS)
  }

  /** What the store knows of a key's use, if anything. */
  async look(keyId: string): Promise<Windows | undefined> {
    const name = windowsName(this.#connection.prefix, keyId)
    const fields = (await this.#connection.send('HMGET', name, 'm', 'mc', 'd', 'dc')) as (string | null)[]
    if (fields[0] === null) return undefined
    const [minuteStartMs, minuteCount, day, dayCount] = fields.map(Number) as [number, number, number, number]
    return { minuteStartMs, minuteCount, day, dayCount }
  }
}
