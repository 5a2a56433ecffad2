/** A server from the environment's settings: put together, and taken apart. */
import { AdminListener } from '../admin/listener.js'
import { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import { OperatorError } from '../errors.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import { LeaseTable } from '../gate/lease-table.js'
import { UsageFile } from '../gate/usage-file.js'
import { Chaos } from '../http/chaos.js'
import { decideEngine, type EngineDecision, openEngine } from '../http/engines.js'
import { Server } from '../http/server.js'
import { Tally } from '../metrics/tally.js'
import { watchThread } from '../metrics/watch-thread.js'
import type { Config } from '../settings/config.js'
import { threadSettings } from '../settings/table.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'
import { decodeParts, type StampedBytes } from '../snapshot/load.js'
import { snapshotInUse } from '../snapshot-in-use.js'
import { AccessLogWriter } from './access-log.js'
import { Administration } from './administration.js'
import { ChaosControl } from './chaos.js'
import { collectSoon } from './collect.js'
import { Crew } from './crew.js'
import { ServerClaim } from './data-folder.js'
import { openExplorer, withExplorer } from './explorer.js'
import { createFirstKey, showFirstKey } from './first-key.js'
import { openKeys } from './key-source.js'
import { openLeasing, StoreStatusLog } from './leases.js'
import { faultLine, type Log, traced } from './log.js'
import { addressOf, findPortToShare, whyNotListening } from './port.js'
import { Reloader } from './reload.js'
import { UsageSaver } from './save-usage.js'
import { Teardown } from './teardown.js'
import { listenOnSocket } from './unix-socket.js'

/** Room for keys that are made while the server runs. Memory that is not touched costs nothing. */
const SLOTS_SPARE = 1_048_576

export interface Running {
  url: string
  /** Settles, with the reason, once something broke that only a new start can mend. */
  broken: Promise<string>
  /** Loads the snapshot anew; the log tells how that went. */
  reload(): Promise<void>
  /** Goes on in a new access log, after the file was moved away. */
  reopenLog(): Promise<void>
  /** Finishes what is under way, saves counts and closes every socket. Gives whether nothing was lost; the log has what was. */
  stop(): Promise<boolean>
}

export interface Surroundings {
  clock: Clock
  log: Log
  /** For what is told only once, whatever becomes of the log. */
  show: Log
  /** The snapshot to begin with, on its way. */
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

/** What node:http cannot do. */
function refuseOnNode({ workers, sharePort }: Config, { name, reason }: EngineDecision): void {
  if (name === 'uws') return
  if (workers > 1)
    throw new OperatorError(
      `HSAPI_WORKERS is ${workers}, but node:http answers with one thread only (${reason}); set it to 1`,
    )
  if (sharePort)
    throw new OperatorError(`HSAPI_SHARE_PORT is 1, but node:http cannot share a port (${reason}); unset it`)
}

async function start(
  config: Config,
  engine: EngineDecision,
  { clock, log, show, snapshot: initial }: Surroundings,
  teardown: Teardown,
): Promise<Running> {
  const alone = config.workers === 1
  const { redis } = config
  // with counts in a store, servers on one directory do not get in each other's way
  const claim = await ServerClaim.take(config.dataDir, config.sharePort || redis !== undefined)
  teardown.push('rest', () => claim.release())

  const keys = await openKeys(config, clock, log)
  teardown.push('rest', () => keys.stop())
  const usageFile =
    redis === undefined ? new UsageFile(config.dataDir, config.sharePort, () => clock.now()) : undefined
  const usageBefore = (await usageFile?.load()) ?? []
  const slots = 2 * (usageBefore.length + (await keys.keysAtMost())) + SLOTS_SPARE
  const counters = alone ? Counters.alone(slots) : Counters.shared(slots)
  const leases = alone ? LeaseTable.alone(slots) : LeaseTable.shared(slots)
  const store = new StoreStatusLog(log)
  const leasing = redis === undefined ? undefined : await openLeasing(redis, counters, leases, store)
  teardown.push('counts', () => leasing?.close())
  const gate = new Gate(counters, leasing?.desk)
  if (config.accessLog !== undefined) gate.tellsIds = true
  const isKnown = await keys.load(gate)
  gate.restore(usageBefore)
  const usage = usageFile && new UsageSaver(usageFile, gate, clock, log)
  usage?.start()
  teardown.push('counts', () => usage?.stop())

  const tallies = config.admin === undefined ? [] : Array.from({ length: config.workers }, () => new Tally())
  const [tally, ...crewTallies] = tallies
  const chaosControl = config.chaos === undefined ? undefined : new ChaosControl(config.chaos, log)
  const administration = new Administration({
    engine: engine.name,
    gate,
    tallies,
    leases: redis && { table: leases, store },
    chaos: chaosControl,
    usage,
  })
  // first of all, so that probes are answered from the start to the end
  const adminPort = await openAdmin(config, administration, teardown)
  const httpEngine = openEngine(engine.name, config.unreadBytesMax, config.tls)
  const access = await openAccessLog(config, log, teardown)
  if (tally !== undefined) {
    const look = () => ({ connections: httpEngine.connections, accessDropped: access?.dropped ?? 0 })
    teardown.push('rest', watchThread(tally, look))
  }
  const explorer = await openExplorer(config, log)
  const chaos = chaosControl && new Chaos({ sender: httpEngine.sender, plan: chaosControl.plan, tally })
  const server = new Server({
    ...withExplorer(explorer),
    engine: httpEngine,
    gate,
    clock,
    onFault: (error, id) => log(faultLine(id, traced(error))),
    tally,
    access: access?.log,
    chaos,
    origins: config.corsOrigins,
    withLimitFields: config.rateLimitFields,
  })
  let crew: Crew | undefined
  teardown.push('requests', () => server.close(config.drainMs))
  teardown.push('requests', () => crew?.stop())
  teardown.push('rest', () => crew?.terminate())
  const port = config.socket?.isAlone ? 0 : await listen(server, config)
  if (config.socket !== undefined) teardown.push('requests', await listenOnSocket(server, config.socket.path))

  // already listening: until the catalog is there, health says "starting" and the rest answers 503
  const loadStartMs = performance.now()
  const { bytes, stamp } = await initial.read
  const snapshot = decodeParts(bytes, initial.name)
  server.serve(new Catalog(assemble(snapshot)))
  administration.serves(snapshot, (performance.now() - loadStartMs) / 1000)
  let tellBroken: (why: string) => void = () => {}
  const broken = new Promise<string>(resolve => {
    tellBroken = resolve
  })
  if (!alone) {
    const workerStart = {
      settings: threadSettings(config),
      port,
      snapshot,
      counters: counters.buffer as SharedArrayBuffer,
      leases: leases.buffer as SharedArrayBuffer,
      keys: gate.inForce(),
      hasKeys: gate.hasKeys,
      explorer,
    }
    crew = await Crew.start(config.workers - 1, workerStart, crewTallies, log, store, tellBroken)
  }

  if (chaosControl !== undefined)
    chaosControl.spread = async (expression, plan) => {
      chaos?.follow(plan)
      await crew?.trouble(expression)
    }
  // only now: a change of the keys must reach threads that are all there
  const tellKeys = (touched: number[]) => crew?.tellKeys(gate.batchOf(touched))
  keys.start(tellKeys)
  const swap = async (parts: SnapshotParts, loadSeconds: number) => {
    server.serve(new Catalog(assemble(parts)))
    await crew?.swap(parts)
    administration.serves(parts, loadSeconds)
    collectSoon()
  }
  const locate = () => snapshotInUse(config).file
  const reloader = new Reloader({ locate, stamp, shared: !alone, swap, log })
  teardown.push('rest', () => reloader.stop())
  administration.reload = () => reloader.reload()
  if (config.watch) reloader.watch()
  claim.onReload(() => reloader.reload())

  const scheme = config.tls === undefined ? 'http' : 'https'
  const socketUrl = config.socket && `unix:${config.socket.path}`
  const url = config.socket?.isAlone ? `unix:${config.socket.path}` : addressOf(config.host, port, scheme)
  log(`hsapi answers through ${engine.name === 'uws' ? 'uWebSockets.js' : 'node:http'}: ${engine.reason}`)
  // last of all: a start that fails must not leave a key behind that nobody was shown
  const first = isKnown ? undefined : await createFirstKey(keys, config, log)
  if (first !== undefined) {
    tellKeys([gate.setKey(first.record)])
    showFirstKey(first, url, explorer && (explorer.guests === undefined ? 'key' : 'open'), show)
  }
  log(`hsapi is ready on ${url}${socketUrl === undefined || socketUrl === url ? '' : ` and ${socketUrl}`}`)
  if (config.admin !== undefined && adminPort !== undefined)
    log(`hsapi is administered on ${addressOf(config.admin.host, adminPort)}`)
  chaosControl?.tell()
  return {
    url,
    broken,
    reload: async () => void (await reloader.reload()),
    reopenLog: async () => {
      crew?.reopenLog()
      await access?.reopen()
    },
    stop: () => {
      administration.stopping()
      return stop(teardown, log)
    },
  }
}

/** Whether nothing was lost. */
async function stop(teardown: Teardown, log: Log): Promise<boolean> {
  const problems = await teardown.run()
  for (const problem of problems) log(`hsapi: ${problem}`)
  return problems.length === 0
}

async function openAccessLog(
  { accessLog }: Config,
  log: Log,
  teardown: Teardown,
): Promise<AccessLogWriter | undefined> {
  if (accessLog === undefined) return undefined
  try {
    const onTrouble = (message: string) => log(`hsapi: ${message}`)
    const writer = await AccessLogWriter.open({ ...accessLog, onTrouble })
    teardown.push('rest', () => writer.close())
    return writer
  } catch (error) {
    throw new OperatorError(`HSAPI_ACCESS_LOG_FILE: ${(error as Error).message}`, { cause: error })
  }
}

async function openAdmin(
  config: Config,
  subject: Administration,
  teardown: Teardown,
): Promise<number | undefined> {
  if (config.admin === undefined) return undefined
  const listener = await AdminListener.open(subject, config.admin)
  teardown.push('rest', () => listener.close())
  return listener.port
}

/** Listens, alone or so that threads, or another server, can join in. */
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
