import type { AdminTarget } from '../admin/listener.js'
import { renderMetrics } from '../admin/metrics.js'
import type { Gate } from '../gate/gate.js'
import { ROUTE_NAMES } from '../http/server.js'
import type { LeaseTable } from '../leases/lease-table.js'
import { type DayCounts, SEARCH_COUNT_MIN, searchedDays } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import { RESPONSE_KINDS } from '../responses/head.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import { VERSION } from '../version.js'
import type { ChaosControl } from './chaos.js'
import type { ReloadResult } from './data-folder.js'
import type { StoreStatusLog } from './leases.js'

const TICKS_PER_SECOND = 100_000

export interface AdministrationOptions {
  engine: string
  gate: Gate
  tallies: readonly Tally[]
  leases: { table: LeaseTable; store: StoreStatusLog } | undefined
  chaos: ChaosControl | undefined
  usage: { readonly failures: number; readonly problem: string | undefined } | undefined
  /** Lines of the server log that could not be written. */
  logDropped(): number
  isAfterKill: boolean
  /** Of every thread; undefined without HSAPI_SEARCHES. */
  searches: (() => Promise<DayCounts[][]>) | undefined
}

export class Administration implements AdminTarget {
  readonly #startedMs = Date.now()
  dataset: { parts: SnapshotParts; loadSeconds: number } | undefined
  isStopping = false
  page: AdminTarget['page']
  /** Set once changes of keys reach all threads. */
  operator: AdminTarget['operator']
  /** Set once the first snapshot is loaded, as the two below. */
  reload: () => Promise<ReloadResult> = async () => ({ isLoaded: false, message: 'the server is still starting' })
  reloads: { readonly loaded: number; readonly refused: number; readonly problem: string | undefined } | undefined
  certificate: { readonly endsMs: number } | undefined

  constructor(private readonly options: AdministrationOptions) {}

  get chaos(): ChaosControl | undefined {
    return this.options.chaos
  }

  notReady(): string | undefined {
    if (this.isStopping) return 'stopping'
    if (this.dataset === undefined) return 'starting'
    return this.options.gate.hasKeys ? undefined : 'no keys are known yet'
  }

  /** Problems that do not stop requests. */
  warning(): string | undefined {
    const { usage } = this.options
    const warnings: string[] = []
    if (usage?.problem !== undefined) warnings.push(`counts are not being saved: ${usage.problem}`)
    if (this.reloads?.problem !== undefined) warnings.push(`the last reload was refused: ${this.reloads.problem}`)
    if (this.certificate !== undefined && this.certificate.endsMs < Date.now()) warnings.push('the certificate has expired')
    return warnings.length === 0 ? undefined : warnings.join('; ')
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
    const { engine, gate, tallies, leases, usage, logDropped, isAfterKill } = this.options
    const figures = leases?.table.figures
    return renderMetrics({
      tallies,
      routes: ROUTE_NAMES,
      kinds: RESPONSE_KINDS,
      version: VERSION,
      engine,
      startedMs: this.#startedMs,
      isAfterKill,
      dataset: this.dataset,
      reloads: {
        loaded: this.reloads?.loaded ?? 0,
        refused: this.reloads?.refused ?? 0,
        isRefused: this.reloads?.problem !== undefined,
      },
      certificateEndsMs: this.certificate?.endsMs,
      logDropped: logDropped(),
      keys: gate.keyCount,
      usage: { failures: usage?.failures ?? 0, isFailing: usage?.problem !== undefined },
      store: leases && figures && { isUp: !leases.store.isLost, ...figures, seconds: figures.tripTicks / TICKS_PER_SECOND },
      hasChaos: this.chaos !== undefined,
    })
  }
}
