/** Figures of /usage that depend on the state of the server and of its replicas. */
import t, { type Test } from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { LeaseTable } from '../../src/leases/lease-table.js'
import { Tally } from '../../src/metrics/tally.js'
import { UsageFigures, type UsageFiguresOptions } from '../../src/process/usage-figures.js'
import { START_MS } from '../support/service.js'

async function figures(t: Test, more: Partial<UsageFiguresOptions>) {
  const administration = { notReady: () => undefined, warnings: () => [] } as unknown as UsageFiguresOptions['administration']
  const tallies = [Tally.withKeys(4), Tally.withKeys(4)]
  const options = { engine: 'uws', administration, gate: new Gate(), tallies, keys: 'file', shared: undefined, ...more } as const
  const usage = new UsageFigures(options)
  t.teardown(() => usage.stop())
  // biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes
  return (await usage.read()) as any
}

t.test('the reason why a server is not ready comes before its warnings', async t => {
  const state = (reason: string | undefined, warnings: string[]) => {
    const administration = { notReady: () => reason, warnings: () => warnings }
    return figures(t, { administration: administration as unknown as UsageFiguresOptions['administration'] })
  }
  t.match((await state('no dataset', ['keys: none'])).server, { problem: 'no dataset', threads: 2 })
  t.equal((await state(undefined, ['keys: none', 'engine: slow'])).server.problem, 'keys: none; engine: slow')
  t.equal((await state(undefined, [])).server.problem, null)
})

t.test(
  'replicas are listed with the seconds since they were seen; Redis is up if it replies and no thread has lost it',
  async t => {
    const table = LeaseTable.create(4)
    const replies: unknown[] = [START_MS, ['other', String(START_MS - 1_540), table.replicaId, String(START_MS - 200)]]
    const redis = (isConnected: boolean, isLost: boolean) => {
      const send = async () => {
        if (!isConnected) throw new Error('gone')
        return replies
      }
      const shared = { redis: { connection: async () => ({ prefix: '', send }) }, table, store: { isLost } }
      return figures(t, { shared: shared as unknown as UsageFiguresOptions['shared'] }).then(({ redis }) => redis)
    }
    const replicas = [
      { id: 'other', seen_seconds_ago: 1.5, is_this: false },
      { id: table.replicaId, seen_seconds_ago: 0.2, is_this: true },
    ]
    t.strictSame(await redis(true, false), { is_up: true, replicas })
    t.strictSame(await redis(true, true), { is_up: false, replicas })
    t.strictSame(await redis(false, false), { is_up: false, replicas: null })
  },
)
