/** Several replicas on one store for twenty minutes, with load, key changes, reloads and faults at once. See README.md. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { requestMix } from '../bench/mix.mjs'
import { faultOf } from './shared/contract.mjs'
import { newKey, writeKeys } from './shared/keys.mjs'
import { ask, Load } from './shared/load.mjs'
import { readOptions } from './shared/options.mjs'
import { mustRun, ServerProcess } from './shared/program.mjs'
import { Random } from './shared/random.mjs'
import { DelayProxy, isRedisHere, RedisProcess } from './shared/redis.mjs'
import { DATASET_HELP, Stage } from './shared/stage.mjs'
import { ClusterStore, SentinelStore } from './shared/stores.mjs'

const HELP = `npm run soak:replicas -- [options]

  --minutes N     how long (20)
  --seconds N     the same in seconds, for a short run
  --replicas N    how many servers (3)
  --store NAME    redis, sentinel (three sentinels, a primary, a replica) or cluster (of six) (redis)
  --rate N        approximate requests a second, over all servers (600)
  --seed N        the same seed makes the same keys and faults (1)
  --engine NAME   uws or node (uws)
${DATASET_HELP}

Needs redis-server. The exit code is 1 if an answer is missing (except from a killed server), wrong or 5xx; if a limit is not exact
between two faults; if a changed key is not in force on every replica; if a server does not stop; if memory grows; or if a log has
an unexpected line.`

const CONNECTIONS = 4
const LARGE_KEYS = 6
const LIMIT = 300
/** Pause between two faults: long enough to use up a limit and to check that it stays used up. */
const FAULT_EVERY_MS = 20_000
const RELOAD_EVERY_MS = 60_000
const SPENT_MS = 1_500
const SPEND_MS_MAX = 15_000
const KEY_SEEN_MS_MAX = 20_000
const GROWTH_MAX = 1.1
const GROWTH_MB_MIN = 16
/** As in the Dockerfile and the systemd unit. */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) }
const EXPECTED =
  /SIGHUP received: loading|was loaded: |keys read again from |Redis (?:un)?reachable|still serving the previous dataset/

const options = readOptions(
  'soak-replicas',
  {
    minutes: { max: 1_440, default: 20 },
    seconds: { max: 86_400 },
    replicas: { min: 2, max: 16, default: 3 },
    rate: { max: 20_000, default: 600 },
    seed: { min: 0, max: 2 ** 31 - 1, default: 1 },
    store: { choices: ['redis', 'sentinel', 'cluster'], default: 'redis' },
    engine: { choices: ['uws', 'node'], default: 'uws' },
    dataset: {},
  },
  HELP,
)
if (!isRedisHere) {
  process.stderr.write('soak-replicas: redis-server is not installed\n')
  process.exit(2)
}
const soakMs = 1000 * (options.seconds ?? 60 * options.minutes)
const print = line => process.stdout.write(`${line}\n`)
const wrong = []
const middle = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const stage = await Stage.open(options.dataset)
// a separate copy that a fault may damage
const snapshot = stage.path('served.snapshot')
copyFileSync(stage.snapshot, snapshot)
const random = new Random(options.seed, 40)
/** Redis, reached through a proxy that can cut it off; or a store with several servers. */
const STORES = {
  redis: async () => {
    const redis = await new RedisProcess(stage.path('store')).start()
    const between = await new DelayProxy().start(redis.port)
    return { redis, between, url: `redis://127.0.0.1:${between.port}`, end: () => redis.kill() }
  },
  sentinel: () => new SentinelStore(stage.path('store')).start(),
  cluster: () => new ClusterStore(stage.path('store')).start(),
}
const store = await STORES[options.store]()
const env = {
  ...stage.env(),
  ...MALLOC,
  HSAPI_SNAPSHOT: snapshot,
  HSAPI_ENGINE: options.engine,
  HSAPI_REDIS_URL: store.url,
}
const large = Array.from({ length: LARGE_KEYS }, () => newKey(random))
const rounds = Math.ceil(soakMs / Math.min(FAULT_EVERY_MS, soakMs / 4)) + 2
const limited = Array.from({ length: 2 * rounds }, () => newKey(random))
writeKeys(env.HSAPI_DATA_DIR, [
  ...large.map((key, i) => ({ id: `large${i}`, key })),
  ...limited.map((key, i) => ({ id: `limited${i}`, key, per_day: LIMIT })),
])

const OWN = 'own'
const mix = requestMix({ dataset: stage.dataset, key: OWN })

/** A server with its share of the load. It may be restarted on another port. */
class Replica {
  kills = 0
  restarts = 0
  /** Unexpected log lines, over all restarts. */
  unexpected = []

  constructor(index) {
    this.index = index
  }

  async start() {
    this.server = await ServerProcess.start(env)
    this.load ??= new Load({
      port: () => this.server.port,
      connections: CONNECTIONS,
      mayBeCutOff: this.index > 0,
      next: (lane, turn) => this.#next(lane, turn),
      check: (answer, { path }) => faultOf('GET', path.split('?')[0], answer) ?? statusFault(answer),
    }).start()
    return this
  }

  #next(lane, turn) {
    const [path, { 'X-Api-Key': named }] = mix[(this.index * 5_003 + lane * 1_009 + turn) % mix.length]
    const pauseMs = (random.next() * 2_000 * CONNECTIONS * options.replicas) / options.rate
    return { path, key: named === OWN ? random.pick(large) : undefined, pauseMs }
  }

  async end(signal) {
    const code = await this.server.end(signal)
    this.unexpected.push(...this.server.unexpected(EXPECTED))
    if (signal === 'SIGTERM' && code !== 0) wrong.push(`replica ${this.index} ended with ${code}`)
  }
}

function statusFault({ status }) {
  return [200, 400, 401, 404, 429].includes(status) ? undefined : `the status ${status}`
}

const replicas = []
for (let i = 0; i < options.replicas; i++) replicas.push(await new Replica(i).start())
const endMs = Date.now() + soakMs
const isOver = () => Date.now() >= endMs
const waitBetween = (minMs, maxMs) => wait(random.between(minMs, maxMs))

/** Begins and ends a failure of a primary; another server takes over in between. */
async function failOver(begin, end) {
  // in a cluster any primary, because it is not known here which one stores the limited key
  const primary = await store.primary(`name${random.between(0, 999)}`)
  await begin(primary)
  await store.changed(primary)
  await end(primary)
  await store.settled()
}

/** The faults by store and name. Each is undone at its end. */
const STORE_FAULTS = {
  redis: {
    'Redis paused': async () => {
      store.redis.signal('SIGSTOP')
      await waitBetween(300, 3_000)
      store.redis.signal('SIGCONT')
    },
    'Redis cut off': async () => {
      store.between.isCut = true
      await waitBetween(1_000, 4_000)
      store.between.isCut = false
    },
    'Redis killed': async () => {
      await store.redis.kill()
      await waitBetween(500, 3_000)
      await store.redis.start()
    },
  },
  several: {
    'a primary killed': () =>
      failOver(
        primary => primary.kill(),
        primary => primary.start(),
      ),
    'a primary paused': () =>
      failOver(
        primary => primary.signal('SIGSTOP'),
        primary => primary.signal('SIGCONT'),
      ),
  },
}

/** The first replica is never stopped, because its memory is measured. */
const REPLICA_FAULTS = {
  'a replica killed': async () => {
    const replica = random.pick(replicas.slice(1))
    await replica.end('SIGKILL')
    replica.kills++
    await replica.start()
  },
  'a replica restarted': async () => {
    const replica = random.pick(replicas.slice(1))
    await replica.end('SIGTERM')
    replica.restarts++
    await replica.start()
  },
  'a damaged snapshot': async () => {
    const times = replicas.map(({ server }) => refusals(server) + 1)
    writeFileSync(snapshot, 'damaged')
    for (const { server } of replicas) server.signal('SIGHUP')
    await until(() => replicas.every(({ server }, i) => refusals(server) >= times[i]), 'a damaged snapshot was not refused')
    copyFileSync(stage.snapshot, snapshot)
  },
}

/** Alternates faults of the store and of replicas. */
function faults() {
  const ofStore = Object.entries(STORE_FAULTS[options.store] ?? STORE_FAULTS.several)
  const ofReplicas = Object.entries(REPLICA_FAULTS)
  return Object.fromEntries(ofReplicas.flatMap((fault, i) => [...ofStore.slice(i, i + 1), fault]))
}

const FAULTS = faults()

const refusals = ({ log }) => log.split('served.snapshot').length - log.split('served.snapshot was loaded').length

async function until(holds, fault, ms = 30_000) {
  const deadline = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > deadline) return wrong.push(fault)
    await wait(20)
  }
}

/** Number of requests that all replicas together admit on a fresh key with a daily limit. */
async function spend(during) {
  const key = limited.pop()
  const loads = replicas.map(replica =>
    new Load({
      port: () => replica.server.port,
      connections: 2,
      mayBeCutOff: true,
      next: () => ({ path: '/api/v1/hs-codes/85', key, pauseMs: 5 }),
      check: statusFault,
    }).start(),
  )
  await during?.()
  const admitted = () => loads.reduce((sum, load) => sum + load.counted(key), 0)
  const deadline = Date.now() + SPEND_MS_MAX
  for (let before = -1; before !== admitted() && Date.now() < deadline; await wait(SPENT_MS)) before = admitted()
  for (const load of loads) wrong.push(...(await load.stop()).wrong)
  return admitted()
}

async function causeFaults() {
  const times = {}
  let most = 0
  let stalls = 0
  const names = Object.keys(FAULTS)
  for (let round = 0; !isOver(); round++) {
    const beganMs = Date.now()
    const name = names[round % names.length]
    most = Math.max(most, await spend(FAULTS[name]))
    times[name] = (times[name] ?? 0) + 1
    await until(areConnected, `${name}: not all replicas found Redis again`)
    const before = timesLost()
    const admitted = await spend()
    // a busy machine also stalls Redis; limits are then not exact
    if (timesLost() !== before) stalls++
    else if (admitted !== LIMIT) wrong.push(`after "${name}" ${admitted} of ${LIMIT} were admitted`)
    await wait(Math.max(0, Math.min(beganMs + FAULT_EVERY_MS, endMs) - Date.now()))
  }
  if (most > LIMIT * options.replicas) wrong.push(`during a fault ${most} requests were admitted with a limit of ${LIMIT}`)
  return { times, most, stalls }
}

const timesLost = () => replicas.map(({ server }) => server.log.split('Redis unreachable').length).join()

/** Replicas discover each other within a second, and take leases again half a second after Redis is back. */
const areConnected = async () => {
  const logCounts = text => replicas.map(({ server }) => server.log.split(text).length)
  const lost = logCounts('Redis unreachable')
  const back = logCounts('Redis reachable again')
  await wait(SPENT_MS)
  return lost.every((times, i) => times === back[i])
}

/** Creates, rotates and revokes keys with the command line; every replica must follow. */
async function changeKeys() {
  let changes = 0
  let slowestMs = 0
  const isTaken = ({ server }, key) =>
    ask(server.port, '/api/v1/hs-codes/85', key).then(
      ({ status }) => status !== 401,
      () => undefined,
    )
  const everywhere = async (key, wanted, what) => {
    const startMs = Date.now()
    const areUpdated = async () => {
      const taken = await Promise.all(replicas.map(replica => isTaken(replica, key)))
      return taken.every(one => one === wanted || one === undefined)
    }
    await until(areUpdated, `a key that was ${what}`, KEY_SEEN_MS_MAX)
    slowestMs = Math.max(slowestMs, Date.now() - startMs)
  }
  while (!isOver()) {
    const { id, key } = JSON.parse(await mustRun(['keys', 'create', '--tier', 'pro', '--json'], env))
    await everywhere(key, true, 'made is refused')
    const renewed = JSON.parse(await mustRun(['keys', 'rotate', id, '--json'], env)).key
    await everywhere(key, false, 'replaced is accepted')
    await mustRun(['keys', 'revoke', id], env)
    await everywhere(renewed, false, 'revoked is accepted')
    changes += 3
    await wait(Math.max(0, Math.min(5_000, endMs - Date.now())))
  }
  return { changes, slowestMs }
}

async function reload() {
  let reloads = 0
  const everyMs = Math.min(RELOAD_EVERY_MS, soakMs / 3)
  for (let atMs = Date.now() + everyMs; atMs < endMs; atMs += everyMs) {
    await wait(Math.max(0, atMs - Date.now()))
    for (const { server } of replicas) server.signal('SIGHUP')
    reloads += replicas.length
  }
  return reloads
}

async function sampleMemory() {
  const samples = []
  for (; !isOver(); await wait(500)) samples.push(replicas[0].server.residentMb)
  return samples
}

const [{ times, most, stalls }, { changes, slowestMs }, reloads, samples] = await Promise.all([
  causeFaults(),
  changeKeys(),
  reload(),
  sampleMemory(),
])
let answered = 0
const statuses = {}
for (const { index, load } of replicas) {
  await load.stop()
  wrong.push(...load.wrong.map(text => `replica ${index}: ${text}`))
  answered += load.answered
  for (const [status, count] of Object.entries(load.statuses)) statuses[status] = (statuses[status] ?? 0) + count
}
const third = Math.floor(samples.length / 3)
const [early, late] = [middle(samples.slice(third, 2 * third)), middle(samples.slice(2 * third))]
if (late > Math.max(GROWTH_MAX * early, early + GROWTH_MB_MIN))
  wrong.push(`memory grew from ${early.toFixed(0)} MB in the middle third to ${late.toFixed(0)} in the last`)
for (const replica of replicas) {
  await replica.end('SIGTERM')
  const lines = replica.unexpected
  if (lines.length > 0) wrong.push(`replica ${replica.index} logged: ${lines.slice(0, 5).join(' | ').slice(0, 500)}`)
}
await store.end()

const listed = counts => Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
print(`${answered} answers of ${options.replicas} replicas in ${(soakMs / 1000).toFixed(0)} s (${listed(statuses).join(', ')})`)
print(`faults: ${listed(times).join(', ')}`)
print(
  `a limit of ${LIMIT}: exact between faults (${stalls} not checked, because the machine stalled), at most ${most} admitted during a fault`,
)
print(`${changes} changes of keys, in force everywhere after ${slowestMs} ms at most; ${reloads} reloads`)
print(`memory of the first replica: ${early.toFixed(0)} MB in the middle third, ${late.toFixed(0)} in the last`)
print(`slowest answer: ${Math.max(...replicas.map(({ load }) => load.latencyMsMax)).toFixed(0)} ms`)
for (const line of wrong) print(`WRONG: ${line}`)
print(wrong.length === 0 ? 'nothing wrong' : `${wrong.length} wrong (--seed ${options.seed})`)
process.exit(wrong.length === 0 ? 0 : 1)
