/** Changes to a running server: datasets, certificates, keys, faults. */
import { snapshotInUse } from '../snapshot-in-use.js'
import type { Administration, Controls } from './administration.js'
import { CertificateInUse } from './certificate.js'
import type { ReloadResult } from './data-folder.js'
import { setSocketMode } from './listen.js'
import { openOperator } from './operator.js'
import type { Parts } from './parts.js'
import { Reloader, type Stamps } from './reload.js'
import { type ServedParts, serveDataset } from './served-catalog.js'

/** Switches to another dataset; settles once every thread serves it. */
export type Swap = (parts: ServedParts, loadSeconds: number) => Promise<void>

export function swapper({ config, server, workers, clock }: Parts, administration: Administration): Swap {
  return async (parts, loadSeconds) => {
    await serveDataset(server, parts, config)
    await workers.apply({ snapshot: parts })
    administration.dataset = { parts, loadSeconds, sinceMs: clock.now() }
  }
}

/**
 * Must be called after all threads have started, because a change would not reach a thread that is still starting. `stamps`
 * identify the versions of the files in use.
 */
export function openControls(parts: Parts, administration: Administration, stamps: Stamps, swap: Swap): Controls {
  connectChaos(parts)
  const operator = operatorOf(parts, administration)
  const reloader = openReloader(parts, stamps, swap)
  const certificate = certificateOf(parts)
  const reload = async (): Promise<ReloadResult> => {
    const renewed = await certificate?.reload()
    const { isLoaded, message } = await reloader.reload()
    if (renewed === undefined) return { isLoaded, message }
    return { isLoaded: isLoaded && renewed.isLoaded, message: `${message}; ${renewed.message}` }
  }
  return { operator, reload, reloads: reloader, certificate }
}

function connectChaos({ chaosControl, chaos, workers }: Parts): void {
  if (chaosControl === undefined) return
  chaosControl.applyEverywhere = async (expression, plan) => {
    chaos?.setPlan(plan)
    await workers.apply({ chaos: expression })
  }
}

function operatorOf(parts: Parts, administration: Administration): Controls['operator'] {
  const { config, engine, teardown, keys, workers } = parts
  if (config.admin === undefined) return undefined
  const applyKeys = async () => {
    await keys.checkForChanges()
    await workers.confirmKeys()
  }
  const { gate, counters, tallies, sharedLeases: leases, clock, log } = parts
  return openOperator(
    { config, engine: engine.name, administration, gate, counters, tallies, leases, clock, applyKeys, log },
    teardown,
  )
}

function openReloader({ config, log, teardown }: Parts, stamps: Stamps, swap: Swap): Reloader {
  const reloader = new Reloader({
    locate: () => snapshotInUse(config).file,
    decisions: config.decisions,
    stamps,
    shared: config.workers > 1,
    swap,
    log,
  })
  teardown.push('rest', () => reloader.stop())
  if (config.watch) reloader.watch()
  return reloader
}

/** Returns undefined without TLS. */
function certificateOf({ config, server, workers, log }: Parts): CertificateInUse | undefined {
  const { tls, socket } = config
  const renew = async () => {
    await server.renewCertificate()
    if (socket !== undefined) await setSocketMode(socket)
    await workers.apply({ renewCertificate: true })
  }
  return tls && new CertificateInUse(tls, renew, log)
}
