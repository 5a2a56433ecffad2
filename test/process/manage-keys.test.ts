/** Keys of a running server, viewed and changed through its admin port. */
import t, { type Test } from 'tap'
import { adminUrl, askAdmin } from '../support/admin.js'
import { prepared, run, type Served, startServe } from '../support/cli.js'
import { ask, ENGINES } from '../support/service.js'

const LOOKUP = '/api/v1/hs-codes/85'
const TOKEN = 'a token'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

async function administered(t: Test, more: Record<string, string> = {}) {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_ADMIN_TOKEN: TOKEN, HSAPI_FIRST_KEY: 'off', ...more }
  const served = await startServe(t, env)
  const admin = await adminUrl(served)
  return { env, served, admin, api: askAdmin(admin, TOKEN) }
}

/** Uses separate connections, so that every thread is asked. */
async function statuses({ url }: Served, key: string): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(url, LOOKUP, { 'x-api-key': key })))
  return [...new Set(answers.map(({ status }) => status))]
}

const commandKeys = async (env: Record<string, string>, ...args: string[]) =>
  JSON.parse((await run(['keys', ...args, '--json'], env)).stdout)

for (const engine of ENGINES) {
  t.test(`a confirmed change has taken effect in every thread (${engine})`, async t => {
    const workers = engine === 'uws' ? '3' : '1'
    const { env, served, api } = await administered(t, { HSAPI_ENGINE: engine, HSAPI_WORKERS: workers })
    t.match(await api('/keys'), { status: 200, data: [], meta: { total: 0 } })

    const made = await api('/keys', { tier: 'pro', name: 'شركة النور', per_minute: 100 })
    t.equal(made.status, 201)
    t.strictSame(await statuses(served, made.data.key), [200])
    const { id } = made.data
    t.match((await api('/keys')).data, [
      { id, name: 'شركة النور', tier: 'pro', per_minute: 100, per_day: 50_000, status: 'active', used_today: 12 },
    ])
    t.match((await api(`/keys/${id}`)).data, { used_this_minute: 12, last_used_on: new Date().toISOString().slice(0, 10) })

    const rotated = await api(`/keys/${id}/rotate`, {})
    t.strictSame([await statuses(served, made.data.key), await statuses(served, rotated.data.key)], [[401], [200]])
    const graceful = await api(`/keys/${id}/rotate`, { grace: '1h' })
    t.strictSame([await statuses(served, rotated.data.key), await statuses(served, graceful.data.key)], [[200], [200]])
    t.match((await api(`/keys/${id}`)).data, { old_key_until: graceful.data.old_key_until, used_today: 48 })

    t.equal((await api(`/keys/${id}/revoke`, {})).status, 200)
    t.strictSame([await statuses(served, rotated.data.key), await statuses(served, graceful.data.key)], [[401], [401]])
    t.match(await api(`/keys/${id}/revoke`, {}), { status: 409, code: 'key_revoked' })
    t.match(await api(`/keys/${id}/rotate`, {}), { status: 409, code: 'key_revoked' })
    t.match((await api('/keys?status=revoked')).data, [{ id, status: 'revoked', old_key_until: undefined }])
    t.match(await commandKeys(env, 'list'), [{ id, status: 'revoked' }], 'the command line lists the same keys')
    const log = served.output()
    for (const what of ['created', 'rotated', 'revoked']) t.match(log, `key ${id} was ${what} through the admin port`)
    t.notMatch(log, /hs_pro_/, 'no key is logged')
    t.equal(await served.end('SIGTERM'), 0)
  })
}

t.test('keys made by commands are listed, and two concurrent changes lose nothing', async t => {
  const { env, served, api } = await administered(t)
  const other = await commandKeys(env, 'create', '--tier', 'basic', '--unlimited', '--name', 'benchmark')
  const made = await Promise.all([1, 2, 3, 4].map(n => api('/keys', { tier: 'free', name: `key ${n}` })))
  t.strictSame(
    made.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  t.equal((await api('/keys')).meta.total, 5)
  t.equal((await commandKeys(env, 'list')).length, 5)
  t.match((await api(`/keys/${other.id}`)).data, { unlimited: true, used_today: null, used_this_minute: null })
  t.match((await api('/keys?search=KEY%203')).data, [{ name: 'key 3' }])
  t.match(await api('/keys?limit=2&offset=2'), { data: { length: 2 }, meta: { total: 5, count: 2, offset: 2, limit: 2 } })
  t.notMatch(JSON.stringify((await api('/keys')).data), /hash|checksum|hs_free_/)
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('/usage has figures of requests, refusals and the dataset', async t => {
  const { served, admin, api } = await administered(t)
  const { data: made } = await api('/keys', { tier: 'pro' })
  for (let n = 0; n < 24; n++) await ask(served.url, LOOKUP, { 'x-api-key': made.key })
  await ask(served.url, LOOKUP)
  const { status, data } = await api('/usage')
  t.equal(status, 200)
  t.match(data, {
    server: { threads: 1, problem: null },
    dataset: { edition: /2022/, records: Number, snapshot: /^[0-9a-f]{16}$/ },
    keys: { active: 1, store: 'file' },
    requests: { total: 25, sample_seconds: 5 },
    refusals: [{ code: 'missing_api_key', status: 401, recent: 1, total: 1 }],
    redis: null,
  })
  t.equal(data.refusals.length, 1, 'only refusals that have occurred are listed')
  t.ok(data.requests.per_second > 0)
  t.ok(data.latency.p50_us > 0 && data.latency.p99_us >= data.latency.p50_us)
  t.equal((await askAdmin(admin)('/usage')).status, 401)
  t.equal((await fetch(`${served.url}/usage`)).status, 404, 'the public port has no figures')
  t.equal((await fetch(`${served.url}/keys`)).status, 404)
})

t.test('the page and its files are served only on the admin port, under a strict policy', async t => {
  const { served, admin } = await administered(t, { HSAPI_EXPLORER: 'off' })
  for (const [language, direction] of [
    ['en', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    const response = await fetch(`${admin}/?lang=${language}`)
    const html = await response.text()
    t.equal(response.status, 200)
    t.match(html, `<html lang="${language}" dir="${direction}">`)
    t.equal(response.headers.get('content-security-policy'), POLICY)
    t.equal(response.headers.get('referrer-policy'), 'no-referrer')
    t.notMatch(html, /<style|style=|<script>|onclick/)
    t.notMatch(html, TOKEN)
    const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file as string)
    t.ok(files.length >= 5)
    for (const file of files) {
      const asset = await fetch(admin + file)
      await asset.arrayBuffer()
      t.strictSame([asset.status, asset.headers.get('x-content-type-options')], [200, 'nosniff'], file)
      t.equal((await fetch(served.url + file)).status, 404, 'the public port does not have the file')
    }
  }
  const { status, headers } = await fetch(`${admin}/`, { headers: { 'if-none-match': '*' } })
  t.strictSame([status, headers.get('cache-control')], [304, 'no-cache'])
  t.equal((await fetch(`${admin}/assets/nothing.js`)).status, 404)
})
