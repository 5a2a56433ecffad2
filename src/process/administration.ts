import type { AdminTarget } from '../admin/listener.js'
import { renderMetrics } from '../admin/metrics.js'
import { isoSeconds } from '../clock.js'
import type { EngineDecision } from '../engines/engines.js'
import type { Gate } from '../gate/gate.js'
import { ROUTE_NAMES } from '../http/server.js'
import type { LeaseTable } from '../leases/lease-table.js'
import type { BusiestKeys } from '../metrics/busiest-keys.js'
import { type DayCounts, SEARCH_COUNT_MIN, searchedDays } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import { RESPONSE_KINDS } from '../responses/head.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import { VERSION } from '../version.js'
import type { ChaosControl } from './chaos.js'
import type { ReloadResult } from './data-folder.js'
import type { KeySource } from './key-source.js'
import type { StoreStatusLog } from './leases.js'

const TICKS_PER_SECOND = 100_000

const named = (name: string, problem: string | undefined): string[] => (problem === undefined ? [] : [`${name}: ${problem}`])

export interface AdministrationOptions {
  engine: EngineDecision
  gate: Gate
  tallies: readonly Tally[]
  leases: { table: LeaseTable; store: StoreStatusLog } | undefined
  chaos: ChaosControl | undefined
  usage: { readonly failures: number; readonly problem: string | undefined } | undefined
  /** Returns the number of log lines that could not be written. */
  logDropped(): number
  isAfterKill: boolean
  keys: Pick<KeySource, 'problem' | 'isDamaged'>
  /** Counts of every thread; undefined without HSAPI_SEARCHES. */
  searches: (() => Promise<DayCounts[][]>) | undefined
  page: AdminTarget['page']
  busiestKeys: BusiestKeys
}

/** Functions that are available only once all threads answer requests. */
export interface Controls {
  operator: AdminTarget['operator']
  reload(): Promise<ReloadResult>
  reloads: { readonly loaded: number; readonly refused: number; readonly problem: string | undefined }
  /** Undefined without TLS. */
  certificate: { readonly endsMs: number } | undefined
}

export class Administration implements AdminTarget {
  readonly #startedMs = Date.now()
  dataset: { parts: SnapshotParts; loadSeconds: number; sinceMs: number } | undefined
  isStopping = false
  /** Set once all threads have started. */
  controls: Controls | undefined

  constructor(private readonly options: AdministrationOptions) {}

  get page(): AdminTarget['page'] {
    return this.options.page
  }

  get operator(): AdminTarget['operator'] {
    return this.controls?.operator
  }

  async reload(): Promise<ReloadResult> {
    return this.controls?.reload() ?? { isLoaded: false, message: 'the server is still starting' }
  }

  get chaos(): ChaosControl | undefined {
    return this.options.chaos
  }

  notReady(): string | undefined {
    if (this.isStopping) return 'stopping'
    if (this.dataset === undefined) return 'starting'
    return this.options.gate.hasKeys ? undefined : 'no keys are known yet'
  }

  inUse(): string | undefined {
    if (this.dataset === undefined) return undefined
    const { parts, sinceMs } = this.dataset
    return `snapshot: ${parts.id}, version ${parts.meta.version}, in use since ${isoSeconds(sinceMs)}`
  }

  /** Problems that do not stop the server, each preceded by the name of the affected part. */
  warnings(): string[] {
    const { usage, keys, gate, leases, engine } = this.options
    const { reloads, certificate } = this.controls ?? {}
    const isExpired = certificate !== undefined && certificate.endsMs < Date.now()
    return [
      named('keys', keys.problem),
      named('keys', gate.keyCount === 0 ? 'no key is active; "hsapi keys create" creates one' : undefined),
      named('counts', usage?.problem && `not being saved: ${usage.problem}`),
      named('redis', leases?.store.problem && `unreachable, quotas are local: ${leases.store.problem}`),
      named('reload', reloads?.problem && `the last reload was refused: ${reloads.problem}`),
      named('certificate', isExpired ? 'expired' : undefined),
      named('engine', engine.name === 'uws' ? undefined : `node:http instead of uWebSockets.js: ${engine.reason}`),
    ].flat()
  }

  get searches(): AdminTarget['searches'] {
    const { searches } = this.options
    return (
      searches &&
      (async limit => ({
        since: new Date(this.#startedMs).toISOString(),
        count_min: SEARCH_COUNT_MIN,
        days: searchedDays(await searches(), Date.now(), limit),
      }))
    )
  }

  metrics(): string {
    const { engine, gate, tallies, leases, usage, logDropped, isAfterKill, keys } = this.options
    const { reloads, certificate } = this.controls ?? {}
    const figures = leases?.table.figures
    return renderMetrics({
      tallies,
      routes: ROUTE_NAMES,
      kinds: RESPONSE_KINDS,
      version: VERSION,
      engine: engine.name,
      startedMs: this.#startedMs,
      isAfterKill,
      dataset: this.dataset,
      reloads: {
        loaded: reloads?.loaded ?? 0,
        refused: reloads?.refused ?? 0,
        isRefused: reloads?.problem !== undefined,
      },
      certificateEndsMs: certificate?.endsMs,
      logDropped: logDropped(),
      isReady: this.notReady() === undefined,
      keys: gate.keyCount,
      isKeySourceFailing: keys.problem !== undefined,
      isKeyFileDamaged: keys.isDamaged,
      usage: { failures: usage?.failures ?? 0, isFailing: usage?.problem !== undefined },
      store: leases && figures && { isUp: !leases.store.isLost, ...figures, seconds: figures.tripTicks / TICKS_PER_SECOND },
      hasChaos: this.chaos !== undefined,
      busiestKeys: this.options.busiestKeys.list(),
    })
  }
}
