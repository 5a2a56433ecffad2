/** Starts several servers that share a store, and sends many requests to all of them. */
import { Agent, request } from 'node:http'
import type { Test } from 'tap'
import { KeyFile } from '../../src/keys/key-file.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import { prepared, type Served, startServe } from './cli.js'
import { makeKey } from './service.js'

export interface Replicas {
  served: Served[]
  ports: number[]
  env: Record<string, string>
  /** Creates a key with these limits and waits until every server knows it. Health requests are not counted. */
  key(limits: Pick<KeyRecord, 'per_minute' | 'per_day'>): Promise<string>
}

export async function startReplicas(
  t: Test,
  count: number,
  redisUrl: string,
  more: Record<string, string> = {},
): Promise<Replicas> {
  const env = { ...(await prepared(t)), HSAPI_REDIS_URL: redisUrl, ...more }
  const file = new KeyFile(env.HSAPI_DATA_DIR as string)
  const firstKey = makeKey('free')
  await file.put([firstKey.record])
  const served = await Promise.all(Array.from({ length: count }, () => startServe(t, env)))
  const ports = served.map(({ url }) => Number(new URL(url).port))
  return {
    served,
    ports,
    env,
    key: async limits => {
      const { key, record } = makeKey('pro', limits)
      await file.put([record])
      for (const port of ports) {
        const deadline = Date.now() + 30_000
        while ((await figures(port, key)).limitDay !== record.per_day) {
          if (Date.now() > deadline) throw new Error(`the server on port ${port} does not know the key`)
          await new Promise(done => setTimeout(done, 50))
        }
      }
      return key
    },
  }
}

export interface Asked {
  status: number
  remainingMinute: number
  remainingDay: number
  limitDay: number
  retryAfter: number
  ms: number
}

const agents = new Map<number, Agent>()

export function ask(port: number, key: string, path = '/api/v1/hs-codes/0101'): Promise<Asked> {
  let agent = agents.get(port)
  if (agent === undefined) {
    agent = new Agent({ keepAlive: true, maxSockets: 8 })
    agents.set(port, agent)
  }
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    request({ host: '127.0.0.1', port, path, agent, headers: { 'x-api-key': key } }, res => {
      res.resume()
      const figure = (name: string) => Number(res.headers[`x-ratelimit-${name}`])
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          remainingMinute: figure('remaining-minute'),
          remainingDay: figure('remaining-day'),
          limitDay: figure('limit-day'),
          retryAfter: Number(res.headers['retry-after'] ?? 0),
          ms: performance.now() - startMs,
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

export const figures = (port: number, key: string) => ask(port, key, '/api/v1/health')

const logCounts = ({ served }: Replicas, line: RegExp) => served.map(({ output }) => output().match(line)?.length ?? 0).join()
export const timesAway = (replicas: Replicas) => logCounts(replicas, /Redis unreachable/g)
const timesBack = (replicas: Replicas) => logCounts(replicas, /Redis reachable again/g)

/** Waits until every replica has logged that the store is reachable again. */
export async function areBack(replicas: Replicas): Promise<void> {
  const deadline = Date.now() + 30_000
  while (timesAway(replicas) !== timesBack(replicas)) {
    if (Date.now() > deadline) throw new Error('the replicas did not reach the store again')
    await new Promise(done => setTimeout(done, 50))
  }
}

/**
 * Does the same as `hammer`, with a new key. If replicas find the store unreachable, because the machine is busy, the run
 * proves nothing and is repeated.
 */
export async function hammerShared(
  replicas: Replicas,
  limits: Pick<KeyRecord, 'per_minute' | 'per_day'>,
  requests: number,
): Promise<Hammered & { key: string }> {
  for (let tries = 1; ; tries++) {
    const key = await replicas.key(limits)
    await areBack(replicas)
    const before = timesAway(replicas)
    const result = await hammer(replicas.ports, key, requests)
    // log lines arrive with a delay
    await new Promise(done => setTimeout(done, 200))
    if (timesAway(replicas) === before || tries === 10) return { ...result, key }
  }
}

export interface Hammered {
  admitted: number
  refused: number
  other: number[]
  remainingMin: number
  slowestMs: number
}

/** Sends `requests` requests, distributed over all ports, as fast as possible. */
export async function hammer(ports: readonly number[], key: string, requests: number): Promise<Hammered> {
  let remaining = requests
  return hammerWhile(ports, key, () => remaining-- > 0)
}

export const emptyResult = (): Hammered => ({
  admitted: 0,
  refused: 0,
  other: [],
  remainingMin: Infinity,
  slowestMs: 0,
})

/**
 * Sends requests as long as `shouldContinue` returns true, with a pause of `paceMs` between them. Updates `result` meanwhile.
 */
export async function hammerWhile(
  ports: readonly number[],
  key: string,
  shouldContinue: () => boolean,
  result = emptyResult(),
  paceMs = 0,
): Promise<Hammered> {
  const lane = async (port: number) => {
    while (shouldContinue()) {
      if (paceMs > 0) await new Promise(done => setTimeout(done, paceMs))
      const { status, remainingMinute, remainingDay, ms } = await ask(port, key)
      if (status === 200) result.admitted++
      else if (status === 429) result.refused++
      else result.other.push(status)
      result.remainingMin = Math.min(result.remainingMin, remainingMinute, remainingDay)
      result.slowestMs = Math.max(result.slowestMs, ms)
    }
  }
  await Promise.all(Array.from({ length: 4 * ports.length }, (_, n) => lane(ports[n % ports.length] as number)))
  return result
}
