import t from 'tap'
import { limits } from '../../src/web/app/data/api.js'
import { pause } from '../../src/web/app/data/pace.js'

t.test(
  "the less of the minute's quota is left, the longer a page waits after a letter; in the end it waits for Enter",
  async t => {
    const before = limits.peek()
    t.teardown(() => {
      limits.value = before
    })
    const pauses = (limit: number, remaining: number) => {
      limits.value = { ...before, limit, remaining }
      return [pause(false), pause(true)]
    }
    for (const [limit, remaining, expected] of [
      [600, 201, [0, 0]],
      [600, 101, [0, 0]],
      [300, 101, [0, 0]],
      [600, 100, [300, 450]],
      [300, 100, [300, 450]],
      [299, 200, [120, 250]],
      [299, 150, [120, 250]],
      [30, 30, [120, 250]],
      [30, 16, [120, 250]],
      [30, 15, [300, 450]],
      [30, 7, [300, 450]],
      [30, 6, [null, null]],
      [100, 11, [300, 450]],
      [100, 10, [null, null]],
      [600, 11, [300, 450]],
      [600, 10, [null, null]],
      [600, 0, [null, null]],
    ] as const)
      t.strictSame(pauses(limit, remaining), expected, `${remaining} of ${limit}`)
  },
)
