import type { AdminTarget } from '../admin/listener.js'
import { renderMetrics } from '../admin/metrics.js'
import type { Gate } from '../gate/gate.js'
import { ROUTE_NAMES } from '../http/server.js'
import type { LeaseTable } from '../leases/lease-table.js'
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
}

export class Administration implements AdminTarget {
  readonly #startedMs = Date.now()
  dataset: { parts: SnapshotParts; loadSeconds: number } | undefined
  isStopping = false
  /** Set once the first snapshot is loaded. */
  reload: () => Promise<ReloadResult> = async () => ({ isLoaded: false, message: 'the server is still starting' })

  constructor(private readonly options: AdministrationOptions) {}

  get chaos(): ChaosControl | undefined {
    return this.options.chaos
  }

  notReady(): string | undefined {
    if (this.isStopping) return 'stopping'
    if (this.dataset === undefined) return 'starting'
    return this.options.gate.hasKeys ? undefined : 'no keys are known yet'
  }

  /** A problem that does not stop requests. */
  warning(): string | undefined {
    const problem = this.options.usage?.problem
    return problem && `counts are not being saved: ${problem}`
  }

  metrics(): string {
    const { engine, gate, tallies, leases, usage } = this.options
    const figures = leases?.table.figures
    return renderMetrics({
      tallies,
      routes: ROUTE_NAMES,
      kinds: RESPONSE_KINDS,
      version: VERSION,
      engine,
      startedMs: this.#startedMs,
      dataset: this.dataset,
      keys: gate.keyCount,
      usage: { failures: usage?.failures ?? 0, isFailing: usage?.problem !== undefined },
      store: leases && figures && { isUp: !leases.store.isLost, ...figures, seconds: figures.tripTicks / TICKS_PER_SECOND },
      hasChaos: this.chaos !== undefined,
    })
  }
}
