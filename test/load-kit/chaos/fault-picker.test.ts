import assert from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { parsePlan } from '../../../src/load-kit/chaos/expression.js'
import { FaultPicker } from '../../../src/load-kit/chaos/fault-picker.js'
import { HANG_MS, processorMs } from '../../support/processor-time.js'

const HEALTH = '/api/v1/health'
const EXAMPLE = 'latency=20..80ms@10%,status=503@1%,status=429@0.5%,reset@0.1%,slow-body=1KB/s@1%'
const pickerOf = (expression: string, thread = 0) => new FaultPicker(parsePlan(expression), HEALTH, thread)
const faultsOf = (one: FaultPicker, count: number, path = '/a') => Array.from({ length: count }, () => one.pick(path))

t.test('the same seed and order of requests give the same faults; other seeds and threads give others', async t => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(63), (seed, thread) => {
      const text = `${EXAMPLE};seed=${seed}`
      assert.deepEqual(faultsOf(pickerOf(text, thread), 200), faultsOf(pickerOf(text, thread), 200))
    }),
    { numRuns: 50 },
  )
  const some = faultsOf(pickerOf(`${EXAMPLE};seed=7`), 1_000)
  t.notSame(some, faultsOf(pickerOf(`${EXAMPLE};seed=8`), 1_000))
  t.notSame(some, faultsOf(pickerOf(`${EXAMPLE};seed=7`, 1), 1_000))
})

t.test('each fault occurs in its share, and latencies are within their range', async t => {
  const count = 200_000
  const drawn = faultsOf(pickerOf(`${EXAMPLE};seed=7`), count)
  const share = (isMet: (lot: NonNullable<(typeof drawn)[number]>) => boolean) =>
    (100 * drawn.filter(lot => lot !== undefined && isMet(lot)).length) / count
  const isNear = (found: number, wanted: number, name: string) =>
    t.ok(Math.abs(found - wanted) < wanted / 5, `${name}: ${found} %`)
  isNear(
    share(({ latencyMs }) => latencyMs > 0),
    10,
    'latency',
  )
  isNear(
    share(({ status }) => status === 503),
    1,
    '503',
  )
  isNear(
    share(({ status }) => status === 429),
    0.5,
    '429',
  )
  isNear(
    share(({ isReset }) => isReset),
    0.1,
    'reset',
  )
  isNear(
    share(({ bytesPerSecond }) => bytesPerSecond === 1024),
    1,
    'slow-body',
  )
  const waits = new Set(drawn.flatMap(lot => (lot?.latencyMs ? [lot.latencyMs] : [])))
  t.equal(Math.min(...waits), 20)
  t.equal(Math.max(...waits), 80)
  t.equal(waits.size, 61, 'every millisecond occurs')
})

t.test('latencies add up; of several statuses or rates, the first is used; 0% is never, and no share is always', async t => {
  t.strictSame(pickerOf('latency=5ms,latency=7ms,status=500,status=503,slow-body=1B/s,slow-body=2B/s').pick('/a'), {
    latencyMs: 12,
    status: 500,
    isReset: false,
    bytesPerSecond: 1,
  })
  t.strictSame(faultsOf(pickerOf('status=503@0%,reset@0%'), 1_000).filter(Boolean), [])
  t.equal(pickerOf('off').pick('/a'), undefined)
})

t.test('the first rule for a path decides alone; the rule without a path applies to all others', async t => {
  const one = pickerOf(
    '/api/v1/search: status=500; /api/v1/hs-codes/*/children: status=429; /api/v1/hs-codes/85*: status=503; latency=1ms',
  )
  const met = (path: string) => one.pick(path)?.status ?? one.pick(path)?.latencyMs
  t.equal(met('/api/v1/search'), 500)
  t.equal(met('/api/v1/search/more'), 1)
  t.equal(met('/api/v1/hs-codes/0101/children'), 429)
  t.equal(met('/api/v1/hs-codes/85/children'), 429)
  t.equal(met('/api/v1/hs-codes/8517'), 503)
  t.equal(met('/api/v1/hs-codes/8517/lines'), 503)
  t.equal(met('/api/v1/hs-codes/84'), 1)
  t.equal(met('/api.v1/search'), 1)
  t.equal(pickerOf('/a.c: reset').pick('/abc'), undefined, 'a dot in a pattern is a dot')
  t.equal(pickerOf('/a.*: reset').pick('/abc'), undefined)
})

t.test('a star is anything up to a slash, and a final star anything at all', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 })
  const expected = (path: string, asked: string) => {
    const isOpen = path.endsWith('*')
    const parts = (isOpen ? path.slice(0, -1) : path).split('*')
    return new RegExp(`^${parts.join('[^/]*')}${isOpen ? '' : '$'}`).test(asked)
  }
  fc.assert(
    fc.property(text, text, (pattern, asked) => {
      const isMet = pickerOf(`/${pattern}: reset`).pick(`/${asked.replaceAll('*', 'b')}`) !== undefined
      assert.equal(isMet, expected(`/${pattern}`, `/${asked.replaceAll('*', 'b')}`))
    }),
    { numRuns: 2_000 },
  )
})

t.test('a pattern of many stars does not hang a request', async t => {
  for (const [stars, letters] of [
    [5, 120],
    [2_000, 8_000],
  ] as const) {
    const one = pickerOf(`/${'*a'.repeat(stars)}b: reset`)
    const ms = await processorMs(() => t.equal(one.pick(`/${'a'.repeat(letters)}`), undefined))
    t.ok(ms < HANG_MS, `${ms.toFixed(0)} ms with ${stars} stars`)
  }
})

t.test('health gets no faults and uses no random numbers unless a rule names it', async t => {
  for (const expression of ['reset', '/*: reset', '/api/v1/*: reset; status=503'])
    t.equal(pickerOf(expression).pick(HEALTH), undefined, expression)
  t.equal(pickerOf(`${HEALTH}: status=503`).pick(HEALTH)?.status, 503)
  const probed = pickerOf(EXAMPLE)
  const quiet = faultsOf(pickerOf(EXAMPLE), 500)
  t.strictSame(
    quiet.map(() => {
      probed.pick(HEALTH)
      return probed.pick('/a')
    }),
    quiet,
  )
})
