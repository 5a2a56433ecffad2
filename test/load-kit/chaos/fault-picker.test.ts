import assert from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { parsePlan } from '../../../src/load-kit/chaos/expression.js'
import { FaultPicker } from '../../../src/load-kit/chaos/fault-picker.js'
import { HANG_MS, processorMs } from '../../support/processor-time.js'

const HEALTH = '/api/v1/health'
const EXAMPLE = 'latency=20..80ms@10%,status=503@1%,status=429@0.5%,reset@0.1%,slow-body=1KB/s@1%'
const pickerOf = (expression: string, thread = 0) => new FaultPicker(parsePlan(expression), HEALTH, thread)
const faultsOf = (picker: FaultPicker, count: number, path = '/a') => Array.from({ length: count }, () => picker.pick(path))

t.test('the same seed and order of requests give the same faults; other seeds and threads give others', async t => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(63), (seed, thread) => {
      const text = `${EXAMPLE};seed=${seed}`
      assert.deepEqual(faultsOf(pickerOf(text, thread), 200), faultsOf(pickerOf(text, thread), 200))
    }),
    { numRuns: 50 },
  )
  const faults = faultsOf(pickerOf(`${EXAMPLE};seed=7`), 1_000)
  t.notSame(faults, faultsOf(pickerOf(`${EXAMPLE};seed=8`), 1_000))
  t.notSame(faults, faultsOf(pickerOf(`${EXAMPLE};seed=7`, 1), 1_000))
})

t.test('each fault occurs as often as its share, and latencies cover their whole range', async t => {
  const count = 200_000
  const faults = faultsOf(pickerOf(`${EXAMPLE};seed=7`), count)
  const percentOf = (matches: (fault: NonNullable<(typeof faults)[number]>) => boolean) =>
    (100 * faults.filter(fault => fault !== undefined && matches(fault)).length) / count
  const assertNear = (found: number, expected: number, name: string) =>
    t.ok(Math.abs(found - expected) < expected / 5, `${name} occurs in ${found} % of the requests, ${expected} % expected`)
  assertNear(
    percentOf(({ latencyMs }) => latencyMs > 0),
    10,
    'latency',
  )
  assertNear(
    percentOf(({ status }) => status === 503),
    1,
    '503',
  )
  assertNear(
    percentOf(({ status }) => status === 429),
    0.5,
    '429',
  )
  assertNear(
    percentOf(({ isReset }) => isReset),
    0.1,
    'reset',
  )
  assertNear(
    percentOf(({ bytesPerSecond }) => bytesPerSecond === 1024),
    1,
    'slow-body',
  )
  const waits = new Set(faults.flatMap(fault => (fault?.latencyMs ? [fault.latencyMs] : [])))
  t.equal(Math.min(...waits), 20)
  t.equal(Math.max(...waits), 80)
  t.equal(waits.size, 61, 'every millisecond of the range occurs')
})

t.test(
  'latencies add up; the first status and rate are used; a fault of 0% never occurs, one without a share always does',
  async t => {
    t.strictSame(pickerOf('latency=5ms,latency=7ms,status=500,status=503,slow-body=1B/s,slow-body=2B/s').pick('/a'), {
      latencyMs: 12,
      status: 500,
      isReset: false,
      bytesPerSecond: 1,
    })
    t.strictSame(faultsOf(pickerOf('status=503@0%,reset@0%'), 1_000).filter(Boolean), [])
    t.equal(pickerOf('off').pick('/a'), undefined)
  },
)

t.test(
  'only the first rule that matches a path applies; the rule without a path applies to paths that no rule matches',
  async t => {
    const picker = pickerOf(
      '/api/v1/search: status=500; /api/v1/hs-codes/*/children: status=429; /api/v1/hs-codes/85*: status=503; latency=1ms',
    )
    const faultOf = (path: string) => picker.pick(path)?.status ?? picker.pick(path)?.latencyMs
    t.equal(faultOf('/api/v1/search'), 500)
    t.equal(faultOf('/api/v1/search/more'), 1)
    t.equal(faultOf('/api/v1/hs-codes/0101/children'), 429)
    t.equal(faultOf('/api/v1/hs-codes/85/children'), 429)
    t.equal(faultOf('/api/v1/hs-codes/8517'), 503)
    t.equal(faultOf('/api/v1/hs-codes/8517/lines'), 503)
    t.equal(faultOf('/api/v1/hs-codes/84'), 1)
    t.equal(faultOf('/api.v1/search'), 1)
    t.equal(pickerOf('/a.c: reset').pick('/abc'), undefined, 'a dot in a pattern matches only a dot')
    t.equal(pickerOf('/a.*: reset').pick('/abc'), undefined)
  },
)

t.test('a star matches any characters except a slash, and a star at the end matches any characters', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 })
  const expected = (path: string, requested: string) => {
    const isOpen = path.endsWith('*')
    const parts = (isOpen ? path.slice(0, -1) : path).split('*')
    return new RegExp(`^${parts.join('[^/]*')}${isOpen ? '' : '$'}`).test(requested)
  }
  fc.assert(
    fc.property(text, text, (pattern, requested) => {
      const path = `/${requested.replaceAll('*', 'b')}`
      const isMatched = pickerOf(`/${pattern}: reset`).pick(path) !== undefined
      assert.equal(isMatched, expected(`/${pattern}`, path))
    }),
    { numRuns: 2_000 },
  )
})

t.test('a pattern of many stars does not hang a request', async t => {
  for (const [stars, letters] of [
    [5, 120],
    [2_000, 8_000],
  ] as const) {
    const picker = pickerOf(`/${'*a'.repeat(stars)}b: reset`)
    const ms = await processorMs(() => t.equal(picker.pick(`/${'a'.repeat(letters)}`), undefined))
    t.ok(ms < HANG_MS, `a pattern of ${stars} stars took ${ms.toFixed(0)} ms`)
  }
})

t.test('health requests get no faults unless a rule names the path, and do not change the faults of other requests', async t => {
  for (const expression of ['reset', '/*: reset', '/api/v1/*: reset; status=503'])
    t.equal(pickerOf(expression).pick(HEALTH), undefined, expression)
  t.equal(pickerOf(`${HEALTH}: status=503`).pick(HEALTH)?.status, 503)
  const probed = pickerOf(EXAMPLE)
  const withoutHealth = faultsOf(pickerOf(EXAMPLE), 500)
  t.strictSame(
    withoutHealth.map(() => {
      probed.pick(HEALTH)
      return probed.pick('/a')
    }),
    withoutHealth,
  )
})
