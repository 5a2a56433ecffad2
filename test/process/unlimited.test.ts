/** A key without limits, from the command line to a server's threads, with files and with Redis. */
import t, { type Test } from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'

const MOST = 2_147_483_647
const CREATE = ['keys', 'create', '--tier', 'free', '--unlimited']

t.test('every command shows a key without limits as unlimited', async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const made = JSON.parse((await run([...CREATE, '--json'], env)).stdout)
  t.match(made, { unlimited: true, per_minute: MOST, per_day: MOST, key: /^hs_free_/ })
  t.match((await run(CREATE, env)).stdout, /^Key \S+ \(free, unlimited\), does not expire\./)
  const usual = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout)
  t.match(usual, { unlimited: false, per_minute: 30 })
  t.match((await run(['keys', 'list'], env)).stdout, new RegExp(`^${made.id}  free .* unlimited  $`, 'm'))
  t.match(JSON.parse((await run(['keys', 'list', '--json'], env)).stdout)[0], { unlimited: true })
  const shown = (await run(['keys', 'show', made.id], env)).stdout
  t.match(shown, /^per_minute +unlimited$/m)
  t.match(shown, /^per_day +unlimited$/m)
  t.match(shown, /^used_today +-$/m)
  const asJson = JSON.parse((await run(['keys', 'show', made.id, '--json'], env)).stdout)
  t.match(asJson, { unlimited: true, per_day: MOST, used_today: null })
  const rotated = JSON.parse((await run(['keys', 'rotate', made.id, '--json'], env)).stdout)
  t.match(rotated, { id: made.id, unlimited: true })
})

t.test('--unlimited together with limits is refused with a sentence', async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  for (const flag of ['--per-minute', '--per-day']) {
    const { code, stderr } = await run([...CREATE, flag, '5'], env)
    t.equal(code, 2)
    t.equal(stderr, `hsapi: --unlimited and ${flag} exclude each other: leave one of them out\n`)
  }
})

async function neverRunsOut(t: Test, env: Record<string, string>) {
  const { key, id } = JSON.parse((await run([...CREATE, '--json'], env)).stdout)
  const served = await startServe(t, env)
  for (let n = 0; n < 60; n++) {
    const { status, headers } = await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })
    t.equal(status, 200)
    t.equal(headers.get('x-ratelimit-remaining-minute'), String(MOST))
  }
  t.equal(await served.end('SIGTERM'), 0)
  return id as string
}

const workers = ENGINES.includes('uws') ? '2' : '1'

t.test('threads that share counters never exhaust a key without limits', async t => {
  await neverRunsOut(t, { ...(await prepared(t)), HSAPI_WORKERS: workers })
})

t.test(
  'servers with keys and quotas in Redis never exhaust a key without limits, and Redis has no count for it',
  { skip: WITHOUT_REDIS },
  async t => {
    const redis = await startRedis(t)
    const env = {
      ...(await prepared(t)),
      HSAPI_REDIS_URL: redis.url,
      HSAPI_KEYS: 'redis',
      HSAPI_WORKERS: workers,
    }
    const id = await neverRunsOut(t, env)
    t.notMatch(await redis.cli('KEYS', '*'), id, 'Redis has no count for the key')
    t.match(JSON.parse((await run(['keys', 'list', '--json'], env)).stdout), [{ id, unlimited: true }])
  },
)
