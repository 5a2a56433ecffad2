import t from 'tap'

// @ts-expect-error: the benchmark is plain JavaScript
const { readMilliseconds } = (await import('../../bench/option.mjs')) as {
  readMilliseconds(text: string): number | undefined
}

t.test('a duration is a positive number with the unit s, ms or us', async t => {
  t.strictSame(['5ms', '0.5s', '800us'].map(readMilliseconds), [5, 500, 0.8])
  t.strictSame(['5', '0ms', '-1ms', 'ms', '5 ms', '1e3ms'].map(readMilliseconds), Array(6).fill(undefined))
})
