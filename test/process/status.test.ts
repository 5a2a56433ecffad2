/** The status of a running server: whether Redis is reachable, its problems, and how much of its quota each key has used. */
import { mock } from 'node:test'
import t from 'tap'
import { DAY_MS, isoDay, utcDay } from '../../src/clock.js'
import { Gate } from '../../src/gate/gate.js'
import { Administration, type AdministrationOptions } from '../../src/process/administration.js'
import { KeyUses } from '../../src/process/key-use.js'
import { StoreStatusLog } from '../../src/process/leases.js'
import { oneAtATime } from '../../src/process/one-at-a-time.js'
import { Counters } from '../../src/quotas/counters.js'
import { makeKey, START_MS } from '../support/service.js'

t.test('Redis is reported as lost by the first thread that loses it, and as back when the last thread has it again', async t => {
  const lines: string[] = []
  const status = new StoreStatusLog((line, level = 'info') => lines.push(`${level} ${line}`))
  t.strictSame([status.isLost, status.problem], [false, undefined])
  status.lost('first')
  status.lost('second')
  t.strictSame([status.isLost, status.problem], [true, 'second'])
  status.back()
  t.ok(status.isLost)
  status.back()
  t.strictSame([status.isLost, status.problem], [false, undefined])
  status.lost('third')
  t.strictSame(lines, [
    'warning hsapi: Redis unreachable; using local quotas: first',
    'info hsapi: Redis reachable again; quotas are shared',
    'warning hsapi: Redis unreachable; using local quotas: third',
  ])
})

t.test('unusable records of keys are logged once a second, with the number of further ones since the last line', async t => {
  let nowMs = 5_000
  const now = mock.method(performance, 'now', () => nowMs)
  t.teardown(() => now.mock.restore())
  const lines: string[] = []
  const status = new StoreStatusLog(line => lines.push(line))
  const damaged = (atMs: number) => {
    nowMs = atMs
    status.damaged(`key${atMs}`, 'why')
    return lines.splice(0).map(line => /key(\d+)/.exec(line)?.[1] + (/\((\d+) more/.exec(line)?.[1] ?? ''))
  }
  t.strictSame(damaged(5_000), ['5000'])
  t.strictSame(damaged(5_500), [])
  t.strictSame(damaged(5_999), [])
  t.strictSame(damaged(6_000), ['60002'])
  t.strictSame(damaged(7_000), ['7000'], 'the number starts at 0 after each line')
})

const options = (more: object = {}): AdministrationOptions =>
  ({
    engine: { name: 'uws', reason: '' },
    gate: { keyCount: 1, hasKeys: true },
    tallies: [],
    leases: undefined,
    chaos: undefined,
    usage: { failures: 0, problem: undefined },
    logDropped: () => 0,
    isAfterKill: false,
    keys: { problem: undefined, isDamaged: false },
    searches: undefined,
    page: async () => undefined,
    busiestKeys: { list: () => [] },
    ...more,
  }) as unknown as AdministrationOptions

t.test('a server is ready once it has a dataset and knows its keys, until it stops', async t => {
  const gate = { keyCount: 0, hasKeys: false }
  const administration = new Administration(options({ gate }))
  t.equal(administration.notReady(), 'starting')
  t.equal(administration.inUse(), undefined)
  t.match(await administration.reload(), { isLoaded: false, message: /still starting/ })
  administration.dataset = { parts: { id: 'abc', meta: { version: '1.2.3' } } as never, loadSeconds: 1, sinceMs: START_MS }
  t.match(administration.inUse(), 'snapshot: abc, version 1.2.3, in use since 2026-')
  t.equal(administration.notReady(), 'no keys are known yet')
  gate.hasKeys = true
  t.equal(administration.notReady(), undefined)
  administration.isStopping = true
  t.equal(administration.notReady(), 'stopping')
})

t.test('each problem that does not stop requests has a warning that starts with the name of the affected part', async t => {
  t.strictSame(new Administration(options()).warnings(), [])
  const administration = new Administration(
    options({
      engine: { name: 'node', reason: 'no binary' },
      gate: { keyCount: 0, hasKeys: true },
      usage: { failures: 1, problem: 'disk full' },
      keys: { problem: 'keys gone', isDamaged: true },
      leases: { table: {}, store: { problem: 'refused', isLost: true } },
    }),
  )
  const controls = (endsMs: number, problem: string | undefined) => ({
    reloads: { loaded: 0, refused: 0, problem },
    certificate: { endsMs },
  })
  Object.assign(administration, { controls: controls(Date.now() - 1_000, 'no file') })
  t.strictSame(administration.warnings(), [
    'keys: keys gone',
    'keys: no key is active; "hsapi keys create" creates one',
    'counts: not being saved: disk full',
    'redis: unreachable, quotas are local: refused',
    'reload: the last reload was refused: no file',
    'certificate: expired',
    'engine: node:http instead of uWebSockets.js: no binary',
  ])
  const healthy = new Administration(options({ leases: { table: {}, store: { problem: undefined, isLost: false } } }))
  Object.assign(healthy, { controls: controls(Date.now() + 60_000, undefined) })
  t.strictSame(healthy.warnings(), [])
})

t.test('runs never overlap; calls made during a run share the next run and its result, even if it fails', async t => {
  const started: ((error?: Error) => void)[] = []
  const run = oneAtATime(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = started.length + 1
        started.push(error => (error === undefined ? resolve(number) : reject(error)))
      }),
  )
  const turn = () => new Promise(done => setImmediate(done))
  const first = run()
  const [second, alsoSecond] = [run(), run()]
  await turn()
  t.equal(started.length, 1)
  started[0]?.()
  t.equal(await first, 1)
  await turn()
  t.equal(started.length, 2)
  const third = run()
  started[1]?.(new Error('failed'))
  await t.rejects(second, /failed/)
  await t.rejects(alsoSecond, /failed/)
  await turn()
  started[2]?.()
  t.equal(await third, 3)
  const fourth = run()
  t.equal(started.length, 4, 'if nothing runs, a call starts at once')
  started[3]?.()
  t.equal(await fourth, 4)
})

t.test('the use of a key is counted by this server or, with Redis, by Redis; the last day is the later of both', async t => {
  const counters = Counters.create(4)
  const gate = new Gate(counters)
  const { key, record } = makeKey('free')
  gate.setKey(record)
  gate.admit(key, START_MS)
  gate.admit(key, START_MS)
  const today = utcDay(START_MS)
  t.strictSame(await new KeyUses(gate, counters, undefined).of([record.id, 'unknown'], START_MS), [
    { used_today: 2, used_this_minute: 2, last_used_on: isoDay(START_MS) },
    { used_today: 0, used_this_minute: 0, last_used_on: null },
  ])
  const inRedis = async (fields: (string | null)[]) => {
    const connection = { prefix: 'hsapi:', send: async () => fields }
    const uses = new KeyUses(gate, counters, { connection: async () => connection } as never)
    return (await uses.of([record.id], START_MS))[0]
  }
  const fields = (minuteCount: number, day: number, dayCount: number) => [START_MS, minuteCount, day, dayCount].map(String)
  t.strictSame(await inRedis(fields(5, today, 9)), { used_today: 9, used_this_minute: 5, last_used_on: isoDay(START_MS) })
  t.match(
    await inRedis(fields(5, today - 3, 9)),
    { used_today: 0, last_used_on: isoDay(START_MS) },
    'the key was used on this server later',
  )
  t.match(await inRedis([null, null, null, null]), { used_today: 0, used_this_minute: 0, last_used_on: isoDay(START_MS) })
  t.strictSame(await inRedis(['x', '1', '1', '1']), {
    used_today: null,
    used_this_minute: null,
    last_used_on: isoDay(START_MS),
  })
  const other = new KeyUses(new Gate(Counters.create(4)), Counters.create(4), {
    connection: async () => ({ prefix: '', send: async () => fields(5, today - 3, 9) }),
  } as never)
  t.match(await other.of(['elsewhere'], START_MS), [{ used_today: 0, last_used_on: isoDay((today - 3) * DAY_MS) }])
})

t.test('metrics have the state of every part', async t => {
  const lines = (more: object, controls?: object) => {
    const administration = new Administration(options(more))
    if (controls !== undefined) Object.assign(administration, { controls })
    return administration.metrics().split('\n')
  }
  const figures = { asked: 5, waited: 4, alone: 3, lost: 2, tripTicks: 150_000 }
  const failing = lines(
    {
      usage: { failures: 6, problem: 'disk full' },
      keys: { problem: 'keys gone', isDamaged: true },
      leases: { table: { figures }, store: { problem: 'refused', isLost: true } },
      isAfterKill: true,
      logDropped: () => 8,
    },
    { reloads: { loaded: 1, refused: 2, problem: 'no file' }, certificate: { endsMs: 9_000 } },
  )
  for (const line of [
    'hsapi_ready 0',
    'hsapi_keys 1',
    'hsapi_key_source_failing 1',
    'hsapi_key_file_damaged 1',
    'hsapi_usage_save_failures_total 6',
    'hsapi_usage_save_failing 1',
    'hsapi_store_up 0',
    'hsapi_store_round_trips_total 5',
    'hsapi_store_round_trip_seconds_sum_total 1.5',
    'hsapi_store_waited_requests_total 4',
    'hsapi_store_alone_requests_total 3',
    'hsapi_store_losses_total 2',
    'hsapi_started_after_kill 1',
    'hsapi_log_dropped_total 8',
    'hsapi_reloads_total{result="loaded"} 1',
    'hsapi_reloads_total{result="refused"} 2',
    'hsapi_reload_refused 1',
    'hsapi_certificate_end_timestamp_seconds 9',
  ])
    t.ok(failing.includes(line), line)
  const healthy = lines({ leases: { table: { figures }, store: { problem: undefined, isLost: false } } })
  for (const name of ['key_source_failing', 'key_file_damaged', 'usage_save_failing', 'started_after_kill', 'reload_refused'])
    t.ok(healthy.includes(`hsapi_${name} 0`), name)
  t.ok(healthy.includes('hsapi_store_up 1'))
})
