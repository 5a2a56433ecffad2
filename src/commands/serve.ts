import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { Catalog } from '../catalog/catalog.js'
import { type Clock, isoSeconds } from '../clock.js'
import type { Config } from '../config.js'
import { OperatorError } from '../errors.js'
import { Counters } from '../gate/counters.js'
import { Gate } from '../gate/gate.js'
import { KeyFile, type KeyRecord } from '../gate/key-file.js'
import { UsageFile } from '../gate/usage-file.js'
import type { UsageStore } from '../gate/usage-store.js'
import { createServer } from '../http/server.js'
import { assemble, loadParts } from '../snapshot/load.js'
import { type Crew, startCrew } from './crew.js'

/** A change of the key file is seen within this time. Polling a stat also works where file events do not. */
const KEYS_POLL_MS = 300
const USAGE_SAVE_MS = 1_000
const EXAMPLE_CODE = '852321'

export interface Running {
  url: string
  stop(): Promise<void>
}

type Log = (line: string) => void

/** The key of a first start, shown once with a request that works. */
async function firstKey(file: KeyFile, clock: Clock): Promise<{ keys: KeyRecord[]; key: string }> {
  const { key, record } = await file.create(
    { tier: 'free', name: 'first key', expiresAt: null, perMinute: null, perDay: null },
    isoSeconds(clock.now()),
  )
  return { keys: [record], key }
}

/** Re-reads the key file when it changes. A damaged file is reported and the keys in force stay. */
function followKeys(
  file: KeyFile,
  setKeys: (keys: KeyRecord[]) => void,
  log: Log,
  readAt: string | undefined,
): { stop(): void } {
  let seen = readAt
  let busy = false
  const look = async () => {
    if (busy) return
    busy = true
    try {
      const stamp = await file.stamp()
      if (stamp !== seen) {
        setKeys((await file.read()) ?? [])
        seen = stamp
      }
    } catch (error) {
      seen = await file.stamp()
      log(`hsapi: ${(error as Error).message}; the keys read before stay in force`)
    } finally {
      busy = false
    }
  }
  const timer = setInterval(look, KEYS_POLL_MS)
  return { stop: () => clearInterval(timer) }
}

/** Saves counts while requests go on. One save at a time; a failed one is repeated with the next. */
function followUsage(store: UsageStore, gate: Gate, clock: Clock, log: Log): { stop(): Promise<void> } {
  let saving: Promise<void> = Promise.resolve()
  let failing = false
  const save = () => {
    saving = saving.then(async () => {
      const usage = gate.takeUsage(clock.now())
      if (usage === undefined) return
      try {
        await store.save(usage)
        if (failing) log('hsapi: usage is being saved again')
        failing = false
      } catch (error) {
        gate.keepUsage()
        if (!failing) log(`hsapi: usage cannot be saved: ${(error as Error).message}`)
        failing = true
      }
    })
    return saving
  }
  const timer = setInterval(save, USAGE_SAVE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return save()
    },
  }
}

function address(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Room for keys that are made while threads share the counters. */
const SHARED_SLOTS_SPARE = 65_536

export async function serve(config: Config, clock: Clock, log: Log): Promise<Running> {
  const keyFile = new KeyFile(config.dataDir)
  const usageFile = new UsageFile(config.dataDir)
  const usageBefore = await usageFile.load()
  // taken before reading: a change in between is then read again, not missed
  const readAt = await keyFile.stamp()
  const known = await keyFile.read()
  const alone = config.workers === 1
  const slots = 2 * (usageBefore.length + (known?.length ?? 0)) + SHARED_SLOTS_SPARE
  const counters = alone ? undefined : Counters.shared(slots)
  const gate = new Gate(counters)
  /** What the gate was told of keys, in order, for threads that start later. */
  const told: KeyRecord[][] = []
  let crew: Crew | undefined
  const setKeys = (keys: KeyRecord[]) => {
    gate.setKeys(keys)
    if (crew === undefined) told.push(keys)
    else crew.setKeys(keys)
  }
  gate.restore(usageBefore)
  if (known !== undefined) setKeys(known)

  const server = createServer({
    gate,
    clock,
    onFault: error => log(`hsapi: a request failed: ${(error as Error).stack ?? String(error)}`),
  })
  const wanted = alone ? config.port : await findPortToShare(config)
  const port = await server.listen(config.host, wanted, !alone)
  const url = address(config.host, port)
  const first = known === undefined ? await firstKey(keyFile, clock) : undefined
  if (first !== undefined) setKeys(first.keys)
  let keys: { stop(): void } | undefined
  const usage = followUsage(usageFile, gate, clock, log)
  const stop = async () => {
    keys?.stop()
    await Promise.all([server.close(), crew?.stop()])
    await usage.stop()
  }
  try {
    // already listening: until the catalog is there, health says "starting" and the rest answers 503
    const snapshot = await loadParts(config.snapshot, !alone)
    server.serve(new Catalog(assemble(snapshot)))
    if (counters !== undefined) {
      const start = { host: config.host, port, snapshot, counters: counters.buffer as SharedArrayBuffer }
      crew = await startCrew(config.workers - 1, { ...start, usage: usageBefore, keys: told }, log)
    }
  } catch (error) {
    await stop()
    throw error
  }
  // only now: a change of the keys must reach threads that are all there
  keys = followKeys(keyFile, setKeys, log, readAt)
  if (first !== undefined) {
    log(`A free key was made for you. It is shown only this once: ${first.key}`)
    log(`Try: curl -H 'X-Api-Key: ${first.key}' ${url}/api/v1/hs-codes/${EXAMPLE_CODE}`)
  }
  log(`hsapi is ready on ${url}`)
  return { url, stop }
}

/**
 * The port that threads are to share. It is first asked for alone: else a second server would come to share it too.
 * A free port (0) is chosen here as well, since the kernel gives no second listener a port that it chose itself.
 */
async function findPortToShare({ host, port }: Config): Promise<number> {
  const probe = createNetServer()
  return new Promise((resolve, reject) => {
    probe.once('error', () =>
      reject(
        new OperatorError(`HSAPI_PORT: cannot listen on ${host}:${port}; is another server running there?`),
      ),
    )
    probe.listen({ host, port, exclusive: true }, () => {
      const { port: found } = probe.address() as AddressInfo
      probe.close(() => resolve(found))
    })
  })
}
