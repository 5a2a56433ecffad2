import fc from 'fast-check'
import t from 'tap'

interface Found {
  held?: number
  broke?: number
  reason?: string
  steps: { rate: number }[]
  isTimeOver: boolean
}
interface Options {
  from: number
  max: number
  deadline(): boolean
  attempt(rate: number): Promise<{ reason?: string | undefined }>
}
// @ts-expect-error: the benchmark is plain JavaScript
const { findLimit } = (await import('../../bench/find-limit.mjs')) as {
  findLimit(options: Options): Promise<Found>
}

const failsAbove = (limit: number) => async (rate: number) => (rate <= limit ? {} : { reason: 'p99' })

t.test('the search finds the limit to within 10 % in at most 24 steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 60_000 }), async (from, limit) => {
      const found = await findLimit({ from, max: 50_000, deadline: () => false, attempt: failsAbove(limit) })
      if (found.steps.length > 24) return false
      if (limit < from) return found.held === undefined && found.broke === from
      if (limit >= 50_000) return found.held === 50_000 && found.broke === undefined
      const { held = 0, broke = 0 } = found
      // rates are whole numbers, so the gap cannot be narrower than 1
      return held <= limit && broke > limit && (broke / held <= 1.1 || broke - held <= 1)
    }),
  )
})

t.test('a rate that fails once is tried again, and the search stops at the deadline', async t => {
  let tries = 0
  const attempt = async (rate: number) => (rate === 200 && tries++ === 0 ? { reason: 'errors' } : failsAbove(1_000)(rate))
  const found = await findLimit({ from: 100, max: 50_000, deadline: () => false, attempt })
  t.ok((found.held ?? 0) >= 900, `the highest rate that succeeded is ${found.held}, at least 900 expected`)
  let stepsLeft = 3
  const short = await findLimit({
    from: 100,
    max: 50_000,
    deadline: () => stepsLeft-- === 0,
    attempt: failsAbove(10_000),
  })
  t.match(short, { isTimeOver: true, held: 400 })
})
