import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { OperatorError } from '../../../src/errors.js'
import { type Fault, type Plan, parsePlan, planText } from '../../../src/load-kit/chaos/expression.js'
import { readConfig } from '../../../src/settings/config.js'

const percent = fc.integer({ min: 0, max: 1_000_000 }).map(share => share / 10_000)
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ percent, a: fc.nat(60_000), b: fc.nat(60_000) }).map(({ percent, a, b }) => ({
    percent,
    kind: 'latency' as const,
    fromMs: Math.min(a, b),
    toMs: Math.max(a, b),
  })),
  fc.record({
    percent,
    kind: fc.constant('status' as const),
    status: fc.constantFrom(429 as const, 500 as const, 503 as const),
  }),
  fc.record({ percent, kind: fc.constant('reset' as const) }),
  fc.record({
    percent,
    kind: fc.constant('slow-body' as const),
    bytesPerSecond: fc.oneof(
      fc.integer({ min: 1, max: 1024 * 1024 }),
      fc.integer({ min: 1, max: 1024 }).map(kilobytes => 1024 * kilobytes),
    ),
  }),
)
const path = fc
  .array(fc.constantFrom('api', 'v1', 'search', '*', '85', '85*'), { minLength: 1, maxLength: 5 })
  .map(parts => `/${parts.join('/')}`)
const plan: fc.Arbitrary<Plan> = fc.record({
  rules: fc.uniqueArray(
    fc.record({
      path: fc.option(path, { nil: undefined }),
      faults: fc.array(fault, { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 6, selector: rule => rule.path },
  ),
  seed: fc.nat(2 ** 32 - 1),
})

t.test('the text of a plan is parsed as the same plan, with any spacing', async () => {
  fc.assert(
    fc.property(plan, fc.constantFrom('', ' ', '  '), (original, space) => {
      const text = planText(original)
      // deepStrictEqual would fail, because objects from fast-check have no prototype
      assert.deepEqual(parsePlan(text), original)
      const spaced = text.replaceAll(/[,;]/g, mark => `${space}${mark}${space}`)
      assert.deepEqual(parsePlan(`${space}${spaced}${space}`), original)
      assert.equal(planText(parsePlan(text)), text)
    }),
    { numRuns: 500 },
  )
})

t.test('any text is parsed as a plan or refused with an OperatorError', async () => {
  const pieces = ['latency=', '20..80ms', '@', '1%', 'status=', '503', 'reset', ',', ';', ':', '/a', 'seed=', '7', ' ', 'KB/s']
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...pieces)).map(parts => parts.join('')),
  )
  const read = (expression: string) => {
    try {
      return planText(parsePlan(expression))
    } catch (error) {
      if (error instanceof OperatorError) return error.message
      throw error
    }
  }
  fc.assert(
    fc.property(text, expression => read(expression) !== ''),
    { numRuns: 2_000 },
  )
})

t.test('the example in docs/faults.md is parsed into its faults, and times and rates are printed in one unit', async t => {
  const text = 'latency=20..80ms@10%,status=503@1%,status=429@0.5%,reset@0.1%,slow-body=1KB/s@1%;seed=7'
  t.match(readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8'), `HSAPI_CHAOS='${text}'`)
  t.strictSame(parsePlan(text), {
    rules: [
      {
        path: undefined,
        faults: [
          { kind: 'latency', fromMs: 20, toMs: 80, percent: 10 },
          { kind: 'status', status: 503, percent: 1 },
          { kind: 'status', status: 429, percent: 0.5 },
          { kind: 'reset', percent: 0.1 },
          { kind: 'slow-body', bytesPerSecond: 1024, percent: 1 },
        ],
      },
    ],
    seed: 7,
  })
  t.equal(planText(parsePlan('latency=1.5s,latency=1..2s')), 'latency=1500ms,latency=1000..2000ms; seed=1')
  t.equal(planText(parsePlan('slow-body=1MB/s')), 'slow-body=1024KB/s; seed=1')
  t.equal(planText(parsePlan(' off ')), 'off')
})

t.test('an error quotes the wrong part of the expression', async t => {
  for (const [expression, message] of [
    ['', /^"" has an empty part; use off/],
    ['1', /^"1" is not a fault; use latency/],
    ['on', /^"on" is not a fault/],
    ['latency', /^"latency" is not a fault/],
    ['reset@1%,latency=20..80@10%', /^"latency=20..80@10%" must be a time/],
    ['latency=1.5ms', /^"latency=1.5ms" must be a time in whole milliseconds/],
    ['latency=80..20ms', /^"latency=80..20ms" must be from a shorter to a longer time/],
    ['latency=61s', /at most 60s$/],
    ['status=404@1%', /^"status=404@1%" must have one of the statuses 429, 500, 503$/],
    ['status=503@101%', /^"status=503@101%" must end with a share from 0% to 100%/],
    ['status=503@1', /must end with a share/],
    ['reset=5', /^"reset=5" is not a fault/],
    ['slow-body=2MB/s', /must be a rate from 1B\/s to 1MB\/s/],
    ['slow-body=0B/s', /must be a rate/],
    ['reset@1%,,status=503', /^"reset@1%,,status=503" has an empty fault/],
    ['reset;;seed=1', /has an empty part/],
    ['seed=7', /has a seed but no fault/],
    ['reset;seed=x', /^"seed=x" must have a whole number from 0 to 4294967295$/],
    ['reset;seed=4294967296', /must have a whole number/],
    ['reset;seed=1;seed=2', /^"seed=2" sets the seed a second time$/],
    ['reset;status=503', /^"status=503" has no path, like an earlier part; combine the two parts$/],
    ['/a: reset; /a: status=503', /^"\/a: status=503" has the same path as an earlier part; combine the two parts$/],
    ['search: reset', /^"search" must be a path/],
    ['off; reset', /^"off" is not a fault/],
    [Array(65).fill('reset').join(), /65 faults; the maximum is 64/],
    ['reset,'.repeat(1_000), /^it has 6000 characters/],
  ] as const)
    t.throws(() => parsePlan(expression), { message }, `"${expression.slice(0, 40)}" is refused`)
})

t.test('an invalid HSAPI_CHAOS is refused with its name; without this setting there are no faults', async t => {
  t.throws(() => readConfig({ HSAPI_CHAOS: 'status=418' }), {
    message: /^HSAPI_CHAOS: "status=418" must have/,
  })
  t.equal(readConfig({}).chaos, undefined)
  t.equal(readConfig({ HSAPI_CHAOS: 'off' }).chaos, 'off')
  t.equal(readConfig({ HSAPI_CHAOS: 'reset@1%' }).chaos, 'reset@1%; seed=1')
})
