import t from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES } from '../support/service.js'
import { until } from '../support/until.js'

const PATH = '/api/v1/hs-codes/85'

const skip = ENGINES.includes('uws') ? false : 'threads need uWebSockets.js'

t.test('two workers share the port, the counters and the keys', { skip }, async t => {
  const env = { ...(await prepared(t)), HSAPI_WORKERS: '2' }
  const create = async (...args: string[]) =>
    JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json', ...args], env)).stdout) as {
      id: string
      key: string
    }
  const limited = await create('--per-minute', '300')
  const served = await startServe(t, env)

  // a new connection for each request, so that both threads get some
  const statuses: number[] = []
  const lane = async () => {
    for (let i = 0; i < 50; i++) statuses.push((await ask(served.url, PATH, { 'x-api-key': limited.key })).status)
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  t.equal(statuses.filter(status => status === 200).length, 300, 'exactly as many requests as the limit allows are admitted')
  t.equal(statuses.filter(status => status === 429).length, 200)

  const later = await create('--per-minute', '2000000000', '--per-day', '2000000000')
  // separate connections: twenty in a row reach both threads
  const areAll = async (status: number) => {
    for (let i = 0; i < 20; i++) if ((await ask(served.url, PATH, { 'x-api-key': later.key })).status !== status) return false
    return true
  }
  await until('both threads know the new key', () => areAll(200))
  await run(['keys', 'revoke', later.id], env)
  await until('both threads refuse the revoked key', () => areAll(401))

  const second = await run(['serve'], {
    ...(await prepared(t)),
    HSAPI_WORKERS: '2',
    HSAPI_PORT: new URL(served.url).port,
  })
  t.equal(second.code, 2)
  t.match(second.stderr, /cannot listen on/)
  t.equal(await served.end('SIGTERM'), 0)

  const again = await startServe(t, env)
  const { headers } = await ask(again.url, '/api/v1/health', { 'x-api-key': limited.key })
  t.equal(headers.get('x-ratelimit-remaining-day'), '700', 'the counts of both threads were saved')
  t.equal(await again.end('SIGINT'), 0)
})
