/** A server from the environment's settings: keys, counts, engine, dataset and threads put together, and taken apart. */
import { Catalog } from '../catalog/catalog.js'
import { type Clock, isoSeconds } from '../clock.js'
import type { Config } from '../config.js'
import { OperatorError } from '../errors.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import { KeyFile } from '../gate/key-file.js'
import { KeyRegister } from '../gate/key-register.js'
import { UsageFile } from '../gate/usage-file.js'
import { decideEngine, openEngine } from '../http/engines.js'
import { Server } from '../http/server.js'
import { assemble, loadParts } from '../snapshot/load.js'
import { Crew } from './crew.js'
import { KeyFollower } from './follow-keys.js'
import { type Log, traced } from './log.js'
import { addressOf, findPortToShare } from './port.js'
import { UsageSaver } from './save-usage.js'

/** Room for keys that are made while the server runs. Memory for them is reserved and costs nothing until it is used. */
const SLOTS_SPARE = 1_048_576
const EXAMPLE_CODE = '852321'

export interface Running {
  url: string
  /** Settles, with the reason, once something broke that only a new start can mend. */
  broken: Promise<string>
  /** Finishes what is under way, saves counts and closes every socket. */
  stop(): Promise<void>
}

/** The key of a first start, shown once with a request that works. */
function firstKey(file: KeyFile, clock: Clock) {
  return file.create(
    { tier: 'free', name: 'first key', expiresAt: null, perMinute: null, perDay: null },
    isoSeconds(clock.now()),
  )
}

function refuseWorkers(config: Config, reason: string): void {
  throw new OperatorError(
    `HSAPI_WORKERS is ${config.workers}, but node:http answers with one thread only (${reason}); set it to 1`,
  )
}

/** Listens, alone or so that threads can join in. */
async function listen(server: Server, { host, port, workers }: Config): Promise<number> {
  try {
    const alone = workers === 1
    return await server.listen(host, alone ? port : await findPortToShare(host, port), !alone)
  } catch {
    throw new OperatorError(`HSAPI_PORT: cannot listen on ${host}:${port}; is another server running there?`)
  }
}

export async function serve(config: Config, clock: Clock, log: Log): Promise<Running> {
  const engine = decideEngine(config.engine)
  const alone = config.workers === 1
  if (engine.name === 'node' && !alone) refuseWorkers(config, engine.reason)

  const keyFile = new KeyFile(config.dataDir)
  const usageFile = new UsageFile(config.dataDir)
  const usageBefore = await usageFile.load()
  // taken before reading: a change in between is then read again, not missed
  const readAt = await keyFile.stamp()
  const slots = 2 * (usageBefore.length + (await keyFile.keysAtMost())) + SLOTS_SPARE
  const counters = alone ? Counters.alone(slots) : Counters.shared(slots)
  const gate = new Gate(counters)
  const register = new KeyRegister(gate)
  const isKnown = await register.load(keyFile)
  gate.restore(usageBefore)

  const server = new Server({
    engine: openEngine(engine.name),
    gate,
    clock,
    onFault: error => log(`hsapi: a request failed: ${traced(error)}`),
    unauthorizedPerMinute: config.unauthorizedPerMinute,
    trustedProxies: config.trustedProxies,
  })
  const port = await listen(server, config)
  const url = addressOf(config.host, port)
  const first = isKnown ? undefined : await firstKey(keyFile, clock)
  if (first !== undefined) gate.setKey(first.record)
  let crew: Crew | undefined
  const tell = (touched: number[]) => crew?.tellKeys(gate.batchOf(touched))
  const keys = new KeyFollower(keyFile, readAt, register, tell, log)
  const usage = new UsageSaver(usageFile, gate, clock, log)
  usage.start()
  const stop = async () => {
    keys.stop()
    await Promise.all([server.close(), crew?.stop()])
    await usage.stop()
  }
  let broken: (why: string) => void = () => {}
  const isBroken = new Promise<string>(resolve => {
    broken = resolve
  })
  try {
    // already listening: until the catalog is there, health says "starting" and the rest answers 503
    const snapshot = await loadParts(config.snapshot, !alone)
    server.serve(new Catalog(assemble(snapshot)))
    if (!alone) {
      const { host, unauthorizedPerMinute, trustedProxies } = config
      const start = { host, port, unauthorizedPerMinute, trustedProxies, snapshot, keys: gate.inForce() }
      crew = await Crew.start(
        config.workers - 1,
        { ...start, counters: counters.buffer as SharedArrayBuffer },
        log,
        broken,
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  // only now: a change of the keys must reach threads that are all there
  keys.start()
  log(`hsapi answers through ${engine.name === 'uws' ? 'uWebSockets.js' : 'node:http'}: ${engine.reason}`)
  if (first !== undefined) {
    log(`A free key was made for you. It is shown only this once: ${first.key}`)
    log(`Try: curl -H 'X-Api-Key: ${first.key}' ${url}/api/v1/hs-codes/${EXAMPLE_CODE}`)
  }
  log(`hsapi is ready on ${url}`)
  return { url, broken: isBroken, stop }
}
