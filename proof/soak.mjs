/** A deployment's day in minutes: mixed requests, key changes, reloads. See README.md. */
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { requestMix } from '../bench/mix.mjs'
import { faultOf } from './shared/contract.mjs'
import { newKey, writeKeys } from './shared/keys.mjs'
import { ask, countedToday, Load } from './shared/load.mjs'
import { readOptions } from './shared/options.mjs'
import { mustRun, ServerProcess } from './shared/program.mjs'
import { Random } from './shared/random.mjs'
import { DATASET_HELP, Stage } from './shared/stage.mjs'

const HELP = `npm run soak -- [options]

  --minutes N     how long (10)
  --seconds N     the same in seconds, for a short run
  --rate N        approximate requests a second (1000)
  --seed N        the same seed makes the same keys (1)
  --engine NAME   uws or node (uws)
${DATASET_HELP}

The exit code is 1 if memory grows; if a count differs from the number of answers; if an answer is missing, wrong or 5xx; if a
revoked key is still accepted after a second plus the slowest health check; or if the server logs anything unexpected.`

const CONNECTIONS = 8
const LARGE_KEYS = 6
/** Limits of the keys: those of a free key and smaller ones, so that some requests are always refused. */
const SMALL_LIMITS = [
  { tier: 'free', per_minute: null, per_day: null },
  { per_minute: 5, per_day: 40 },
]
/** The share of requests that use a key with small limits. */
const SMALL_SHARE = 0.05
const KEY_CHANGE_MS = 3_000
/** Time until a changed key is valid everywhere; on a busy machine, plus the time of a health check. */
const KEY_SEEN_MS = 1_000
/** The wait ends after this time, and the run fails. */
const KEY_SEEN_MS_MAX = 20_000
const RELOAD_MS = 60_000
const SAMPLE_MS = 500
const PROBE_MS = 20
/** Maximum ratio of the memory in the last third of the run to the memory in its middle third. */
const GROWTH_MAX = 1.1
/** In a short run, V8 is still enlarging its young generation, which is not a leak. */
const GROWTH_MB_MIN = 16
/**
 * As in the Dockerfile and the systemd unit: otherwise glibc keeps freed blocks of up to 32 MB, such as a replaced snapshot.
 */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) }
const EXPECTED = /^hsapi: (?:SIGHUP received: loading|\S+ was loaded: |keys read again from )/

const options = readOptions(
  'soak',
  {
    minutes: { max: 1_440, default: 10 },
    seconds: { max: 86_400 },
    rate: { max: 20_000, default: 1_000 },
    seed: { min: 0, max: 2 ** 31 - 1, default: 1 },
    engine: { choices: ['uws', 'node'], default: 'uws' },
    dataset: {},
  },
  HELP,
)
const soakMs = 1000 * (options.seconds ?? 60 * options.minutes)
const print = line => process.stdout.write(`${line}\n`)
const wrong = []
const middle = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const stage = await Stage.open(options.dataset)
const env = { ...stage.env(), ...MALLOC, HSAPI_ENGINE: options.engine }
const random = new Random(options.seed)
const large = Array.from({ length: LARGE_KEYS }, () => newKey(random))
const small = SMALL_LIMITS.map(() => newKey(random))
writeKeys(env.HSAPI_DATA_DIR, [
  ...large.map((key, i) => ({ id: `large${i}`, key })),
  ...small.map((key, i) => ({ id: `small${i}`, key, ...SMALL_LIMITS[i] })),
])
const server = await ServerProcess.start(env)
const endMs = Date.now() + soakMs
const isOver = () => Date.now() >= endMs || !server.isRunning

/** The name of a valid key in the mix, which also has requests with an unknown key. */
const OWN = 'own'
const mix = requestMix({ dataset: stage.dataset, key: OWN })

function next(lane, turn) {
  const [path, { 'X-Api-Key': named }] = mix[(lane * 1_009 + turn) % mix.length]
  const key = random.chance(SMALL_SHARE) ? random.pick(small) : random.pick(large)
  // the pause varies, so that connections do not synchronise
  const pauseMs = (random.next() * 2_000 * CONNECTIONS) / options.rate
  return { path, key: named === OWN ? key : undefined, pauseMs }
}

function check(answer, { path }) {
  const fault = faultOf('GET', path.split('?')[0], answer)
  if (fault !== undefined) return fault
  return [200, 400, 401, 404, 429].includes(answer.status) ? undefined : `status ${answer.status}`
}

/** Creates, uses, rotates and revokes keys, all with the command line. */
async function changeKeys() {
  let changes = 0
  let slowest = { ms: 0, what: '' }
  const isTaken = async key => (await ask(server.port, '/api/v1/hs-codes/85', key)).status === 200
  const until = async (key, wanted, what) => {
    const startMs = Date.now()
    let ms = 0
    while ((await isTaken(key)) !== wanted && ms < KEY_SEEN_MS_MAX) {
      await wait(20)
      ms = Date.now() - startMs
    }
    if (ms > slowest.ms) slowest = { ms, what }
  }
  while (!isOver()) {
    const make = ['keys', 'create', '--tier', 'pro', '--per-minute', '100000', '--json']
    const { id, key } = JSON.parse(await mustRun(make, env))
    await until(key, true, 'made is refused')
    const renewed = JSON.parse(await mustRun(['keys', 'rotate', id, '--json'], env)).key
    await until(renewed, true, 'renewed is refused')
    await until(key, false, 'replaced is accepted')
    await mustRun(['keys', 'revoke', id], env)
    await until(renewed, false, 'revoked is accepted')
    changes += 3
    await wait(Math.max(0, Math.min(randomInt(KEY_CHANGE_MS), endMs - Date.now())))
  }
  return { changes, slowest }
}

async function reload() {
  let reloads = 0
  const everyMs = Math.min(RELOAD_MS, soakMs / 3)
  for (let atMs = Date.now() + everyMs; atMs < endMs && server.isRunning; atMs += everyMs) {
    await wait(Math.max(0, atMs - Date.now()))
    server.signal('SIGHUP')
    await server.waitForLog('was loaded', ++reloads)
  }
  return reloads
}

async function sampleMemory() {
  const samples = []
  while (!isOver()) {
    samples.push(server.residentMb)
    await wait(SAMPLE_MS)
  }
  return samples
}

/** How long the event loop blocks, as a client sees it. */
async function probe() {
  const delays = []
  while (!isOver()) {
    const sentMs = performance.now()
    await ask(server.port, '/api/v1/health')
    delays.push(performance.now() - sentMs)
    await wait(PROBE_MS)
  }
  return delays.sort((a, b) => a - b)
}

/** The answers of the server's last day must match its counts. */
async function checkCounts(load) {
  const midnightMs = Math.floor(Date.now() / 86_400_000) * 86_400_000
  let sum = 0
  for (const [name, key] of [...large.map(key => ['large', key]), ...small.map(key => ['small', key])]) {
    const answered = load.counted(key) - load.countedBefore(key, midnightMs - 1)
    const counted = await countedToday(server.port, key)
    if (answered !== counted) wrong.push(`a ${name} key: ${answered} answered, ${counted} counted`)
    sum += counted
  }
  return sum
}

const load = new Load({ port: () => server.port, connections: CONNECTIONS, next, check }).start()
const [{ changes, slowest }, reloads, samples, delays] = await Promise.all([changeKeys(), reload(), sampleMemory(), probe()])
await load.stop()
wrong.push(...load.wrong)
if (slowest.ms > KEY_SEEN_MS + delays.at(-1)) wrong.push(`a key that was ${slowest.what} ${slowest.ms} ms later`)
if (load.wrongCount > load.wrong.length) wrong.push(`and ${load.wrongCount - load.wrong.length} more`)
const counted = server.isRunning ? await checkCounts(load) : 0
const third = Math.floor(samples.length / 3)
const [early, late] = [middle(samples.slice(third, 2 * third)), middle(samples.slice(2 * third))]
if (late > Math.max(GROWTH_MAX * early, early + GROWTH_MB_MIN))
  wrong.push(`memory grew from ${early.toFixed(0)} MB in the middle third to ${late.toFixed(0)} in the last`)
const code = server.isRunning ? await server.end() : await server.ended
if (code !== 0) wrong.push(`the server ended with ${code}`)
const unexpected = server.unexpected(EXPECTED)
if (unexpected.length > 0) wrong.push(`the server logged: ${unexpected.join(' | ').slice(0, 2_000)}`)

const statuses = Object.entries(load.statuses).map(([status, count]) => `${status}: ${count}`)
const delay = share => (delays[Math.floor(delays.length * share)] ?? delays.at(-1)).toFixed(1)
print(`${load.answered} answers in ${(soakMs / 1000).toFixed(0)} s (${statuses.join(', ')}), ${options.engine}`)
print(
  `${counted} counted by the server today, for each key exactly the answered requests; ${changes} changes of keys, in force after ${slowest.ms} ms at most; ${reloads} reloads`,
)
print(
  `memory: ${early.toFixed(0)} MB in the middle third, ${late.toFixed(0)} in the last, ${Math.max(...samples).toFixed(0)} at most`,
)
print(
  `health on a new connection: median ${delay(0.5)} ms, 99 % within ${delay(0.99)}, 99.9 % within ${delay(0.999)}, slowest ${delay(1)}`,
)
for (const line of wrong) print(`WRONG: ${line}`)
print(wrong.length === 0 ? 'nothing wrong' : `${wrong.length} wrong (--seed ${options.seed})`)
process.exit(wrong.length === 0 ? 0 : 1)
