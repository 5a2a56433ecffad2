/** Starts and stops a server. */
import { AdminListener } from '../admin/listener.js'
import { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import { decideEngine, type EngineDecision } from '../engines/engines.js'
import { OperatorError } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import type { Server } from '../http/server.js'
import { LeaseTable } from '../leases/lease-table.js'
import { Tally } from '../metrics/tally.js'
import { Counters } from '../quotas/counters.js'
import { UsageFile } from '../quotas/usage-file.js'
import type { Config } from '../settings/config.js'
import { threadSettings } from '../settings/table.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { decodeParts, type StampedBytes } from '../snapshot/load.js'
import { snapshotInUse } from '../snapshot-in-use.js'
import { Administration } from './administration.js'
import { ChaosControl } from './chaos.js'
import { collectSoon } from './collect.js'
import { ServerClaim } from './data-folder.js'
import { openExplorer } from './explorer.js'
import { createFirstKey, showFirstKey } from './first-key.js'
import { type KeySource, openKeys } from './key-source.js'
import { StoreStatusLog } from './leases.js'
import type { Log } from './log.js'
import { addressOf, findPortToShare, whyNotListening } from './port.js'
import { Reloader } from './reload.js'
import { UsageSaver } from './save-usage.js'
import { Teardown } from './teardown.js'
import { openThread } from './thread.js'
import { listenOnSocket } from './unix-socket.js'
import type { WorkerStart } from './worker.js'
import { WorkerPool } from './worker-pool.js'

/** For keys created while the server runs; reserved memory costs nothing until it is touched. */
const SLOTS_SPARE = 1_048_576

export interface Running {
  url: string
  /** Settles with the reason once only a restart helps. */
  broken: Promise<string>
  reload(): Promise<void>
  /** After the access log was moved away. */
  reopenLog(): Promise<void>
  /** Returns whether nothing was lost; losses are logged. */
  stop(): Promise<boolean>
}

export interface Surroundings {
  clock: Clock
  log: Log
  /** For the first key, which is printed even with HSAPI_LOG=off. */
  show: Log
  snapshot: { name: string; read: Promise<StampedBytes> }
}

export async function serve(config: Config, surroundings: Surroundings): Promise<Running> {
  const engine = decideEngine(config.engine)
  refuseOnNode(config, engine)
  const teardown = new Teardown()
  try {
    return await start(config, engine, surroundings, teardown)
  } catch (error) {
    await stop(teardown, surroundings.log)
    throw error
  }
}

function refuseOnNode({ workers, sharePort }: Config, { name, reason }: EngineDecision): void {
  if (name === 'uws') return
  if (workers > 1)
    throw new OperatorError(`HSAPI_WORKERS is ${workers}, but node:http answers with one thread only (${reason}); set it to 1`)
  if (sharePort) throw new OperatorError(`HSAPI_SHARE_PORT is 1, but node:http cannot share a port (${reason}); unset it`)
}

/** Keys, counts, and the memory that threads share. */
interface Ledgers {
  claim: ServerClaim
  keys: KeySource
  usageFile: UsageFile | undefined
  usageBefore: Awaited<ReturnType<UsageFile['load']>>
  counters: Counters
  leases: LeaseTable
}

async function openLedgers(config: Config, { clock, log }: Surroundings, teardown: Teardown): Promise<Ledgers> {
  const { dataDir, sharePort, redis } = config
  // with counts in Redis, several servers may use one directory
  const claim = await ServerClaim.take(dataDir, sharePort || redis !== undefined)
  teardown.push('rest', () => claim.release())
  const keys = await openKeys(config, clock, log)
  teardown.push('rest', () => keys.stop())
  const usageFile = redis === undefined ? new UsageFile(dataDir, sharePort, () => clock.now()) : undefined
  const usageBefore = (await usageFile?.load()) ?? []
  const slots = 2 * (usageBefore.length + (await keys.keysAtMost())) + SLOTS_SPARE
  const isAlone = config.workers === 1
  return {
    claim,
    keys,
    usageFile,
    usageBefore,
    counters: isAlone ? Counters.alone(slots) : Counters.shared(slots),
    leases: isAlone ? LeaseTable.alone(slots) : LeaseTable.shared(slots),
  }
}

async function start(config: Config, engine: EngineDecision, surroundings: Surroundings, teardown: Teardown): Promise<Running> {
  const { clock, log, show, snapshot: initial } = surroundings
  const ledgers = await openLedgers(config, surroundings, teardown)
  const { claim, keys, usageFile, usageBefore, counters, leases } = ledgers
  const explorer = await openExplorer(config, log)
  const store = new StoreStatusLog(log)
  const tallies = config.admin === undefined ? [] : Array.from({ length: config.workers }, () => new Tally())
  const [tally, ...workerTallies] = tallies
  const thread = await openThread(
    { config, engine: engine.name, thread: 0, clock, counters, leases, store, tally, explorer, log },
    teardown,
  )
  const { gate, server } = thread
  const hadKeys = await keys.load(gate)
  gate.usage.restore(usageBefore)
  const usage = saveUsage(usageFile, gate, surroundings, teardown)
  const chaos = config.chaos === undefined ? undefined : new ChaosControl(config.chaos, log)
  const shared = config.redis && { table: leases, store }
  const administration = new Administration({ engine: engine.name, gate, tallies, leases: shared, chaos, usage })
  // before the public port, so that probes are answered while the server starts
  const adminPort = await openAdmin(config, administration, teardown)
  let workers: WorkerPool | undefined
  teardown.push('requests', () => workers?.stop())
  teardown.push('rest', () => workers?.terminate())
  const port = config.socket?.isAlone ? 0 : await listen(server, config)
  if (config.socket !== undefined) teardown.push('requests', await listenOnSocket(server, config.socket.path))
  const { snapshot, stamp } = await loadFirst(initial, server, administration)
  let onBroken: (why: string) => void = () => {}
  const broken = new Promise<string>(resolve => {
    onBroken = resolve
  })
  if (config.workers > 1) {
    const parts = workerStart(config, ledgers, gate, { port, snapshot, explorer })
    workers = await WorkerPool.start(config.workers - 1, parts, workerTallies, log, store, onBroken)
  }
  if (chaos !== undefined)
    chaos.applyEverywhere = async (expression, plan) => {
      thread.applyChaos(plan)
      await workers?.applyChaos(expression)
    }
  // only now that all threads run can a change of keys reach them
  const publish = (slots: number[]) => workers?.sendKeys(gate.batchOf(slots))
  keys.start(publish)
  const swap = async (parts: SnapshotParts, loadSeconds: number) => {
    server.serve(new Catalog(assemble(parts)))
    await workers?.swap(parts)
    administration.setDataset(parts, loadSeconds)
    collectSoon()
  }
  const reload = openReload(config, { stamp, swap, log, claim, administration }, teardown)
  const url = urlOf(config, port)
  log(`hsapi: HTTP engine: ${engine.name === 'uws' ? 'uWebSockets.js' : 'node:http'} (${engine.reason})`)
  // last, so that a failed start leaves no key behind that was never shown
  const first = hadKeys ? undefined : await createFirstKey(keys, config, log)
  if (first !== undefined) {
    publish([gate.setKey(first.record)])
    showFirstKey(first, url, explorer && (explorer.guests === undefined ? 'key' : 'open'), show)
  }
  logReady(config, url, adminPort, log)
  chaos?.logState()
  return {
    url,
    broken,
    reload,
    reopenLog: async () => {
      workers?.reopenLog()
      await thread.reopenLog()
    },
    stop: () => {
      administration.stopping()
      return stop(teardown, log)
    },
  }
}

function saveUsage(
  file: UsageFile | undefined,
  gate: Gate,
  { clock, log }: Surroundings,
  teardown: Teardown,
): UsageSaver | undefined {
  const saver = file && new UsageSaver(file, gate, clock, log)
  saver?.start()
  teardown.push('counts', () => saver?.stop())
  return saver
}

/** The server already listens: until the catalog is loaded, health is "starting" and other routes answer 503. */
async function loadFirst(
  { name, read }: Surroundings['snapshot'],
  server: Server,
  administration: Administration,
): Promise<{ snapshot: SnapshotParts; stamp: string }> {
  const startMs = performance.now()
  const { bytes, stamp } = await read
  const snapshot = decodeParts(bytes, name)
  server.serve(new Catalog(assemble(snapshot)))
  administration.setDataset(snapshot, (performance.now() - startMs) / 1000)
  return { snapshot, stamp }
}

interface ReloadOptions {
  stamp: string
  swap(parts: SnapshotParts, loadSeconds: number): Promise<void>
  log: Log
  claim: ServerClaim
  administration: Administration
}

/** Reloads are triggered by the admin port, `hsapi reload`, a signal, or a replaced file. */
function openReload(config: Config, options: ReloadOptions, teardown: Teardown): () => Promise<void> {
  const { stamp, swap, log, claim, administration } = options
  const locate = () => snapshotInUse(config).file
  const reloader = new Reloader({ locate, stamp, shared: config.workers > 1, swap, log })
  teardown.push('rest', () => reloader.stop())
  administration.reload = () => reloader.reload()
  if (config.watch) reloader.watch()
  claim.onReload(() => reloader.reload())
  return async () => void (await reloader.reload())
}

function workerStart(
  config: Config,
  { counters, leases }: Ledgers,
  gate: Gate,
  more: Pick<WorkerStart, 'port' | 'snapshot' | 'explorer'>,
): Omit<WorkerStart, 'thread'> {
  return {
    settings: threadSettings(config),
    counters: counters.buffer as SharedArrayBuffer,
    leases: leases.buffer as SharedArrayBuffer,
    keys: gate.inForce(),
    hasKeys: gate.hasKeys,
    ...more,
  }
}

function urlOf({ host, socket, tls }: Config, port: number): string {
  return socket?.isAlone ? `unix:${socket.path}` : addressOf(host, port, tls === undefined ? 'http' : 'https')
}

function logReady({ admin, socket }: Config, url: string, adminPort: number | undefined, log: Log): void {
  const andSocket = socket === undefined || socket.isAlone ? '' : ` and unix:${socket.path}`
  log(`hsapi is ready on ${url}${andSocket}`)
  if (admin !== undefined && adminPort !== undefined) log(`hsapi: admin port: ${addressOf(admin.host, adminPort)}`)
}

/** Returns whether nothing was lost. */
async function stop(teardown: Teardown, log: Log): Promise<boolean> {
  const problems = await teardown.run()
  for (const problem of problems) log(`hsapi: ${problem}`)
  return problems.length === 0
}

async function openAdmin(config: Config, subject: Administration, teardown: Teardown): Promise<number | undefined> {
  if (config.admin === undefined) return undefined
  const listener = await AdminListener.open(subject, config.admin)
  teardown.push('rest', () => listener.close())
  return listener.port
}

async function listen(server: Server, { host, port, workers, sharePort }: Config): Promise<number> {
  try {
    if (workers === 1 && !sharePort) return await server.listen(host, port)
    const shared = sharePort && port !== 0 ? port : await findPortToShare(host, port)
    return await server.listen(host, shared, true)
  } catch (error) {
    const why = await whyNotListening(error as Error, host, port)
    throw new OperatorError(`HSAPI_PORT: cannot listen on ${host}:${port}: ${why}`, { cause: error })
  }
}
