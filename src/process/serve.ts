import { AdminListener } from '../admin/listener.js'
import type { DecisionTable } from '../catalog/decisions.js'
import type { Clock } from '../clock.js'
import { readDecisions } from '../decisions/decisions-file.js'
import { decideEngine, type EngineDecision } from '../engines/engines.js'
import { OperatorError } from '../errors.js'
import type { PublishSlots } from '../gate/key-slices.js'
import { AUDIT_NAME, writeAudit } from '../keys/audit.js'
import { BusiestKeys } from '../metrics/busiest-keys.js'
import type { Config } from '../settings/config.js'
import { threadSettings } from '../settings/table.js'
import { decodeParts, type StampedBytes, stampOfFile } from '../snapshot/load.js'
import { Administration } from './administration.js'
import { openControls, type Swap, swapper } from './controls.js'
import { createFirstKey, showFirstKey } from './first-key.js'
import { addressOf, listenOnPort, listenOnSocket } from './listen.js'
import type { Log } from './log.js'
import { adminPage } from './operator.js'
import { openParts, type Parts } from './parts.js'
import type { Stamps } from './reload.js'
import type { ServedParts } from './served-catalog.js'
import type { Setup } from './setup.js'
import { Teardown } from './teardown.js'

export interface Running {
  url: string
  /** Resolves when the server can only be fixed by a restart; the value is the reason. */
  broken: Promise<string>
  reload(): Promise<void>
  reopenLog(): Promise<void>
  /** Returns true if nothing was lost; losses are logged. Calls `onRequestsOver` after the last request. */
  stop(onRequestsOver: () => void): Promise<boolean>
}

/** The first snapshot, which is read while the server starts. */
interface InitialSnapshot {
  name: string
  read: Promise<StampedBytes>
}

export interface ProcessContext {
  clock: Clock
  log: Log
  /** Returns the number of log lines that could not be written. */
  logDropped(): number
  /** Prints the first key, even with HSAPI_LOG=off. */
  show: Log
  snapshot: InitialSnapshot
}

export async function serve(config: Config, { snapshot, show, ...context }: ProcessContext): Promise<Running> {
  const engine = decideEngine(config.engine)
  refuseOnNode(config, engine)
  const teardown = new Teardown()
  try {
    return await start({ ...context, config, engine, teardown }, snapshot, show)
  } catch (error) {
    await stop(teardown, context.log)
    throw error
  }
}

function refuseOnNode({ workers, sharePort }: Config, { name, reason }: EngineDecision): void {
  if (name === 'uws') return
  if (workers > 1)
    throw new OperatorError(`HSAPI_WORKERS is ${workers}, but node:http answers with one thread only (${reason}); set it to 1`)
  if (sharePort) throw new OperatorError(`HSAPI_SHARE_PORT is 1, but node:http cannot share a port (${reason}); unset it`)
}

async function start(setup: Setup, initial: InitialSnapshot, show: Log): Promise<Running> {
  const { config, log, teardown } = setup
  const parts = await openParts(setup)
  const administration = administrationOf(parts)
  if (parts.claim.isAfterKill)
    log('hsapi: the previous server was killed or crashed; the counts of its last second may be lost', 'warning')
  // opened before the public port, so that probes are answered while the server starts
  const adminPort = await openAdmin(parts, administration)
  // until the catalog is loaded, health is "starting" and other routes answer 503
  const port = await listen(parts)
  const swap = swapper(parts, administration)
  const { snapshot, stamps } = await serveFirst(initial, config.decisions, swap)
  await startWorkers(parts, port, snapshot)
  // keys are followed only after all threads have started, because a change would not reach a thread that is still starting
  const publish = followKeys(parts)
  const controls = openControls(parts, administration, stamps, swap)
  administration.controls = controls
  parts.claim.onReload(controls.reload)
  const url = urlOf(config, port)
  logEngine(parts)
  // the first key is created last, so that a failed start does not leave a key that was never shown
  await addFirstKey(parts, publish, url, show)
  logReady(config, url, adminPort, log)
  parts.chaosControl?.logState()
  return {
    url,
    broken: parts.workers.broken,
    reload: async () => void (await controls.reload()),
    reopenLog: async () => {
      parts.workers.post({ reopenLog: true })
      await parts.access?.reopen()
    },
    stop: onRequestsOver => {
      administration.isStopping = true
      teardown.push('counts', onRequestsOver)
      return stop(teardown, log)
    },
  }
}

function administrationOf(parts: Parts): Administration {
  const { engine, gate, keys, tallies, sharedLeases, chaosControl, usage, logDropped, claim, searches, workers, log } = parts
  const busiestKeys = new BusiestKeys(
    tallies,
    () => gate.slots,
    slot => gate.idOf(slot),
  )
  parts.teardown.push('rest', () => busiestKeys.stop())
  return new Administration({
    engine,
    gate,
    keys,
    tallies,
    leases: sharedLeases,
    chaos: chaosControl,
    usage,
    logDropped,
    isAfterKill: claim.isAfterKill,
    searches: searches && (async () => [searches.days(), ...(await workers.searches())]),
    page: adminPage(log),
    busiestKeys,
  })
}

async function openAdmin({ config, teardown }: Parts, subject: Administration): Promise<number | undefined> {
  if (config.admin === undefined) return undefined
  const listener = await AdminListener.open(subject, config.admin)
  teardown.push('rest', () => listener.close())
  return listener.port
}

/** Returns the port; 0 if there is only a Unix socket. */
async function listen({ config, engine, server, teardown }: Parts): Promise<number> {
  const { socket } = config
  const port = socket?.isAlone ? 0 : await listenOnPort(server, config, engine.name)
  if (socket !== undefined) teardown.push('requests', await listenOnSocket(server, socket))
  return port
}

async function serveFirst(
  { name, read }: InitialSnapshot,
  decisionsFile: string | undefined,
  swap: Swap,
): Promise<{ snapshot: ServedParts; stamps: Stamps }> {
  const startMs = performance.now()
  const decisions = decisionsFile === undefined ? undefined : await startDecisions(decisionsFile)
  const { bytes, stamp } = await read
  const snapshot: ServedParts = { ...decodeParts(bytes, name), ...(decisions && { decisions: decisions.table }) }
  await swap(snapshot, (performance.now() - startMs) / 1000)
  return { snapshot, stamps: { snapshot: stamp, decisions: decisions?.stamp ?? '' } }
}

async function startDecisions(file: string): Promise<{ table: DecisionTable; stamp: string }> {
  // take the stamp before reading the file, so that a change during the reading is noticed
  const stamp = (await stampOfFile(file)) ?? ''
  return { table: await readDecisions(file), stamp }
}

async function startWorkers(parts: Parts, port: number, snapshot: ServedParts): Promise<void> {
  const { config, counters, leases, gate, explorer, tallies, store, log, workers } = parts
  if (config.workers === 1) return
  const memory = { counters: counters.buffer as SharedArrayBuffer, leases: leases.buffer as SharedArrayBuffer }
  const keyState = { keys: gate.keysInForce(), hasKeys: gate.hasKeys }
  const first = { settings: threadSettings(config), port, snapshot, explorer, ...memory, ...keyState }
  await workers.start(config.workers - 1, first, tallies, { log, store })
}

/** Returns a function that sends changed keys to the other threads. */
function followKeys({ keys, gate, workers }: Parts): PublishSlots {
  const publish = (slots: number[]) => {
    if (!workers.isEmpty) workers.post({ keys: gate.batchOf(slots) })
  }
  keys.start(publish)
  return publish
}

async function addFirstKey(parts: Parts, publish: PublishSlots, url: string, show: Log): Promise<void> {
  const { hadKeys, keys, config, clock, log, gate, explorer } = parts
  if (hadKeys) return
  const created = await createFirstKey(keys, config, clock, log)
  if (created === undefined) return
  publish([gate.setKey(created.record)])
  await writeAudit(config.dataDir, 'created', created.record.id, { from: 'first start' }, clock.now()).catch(error =>
    log(`hsapi: ${AUDIT_NAME}: ${error.message}`, 'error'),
  )
  showFirstKey(created, url, explorer && (explorer.guests === undefined ? 'key' : 'open'), show)
}

function urlOf({ host, socket, tls }: Config, port: number): string {
  return socket?.isAlone ? `unix:${socket.path}` : addressOf(host, port, tls === undefined ? 'http' : 'https')
}

/**
 * Logs the engine, as a warning if the slower one is used although it was not requested: the binary of the fast one may be
 * missing after a change of the Node version.
 */
function logEngine({ config, engine, log }: Parts): void {
  const isFallback = engine.name === 'node' && config.engine !== 'node'
  const name = engine.name === 'uws' ? 'uWebSockets.js' : 'node:http'
  log(`hsapi: HTTP engine: ${name} (${engine.reason})`, isFallback ? 'warning' : 'info')
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
