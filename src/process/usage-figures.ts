/** Collects the figures of /usage on the admin port. */
import type { Gate } from '../gate/gate.js'
import { ROUTE_NAMES } from '../http/server.js'
import type { LeaseTable } from '../leases/lease-table.js'
import { RecentRequests, SAMPLE_MS } from '../metrics/recent.js'
import type { Tally } from '../metrics/tally.js'
import { type SeenReplica, seenReplicas } from '../redis/replicas.js'
import { RESPONSE_KINDS } from '../responses/head.js'
import { VERSION } from '../version.js'
import type { AdminRedis } from './admin-redis.js'
import type { Administration } from './administration.js'
import type { StoreStatusLog } from './leases.js'

export interface UsageFiguresOptions {
  engine: string
  administration: Administration
  gate: Gate
  tallies: readonly Tally[]
  /** Where keys are stored. */
  keys: 'file' | 'redis'
  shared: { redis: AdminRedis; table: LeaseTable; store: StoreStatusLog } | undefined
}

const rounded = (value: number) => Math.round(value * 10) / 10

export class UsageFigures {
  readonly #startedMs = Date.now()
  readonly #recent: RecentRequests
  readonly #timer: NodeJS.Timeout

  constructor(private readonly options: UsageFiguresOptions) {
    this.#recent = new RecentRequests(options.tallies, ROUTE_NAMES.length, RESPONSE_KINDS.length, Date.now())
    this.#timer = setInterval(() => this.#recent.sample(Date.now()), SAMPLE_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async read(): Promise<object> {
    const { engine, administration, gate, tallies, keys } = this.options
    const nowMs = Date.now()
    const recent = this.#recent.read(nowMs)
    const refusals = RESPONSE_KINDS.map(({ status, reason }, i) => ({ code: reason, status, ...recent.kinds[i] }))
    const totals = recent.kinds.reduce((total, kind) => total + kind.total, 0)
    const meta = administration.dataset?.parts.meta
    return {
      at: new Date(nowMs).toISOString(),
      server: {
        version: VERSION,
        engine,
        threads: tallies.length,
        started_at: new Date(this.#startedMs).toISOString(),
        connections: tallies.reduce((total, tally) => total + tally.get('connections'), 0),
        memory_bytes: process.memoryUsage.rss(),
        problem: administration.notReady() ?? (administration.warnings().join('; ') || null),
      },
      dataset: meta && {
        edition: meta.edition,
        version: meta.version,
        records: meta.records,
        snapshot: administration.dataset?.parts.id,
      },
      keys: { active: gate.keyCount, store: keys },
      requests: {
        total: totals,
        recent_seconds: rounded(recent.seconds),
        per_second: rounded(recent.perSecond),
        sample_seconds: SAMPLE_MS / 1000,
        series: recent.series.map(rounded),
      },
      latency: { p50_us: recent.p50Us, p99_us: recent.p99Us, mean_us: recent.meanUs && rounded(recent.meanUs) },
      refusals: refusals.filter(({ code, total = 0 }) => code !== undefined && total > 0),
      redis: await this.#shared(),
    }
  }

  async #shared(): Promise<object | null> {
    const { shared } = this.options
    if (shared === undefined) return null
    const { redis, table, store } = shared
    let seen: SeenReplica[] | null
    try {
      seen = await seenReplicas(await redis.connection())
    } catch {
      seen = null
    }
    const replicas = seen?.map(({ id, agoMs }) => {
      return { id, seen_seconds_ago: rounded(agoMs / 1000), is_this: id === table.replicaId }
    })
    return { is_up: !store.isLost && seen !== null, replicas: replicas ?? null }
  }
}
