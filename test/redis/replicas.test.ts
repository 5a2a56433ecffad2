/** Several replicas share the quota of a key. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import tap, { type Test } from 'tap'
import { DAY_MS } from '../../src/clock.js'
import { type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'
import {
  areBack,
  ask,
  emptyResult,
  figures,
  type Hammered,
  hammer,
  hammerShared,
  hammerWhile,
  type Replicas,
  startReplicas,
  timesAway,
} from '../support/replicas.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'

const HIGH_LIMIT = 1_000_000
/** node:http uses a single thread. */
const WORKERS = ENGINES.includes('uws') ? ['1', '2'] : ['1']

function isExactly(t: Test, { admitted, other, remainingMin }: Hammered, limit: number, what: string): void {
  t.equal(admitted, limit, what)
  t.strictSame(other, [], 'every status is 200 or 429')
  t.ok(remainingMin >= 0, 'no remaining figure is negative')
}

for (const workers of WORKERS) {
  tap.test(`four replicas with ${workers} workers each admit exactly the limit of a key`, { skip: WITHOUT_REDIS }, async t => {
    const redis = await startRedis(t)
    const replicas = await startReplicas(t, 4, redis.url, { HSAPI_WORKERS: workers })
    for (const limit of [1, 30, 200, 2_000]) {
      const limits = { per_minute: limit, per_day: HIGH_LIMIT }
      const { key, ...hammered } = await hammerShared(replicas, limits, 3 * limit + 40)
      isExactly(t, hammered, limit, `${limit} a minute`)
      for (const port of replicas.ports) {
        // figures from requests that are not counted may be a second old
        let { remainingMinute, remainingDay } = await figures(port, key)
        for (let tries = 0; tries < 30 && remainingMinute > 0; tries++) {
          await pause(100)
          ;({ remainingMinute, remainingDay } = await figures(port, key))
        }
        t.equal(remainingMinute, 0, 'every replica shows 0 remaining')
        t.equal(remainingDay, HIGH_LIMIT - limit, 'every replica shows what is left of the day')
      }
    }
    isExactly(t, await hammerShared(replicas, { per_minute: HIGH_LIMIT, per_day: 120 }, 400), 120, '120 a day')
  })
}

/** Compiles a library that moves the clock of a Redis started with it. Returns its path. */
function clockShift(t: Test): string {
  const library = join(temporaryDirectory(t), 'clock-shift.so')
  const source = fileURLToPath(new URL('clock-shift.c', import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the clock cannot be moved: ${stderr}`)
  return library
}

/** Returns the shift that sets the clock to shortly before midnight (UTC) at the end of the day `daysAhead` days from now. */
const shiftTo = (secondsBefore: number, daysAhead: number) =>
  String(Math.round(((daysAhead + 1) * DAY_MS - (Date.now() % DAY_MS)) / 1000) - secondsBefore)

const WITHOUT_CC = process.env.CI === undefined && spawnSync('cc', ['--version']).error !== undefined && 'cc is not installed'
const TRIES_MAX = 5
const BEFORE_SECONDS = 4

const PER_DAY = 100
const AFTER_MS_MAX = 15_000

interface OverMidnight extends Hammered {
  /** Requests admitted before the end of the first day. */
  onFirst: number
}

/**
 * Sends requests over a midnight. Returns undefined if the machine was too busy: the store was late, or the first day ended
 * before its requests were sent.
 */
async function overMidnight(redis: RedisServer, replicas: Replicas, daysAhead: number): Promise<OverMidnight | undefined> {
  const dayOf = async () => Math.floor((Number((await redis.cli('TIME')).split('\n')[0]) * 1000) / DAY_MS)
  const key = await replicas.key({ per_minute: HIGH_LIMIT, per_day: PER_DAY })
  await redis.kill()
  await redis.restart({ CLOCK_SHIFT_SECONDS: shiftTo(BEFORE_SECONDS, daysAhead) })
  const first = Math.floor(Date.now() / DAY_MS) + daysAhead
  // a request lets the replicas notice that the store was lost and is back
  for (const port of replicas.ports) await figures(port, key)
  await areBack(replicas)
  if ((await dayOf()) !== first) return undefined
  const before = timesAway(replicas)
  const result = emptyResult()
  let isOver = false
  const all = hammerWhile(replicas.ports, key, () => !isOver, result)
  let onFirst = 0
  for (let admitted = 0; (await dayOf()) === first; admitted = result.admitted) {
    onFirst = admitted
    await pause(50)
  }
  // wait as long as necessary, then a while longer in which nothing more may be admitted
  const deadline = Date.now() + AFTER_MS_MAX
  while (result.admitted < 2 * PER_DAY && Date.now() < deadline) await pause(50)
  await pause(700)
  isOver = true
  await all
  await pause(200)
  return timesAway(replicas) === before && onFirst >= PER_DAY ? { ...result, onFirst } : undefined
}

for (const workers of WORKERS) {
  tap.test(
    `at midnight by the store's clock, the new day starts only once (${workers} workers in each replica)`,
    { skip: WITHOUT_REDIS || WITHOUT_CC },
    async t => {
      const redis = await startRedis(t, [], { LD_PRELOAD: clockShift(t), CLOCK_SHIFT_SECONDS: '0' })
      const replicas = await startReplicas(t, 4, redis.url, { HSAPI_WORKERS: workers })
      let result: OverMidnight | undefined
      for (let tries = 0; tries < TRIES_MAX && result === undefined; tries++)
        // another midnight each time, because setting the clock back does not reopen a day
        result = await overMidnight(redis, replicas, tries)
      if (result === undefined) return t.fail('the machine is too busy for this test')
      t.equal(result.onFirst, PER_DAY, 'no further request is admitted before midnight')
      isExactly(t, result, 2 * PER_DAY, '100 requests are admitted before midnight and 100 after it')
    },
  )
}

tap.test('requests that a replica has leased and does not use are available to the others', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const { ports, served, key } = await startReplicas(t, 2, redis.url)
  const [one = 0, two = 0] = ports
  const limited = await key({ per_minute: 20_000, per_day: HIGH_LIMIT })
  // the replica is busy enough to lease ahead, then idle
  const before = await hammer([one], limited, 3_000)
  t.equal(before.admitted, 3_000)
  const id = (await redis.cli('--scan', '--pattern', 'hsapi:use:*')).split('\n')[0] as string
  const deadline = Date.now() + 10_000
  while (Number(await redis.cli('HGET', id, 'mc')) !== 3_000 && Date.now() < deadline) await pause(50)
  t.equal(await redis.cli('HGET', id, 'mc'), '3000', 'unused requests were returned')
  isExactly(t, await hammer([two], limited, 17_500), 17_000, 'the other replica admits the rest')

  const last = await key({ per_minute: 20_000, per_day: HIGH_LIMIT })
  await hammer([one], last, 2_000)
  t.equal(await served[0]?.end('SIGTERM'), 0)
  const names = (await redis.cli('--scan', '--pattern', 'hsapi:use:*')).split('\n')
  const counts = await Promise.all(names.map(name => redis.cli('HGET', name, 'dc')))
  t.ok(counts.includes('2000'), 'the lease is also returned when the replica stops')
})

tap.test('requests that count as several are admitted whole, and their sum is exact', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const replicas = await startReplicas(t, 3, redis.url)
  const LIMIT = 200
  const SEVEN = `/api/v1/resolve?codes=${Array(7).fill('0101').join()}`
  for (let tries = 1; ; tries++) {
    const key = await replicas.key({ per_minute: LIMIT, per_day: HIGH_LIMIT })
    await areBack(replicas)
    const before = timesAway(replicas)
    const { ports } = replicas
    const sevens = await Promise.all(Array.from({ length: 90 }, (_, n) => ask(ports[n % ports.length] as number, key, SEVEN)))
    const spent = 7 * sevens.filter(({ status }) => status === 200).length
    const rest = await hammer(ports, key, 3 * LIMIT)
    await pause(200)
    // if the store answered late, replicas decided without it, and the run proves nothing
    if (timesAway(replicas) !== before && tries < 10) continue
    t.ok(spent > LIMIT - 3 * 7 && spent <= LIMIT, `requests that count as seven take ${spent} of ${LIMIT}`)
    t.strictSame(
      sevens.filter(({ status }) => status !== 200 && status !== 429),
      [],
    )
    isExactly(t, { ...rest, admitted: rest.admitted + spent }, LIMIT, 'single requests use up the rest')
    t.equal((await ask(ports[0] as number, key, `${SEVEN}${',0101'.repeat(43)}`)).status, 429)
    break
  }
})
