/** Gets leases from Redis, each with one call of a script. */
import { createHash } from 'node:crypto'
import {
  DamagedKeyError,
  type Lease,
  type LeaseRequest,
  type LeaseStore,
  type Presence,
  type WindowCounts,
} from '../leases/lease-store.js'
import type { RedisConnection } from './connection.js'
import { LEASE_SCRIPT, PRESENCE_SCRIPT, replicasName } from './scripts.js'

const scriptOf = (text: string) => ({ text, sha: createHash('sha1').update(text).digest('hex') })
const LEASE = scriptOf(LEASE_SCRIPT)
const PRESENCE = scriptOf(PRESENCE_SCRIPT)

const COUNT_MAX = 2 ** 31 - 1

/** Returns the name of a key's counts; the braces are the hash tag for a cluster. */
export function windowsName(prefix: string, keyId: string): string {
  return `${prefix}use:{${keyId}}`
}

/** Returns undefined unless the answer is a list of `count` non-negative integers. */
function wholeNumbers(answer: unknown, count: number): number[] | undefined {
  const isSound = Array.isArray(answer) && answer.length === count && answer.every(n => Number.isSafeInteger(n) && n >= 0)
  return isSound ? answer : undefined
}

function readLease(answer: unknown, { waiting, prefetch }: LeaseRequest): Lease {
  const numbers = wholeNumbers(answer, 6)
  if (numbers === undefined) throw new DamagedKeyError('the answer is not six whole numbers')
  const [granted, minuteStartMs, minuteCount, day, dayCount, nowMs] = numbers as [number, number, number, number, number, number]
  const isPossible =
    granted <= Math.min(waiting + prefetch, minuteCount, dayCount) && Math.max(minuteCount, day, dayCount) <= COUNT_MAX
  if (!isPossible) throw new DamagedKeyError(`the answer is impossible: ${numbers}`)
  return { granted, minuteStartMs, minuteCount, day, dayCount, nowMs }
}

export class RedisLeases implements LeaseStore {
  constructor(private readonly connection: Pick<RedisConnection, 'prefix' | 'send' | 'sendOrReconnect' | 'reachAll'>) {}

  async lease(request: LeaseRequest): Promise<Lease> {
    const { minuteStartMs, minuteCount, day, dayCount } = request.known
    const numbers = [
      request.waiting,
      request.prefetch,
      request.limitMinute,
      request.limitDay,
      request.returned,
      request.unreportedMinute,
      request.unreportedDay,
      minuteStartMs,
      minuteCount,
      day,
      dayCount,
      request.isAllOrNothing ? 1 : 0,
    ]
    const name = windowsName(this.connection.prefix, request.keyId)
    try {
      const send = (...args: string[]) => this.connection.send(...args)
      return readLease(await this.#run(LEASE, send, name, numbers.map(String)), request)
    } catch (error) {
      const { message } = error as Error
      throw message.includes('WRONGTYPE') ? new DamagedKeyError(message) : error
    }
  }

  async announce(replicaId: string): Promise<Presence> {
    const send = (...args: string[]) => this.connection.sendOrReconnect(...args)
    // in a cluster, counts are spread over all servers, but the list of replicas is on one of them: a replica announces itself
    // only if it reaches every server
    await this.connection.reachAll()
    const answer = await this.#run(PRESENCE, send, replicasName(this.connection.prefix), [replicaId])
    const [replicas = 0, rank = 0, silentMs = 0] = wholeNumbers(answer, 3) ?? []
    if (rank >= replicas || replicas > COUNT_MAX) throw new Error('the number of replicas is impossible')
    return { replicas, rank, silentMs }
  }

  /** Sends the whole script if Redis does not have it, as after a restart. */
  async #run(
    { text, sha }: ReturnType<typeof scriptOf>,
    send: (...args: string[]) => Promise<unknown>,
    name: string,
    args: string[],
  ): Promise<unknown> {
    try {
      return await send('EVALSHA', sha, '1', name, ...args)
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return await send('EVAL', text, '1', name, ...args)
    }
  }

  async look(keyId: string): Promise<WindowCounts | undefined> {
    const name = windowsName(this.connection.prefix, keyId)
    const fields = (await this.connection.send('HMGET', name, 'm', 'mc', 'd', 'dc')) as (string | null)[]
    if (fields[0] === null) return undefined
    const numbers = wholeNumbers(fields.map(Number), 4)
    if (numbers === undefined) throw new DamagedKeyError(`${name} has a value that is not a count`)
    const [minuteStartMs, minuteCount, day, dayCount] = numbers as [number, number, number, number]
    return { minuteStartMs, minuteCount, day, dayCount }
  }
}
