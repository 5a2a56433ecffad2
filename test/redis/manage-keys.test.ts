/** The admin port of servers that share quotas, or both quotas and keys, through Redis. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { adminUrl, askAdmin } from '../support/admin.js'
import { prepared, run, type Served, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, temporaryDirectory } from '../support/service.js'

const LOOKUP = '/api/v1/hs-codes/85'

const { HSAPI_SNAPSHOT } = await prepared(t)

async function machine(t: Test, url: string, more: Record<string, string> = {}) {
  const env = {
    HSAPI_SNAPSHOT,
    HSAPI_DATA_DIR: join(temporaryDirectory(t), 'data'),
    HSAPI_REDIS_URL: url,
    HSAPI_KEYS: 'redis',
    HSAPI_ADMIN_PORT: '0',
    HSAPI_FIRST_KEY: 'off',
    HSAPI_DRAIN_SECONDS: '0',
    ...more,
  }
  const served = await startServe(t, env)
  return { env, served, api: askAdmin(await adminUrl(served)) }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`)
    await new Promise(done => setTimeout(done, 50))
  }
}

const statusOf = async ({ url }: Served, key: string) => (await ask(url, LOOKUP, { 'x-api-key': key })).status

t.test('any replica shows and changes all keys, and shows their total counts', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const [one, two] = await Promise.all([machine(t, redis.url), machine(t, redis.url)])
  const { data: made } = await one.api('/keys', { tier: 'pro', name: 'shared', per_minute: 100 })
  t.equal(await statusOf(one.served, made.key), 200, 'the replica that created the key accepts it at once')
  await until('the other replica accepts the key', async () => (await statusOf(two.served, made.key)) === 200)
  t.match((await two.api('/keys')).data, [{ id: made.id, name: 'shared', status: 'active' }])
  const { data: used } = await one.api(`/keys/${made.id}`)
  t.ok(
    used.used_today >= 2 && used.used_this_minute === used.used_today,
    `${used.used_today} requests to both replicas are counted, including leased ones`,
  )
  t.equal(used.last_used_on, new Date().toISOString().slice(0, 10))

  const { data } = await one.api('/usage')
  t.equal(data.keys.store, 'redis')
  t.equal(data.redis.is_up, true)
  t.equal(data.redis.replicas.length, 2)
  t.strictSame(data.redis.replicas.map((replica: { is_this: boolean }) => replica.is_this).sort(), [false, true])
  for (const { seen_seconds_ago: ago } of data.redis.replicas) t.ok(ago >= 0 && ago <= 10)

  const { data: rotated } = await two.api(`/keys/${made.id}/rotate`, {})
  t.strictSame([await statusOf(two.served, made.key), await statusOf(two.served, rotated.key)], [401, 200])
  await until('the other replica refuses the old secret', async () => (await statusOf(one.served, made.key)) === 401)
  t.equal((await one.api(`/keys/${made.id}/revoke`, {})).status, 200)
  t.equal(await statusOf(one.served, rotated.key), 401)
  t.match(await two.api(`/keys/${made.id}/rotate`, {}), { status: 409, code: 'key_revoked' })
  const listed = await run(['keys', 'list', '--json'], one.env)
  t.match(JSON.parse(listed.stdout), [{ id: made.id, status: 'revoked' }], 'the command line lists the same key')

  await redis.kill()
  await until('the server has noticed that Redis is gone', async () => (await one.api('/usage')).data.redis.is_up === false)
  t.match(await one.api('/keys', { tier: 'pro' }), { status: 503, code: 'keys_unavailable' })
  t.match(await one.api('/keys'), { status: 503, code: 'keys_unavailable' })
  await redis.restart()
  await until('Redis is back', async () => (await one.api('/keys', { tier: 'pro' })).status === 201)
})

t.test(
  'keys in a file are listed without counts while Redis, which has the counts, is down',
  { skip: WITHOUT_REDIS },
  async t => {
    const redis = await startRedis(t)
    const { served, api } = await machine(t, redis.url, { HSAPI_KEYS: 'file' })
    const { data: made } = await api('/keys', { tier: 'pro' })
    t.equal(await statusOf(served, made.key), 200)
    t.ok((await api(`/keys/${made.id}`)).data.used_today >= 1)
    await redis.kill()
    t.match((await api('/keys')).data, [{ id: made.id, used_today: null, used_this_minute: null, last_used_on: /^\d{4}-/ }])
    t.equal((await api(`/keys/${made.id}/revoke`, {})).status, 200)
    t.equal(await statusOf(served, made.key), 401)
  },
)
