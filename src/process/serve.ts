import { AdminListener } from '../admin/listener.js'
import { type Clock, isoSeconds } from '../clock.js'
import { decideEngine, type EngineDecision } from '../engines/engines.js'
import { OperatorError } from '../errors.js'
import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import { LeaseTable } from '../leases/lease-table.js'
import { Tally } from '../metrics/tally.js'
import { Counters } from '../quotas/counters.js'
import { UsageFile } from '../quotas/usage-file.js'
import type { Config } from '../settings/config.js'
import { threadSettings } from '../settings/table.js'
import type { SnapshotParts } from '../snapshot/decode.js'
import { decodeParts, type StampedBytes } from '../snapshot/load.js'
import { snapshotInUse } from '../snapshot-in-use.js'
import { Administration } from './administration.js'
import { CertificateInUse } from './certificate.js'
import { ChaosControl } from './chaos.js'
import { type ReloadResult, ServerClaim } from './data-folder.js'
import { openExplorer } from './explorer.js'
import { type KeySource, openKeys } from './key-source.js'
import { StoreStatusLog } from './leases.js'
import { addressOf, listenOnPort, listenOnSocket, setSocketMode } from './listen.js'
import type { Log } from './log.js'
import { adminPage, openOperator } from './operator.js'
import { Reloader } from './reload.js'
import { UsageSaver } from './save-usage.js'
import { serveDataset } from './served-catalog.js'
import { Teardown } from './teardown.js'
import { openThread } from './thread.js'
import { WorkerPool } from './worker-pool.js'

/** For keys created while the server runs; reserved memory costs nothing until it is touched. */
const SLOTS_SPARE = 1_048_576

/** Of a first start; it is shown once, with a working request. */
const FIRST_KEY: KeyOptions = { tier: 'free', name: 'first key', expiresAt: null, perMinute: null, perDay: null }
const EXAMPLE_CODE = '852321'

export interface Running {
  url: string
  /** Settles with the reason once only a restart helps. */
  broken: Promise<string>
  reload(): Promise<void>
  reopenLog(): Promise<void>
  /** Returns whether nothing was lost; losses are logged. Calls back after the last request. */
  stop(onRequestsOver: () => void): Promise<boolean>
}

export interface Surroundings {
  clock: Clock
  log: Log
  /** Lines of the log that could not be written. */
  logDropped(): number
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
async function openLedgers(config: Config, { clock, log }: Surroundings, teardown: Teardown) {
  const { dataDir, sharePort, redis } = config
  // with counts in Redis, several servers may use one directory
  const claim = await ServerClaim.take(dataDir, sharePort || redis !== undefined)
  teardown.push('rest', () => claim.release())
  const keys = await openKeys(config, log)
  teardown.push('rest', () => keys.stop())
  const usageFile = redis === undefined ? new UsageFile(dataDir, sharePort, () => clock.now()) : undefined
  const usageBefore = (await usageFile?.load()) ?? []
  const slots = 2 * (usageBefore.length + (await keys.keysAtMost())) + SLOTS_SPARE
  const isShared = config.workers > 1
  const counters = Counters.create(slots, isShared)
  return { claim, keys, usageFile, usageBefore, counters, leases: LeaseTable.create(slots, isShared) }
}

async function start(config: Config, engine: EngineDecision, surroundings: Surroundings, teardown: Teardown): Promise<Running> {
  const { clock, log, logDropped, show, snapshot: initial } = surroundings
  const { claim, keys, usageFile, usageBefore, counters, leases } = await openLedgers(config, surroundings, teardown)
  const explorer = await openExplorer(config, log)
  const store = new StoreStatusLog(log)
  const tallies = config.admin === undefined ? [] : Array.from({ length: config.workers }, () => new Tally())
  const { gate, server, ...thread } = await openThread(
    { config, engine: engine.name, thread: 0, clock, counters, leases, store, tally: tallies[0], explorer, log },
    teardown,
  )
  const hadKeys = await keys.load(gate)
  gate.usage.restore(usageBefore)
  const usage = usageFile && new UsageSaver(usageFile, gate, clock, log)
  teardown.push('counts', () => usage?.stop())
  const chaos = config.chaos === undefined ? undefined : new ChaosControl(config.chaos, log)
  const shared = config.redis && { table: leases, store }
  let workers: WorkerPool | undefined
  const administration = new Administration({
    engine,
    gate,
    keys,
    tallies,
    leases: shared,
    chaos,
    usage,
    logDropped,
    isAfterKill: claim.isAfterKill,
    searches: thread.searches && (async () => [thread.searches?.days() ?? [], ...((await workers?.searches()) ?? [])]),
  })
  if (claim.isAfterKill)
    log('hsapi: the server before this one was killed or crashed; counts of its last second may be lost', 'warning')
  administration.page = adminPage(log)
  // before the public port, so that probes are answered while the server starts
  const adminPort = await openAdmin(config, administration, teardown)
  teardown.push('requests', () => workers?.stop())
  teardown.push('rest', () => workers?.terminate())
  // until the catalog is loaded, health is "starting" and other routes answer 503
  const port = config.socket?.isAlone ? 0 : await listenOnPort(server, config, engine.name)
  if (config.socket !== undefined) teardown.push('requests', await listenOnSocket(server, config.socket))
  const swap = async (parts: SnapshotParts, loadSeconds: number) => {
    await serveDataset(server, parts, config)
    await workers?.apply({ snapshot: parts })
    administration.dataset = { parts, loadSeconds }
  }
  const startMs = performance.now()
  const { bytes, stamp } = await initial.read
  const snapshot = decodeParts(bytes, initial.name)
  await swap(snapshot, (performance.now() - startMs) / 1000)
  if (config.workers > 1) {
    const memory = { counters: counters.buffer as SharedArrayBuffer, leases: leases.buffer as SharedArrayBuffer }
    const known = { keys: gate.inForce(), hasKeys: gate.hasKeys }
    const first = { settings: threadSettings(config), port, snapshot, explorer, ...memory, ...known }
    workers = await WorkerPool.start(config.workers - 1, first, tallies, { log, store })
  }
  if (chaos !== undefined)
    chaos.applyEverywhere = async (expression, plan) => {
      thread.chaos?.setPlan(plan)
      await workers?.apply({ chaos: expression })
    }
  // only now that all threads run can a change of keys reach them
  const publish = (slots: number[]) => workers?.post({ keys: gate.batchOf(slots) })
  keys.start(publish)
  const applyKeys = async () => {
    await keys.look()
    await workers?.confirmKeys()
  }
  if (config.admin !== undefined)
    administration.operator = openOperator(
      { config, engine: engine.name, administration, gate, counters, tallies, leases: shared, clock, applyKeys, log },
      teardown,
    )
  const reloader = new Reloader({ locate: () => snapshotInUse(config).file, stamp, shared: config.workers > 1, swap, log })
  teardown.push('rest', () => reloader.stop())
  const renewCertificate = async () => {
    await server.renewCertificate()
    if (config.socket !== undefined) await setSocketMode(config.socket)
    await workers?.apply({ renewCertificate: true })
  }
  const certificate = config.tls && new CertificateInUse(config.tls, renewCertificate, log)
  const reload = async (): Promise<ReloadResult> => {
    const renewed = await certificate?.reload()
    const { isLoaded, message } = await reloader.reload()
    if (renewed === undefined) return { isLoaded, message }
    return { isLoaded: isLoaded && renewed.isLoaded, message: `${message}; ${renewed.message}` }
  }
  administration.reloads = reloader
  administration.certificate = certificate
  administration.reload = reload
  claim.onReload(reload)
  if (config.watch) reloader.watch()
  const url = urlOf(config, port)
  log(`hsapi: HTTP engine: ${engine.name === 'uws' ? 'uWebSockets.js' : 'node:http'} (${engine.reason})`)
  // last, so that a failed start leaves no key behind that was never shown
  const first = hadKeys ? undefined : await createFirstKey(keys, config, clock, log)
  if (first !== undefined) {
    publish([gate.setKey(first.record)])
    showFirstKey(first, url, explorer && (explorer.guests === undefined ? 'key' : 'open'), show)
  }
  logReady(config, url, adminPort, log)
  chaos?.logState()
  return {
    url,
    broken: workers?.broken ?? new Promise(() => {}),
    reload: async () => void (await reload()),
    reopenLog: async () => {
      workers?.post({ reopenLog: true })
      await thread.access?.reopen()
    },
    stop: onRequestsOver => {
      administration.isStopping = true
      teardown.push('counts', onRequestsOver)
      return stop(teardown, log)
    },
  }
}

/** None with HSAPI_LOG=json: such logs are collected, and a key must not get into them. */
async function createFirstKey(keys: KeySource, config: Config, clock: Clock, log: Log): Promise<MadeKey | undefined> {
  if (config.firstKey && config.log !== 'json') return keys.createFirst(FIRST_KEY, isoSeconds(clock.now()))
  log('hsapi: there are no keys yet; "hsapi keys create --tier free" makes one')
  return undefined
}

/** `pages`: whether there is an explorer, and whether it asks for a key. */
function showFirstKey({ key }: MadeKey, url: string, pages: 'open' | 'key' | undefined, log: Log): void {
  log(`Created a Free key; it is shown only once: ${key}`)
  const [place, base] = url.startsWith('unix:') ? [`--unix-socket ${url.slice('unix:'.length)} `, 'http://localhost'] : ['', url]
  log(`Try it: curl ${place}-H 'X-Api-Key: ${key}' ${base}/api/v1/hs-codes/${EXAMPLE_CODE}`)
  if (pages === undefined || place !== '') return
  // browsers do not send the fragment, so the key gets into no log
  log(`Open in a browser: ${base}/${pages === 'key' ? `#key=${key}` : ''}`)
}

function urlOf({ host, socket, tls }: Config, port: number): string {
  return socket?.isAlone ? `unix:${socket.path}` : addressOf(host, port, tls === undefined ? 'http' : 'https')
}

function logReady({ admin, socket }: Config, url: string, adminPort: number | undefined, log: Log): void {
  const andSocket = socket === undefined || socket.isAlone ? '' : ` and unix:${socket.path}`
  log(`hsapi is ready on ${url}${andSocket}`)
  if (admin !== undefined && adminPort !== undefined) log(`hsapi: admin port: ${addressOf(admin.host, adminPort)}`)
}

async function stop(teardown: Teardown, log: Log): Promise<boolean> {
  const problems = await teardown.run()
  for (const problem of problems) log(`hsapi: ${problem}`, 'error')
  return problems.length === 0
}

async function openAdmin(config: Config, subject: Administration, teardown: Teardown): Promise<number | undefined> {
  if (config.admin === undefined) return undefined
  const listener = await AdminListener.open(subject, config.admin)
  teardown.push('rest', () => listener.close())
  return listener.port
}
