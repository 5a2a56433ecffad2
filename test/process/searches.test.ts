/** The searches of all threads, as an operator sees them. */
import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { fakeServer } from '../support/client.js'
import { ask, ENGINES, FIXTURE, temporaryDirectory } from '../support/service.js'

const ADMIN = /admin port: (http:\S+)/

for (const engine of ENGINES)
  t.test(`the command reads the searches of every thread (${engine})`, async t => {
    const HSAPI_WORKERS = engine === 'uws' ? '3' : '1'
    const on = { HSAPI_ADMIN_PORT: '0', HSAPI_SEARCHES: 'on', HSAPI_ADMIN_TOKEN: 'token', HSAPI_ENGINE: engine, HSAPI_WORKERS }
    const env = { ...(await prepared(t)), ...on }
    const made = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
    const served = await startServe(t, env, ADMIN)
    const admin = served.url
    const [, url = ''] = /ready on (http:\S+)/.exec(served.output()) ?? []
    const search = (q: string) => ask(url, `/api/v1/search?q=${encodeURIComponent(q)}`, { 'x-api-key': made.key })
    for (let n = 0; n < 9; n++) await search('cards')
    for (let n = 0; n < 6; n++) await search('Xyzzyx, "big"; red')
    for (let n = 0; n < 4; n++) await search(`hs_free_${'0'.repeat(32)}_abcdef`)
    for (let n = 0; n < 2; n++) await search('rare horses')
    const command = (...args: string[]) => run(['searches', '--url', admin, ...args], env)
    const { code, stdout } = await command()
    t.equal(code, 0)
    t.match(
      stdout,
      /^\d{4}-\d\d-\d\d: 21 searches, 10 found nothing\ncount +found +text\n +9 +cards\n +6 +nothing +xyzzyx, "big"; red\n$/,
    )
    t.notMatch((await command('--empty')).stdout, 'cards')
    const report = JSON.parse((await command('--json', '--limit', '1')).stdout)
    t.match(report, { count_min: 3, days: [{ searches: 21, empty: 10, queries: [{ q: 'cards', count: 9 }] }] })
    t.notMatch(JSON.stringify(report), /hs_free|rare|127\.0\.0\.1/)
    t.match((await command('--day', '2020-01-01')).stdout, /^Nothing was searched on 2020-01-01/)
    t.equal((await command('--as-keywords')).stdout, 'terms\n"xyzzyx, ""big""  red; "\n')
    t.match(await fetch(`${admin}/searches`), { status: 401 })
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    t.match(metrics, /^hsapi_empty_searches_total 10$/m)
    const wrong = await run(['searches', '--url', admin], { HSAPI_ADMIN_TOKEN: 'wrong', HSAPI_DATA_DIR: env.HSAPI_DATA_DIR })
    t.match(wrong, { code: 1, stderr: /^hsapi: http:\S+: 401: Send HSAPI_ADMIN_TOKEN/ })
    t.equal(await served.end('SIGTERM'), 0)
  })

t.test('errors of the command are one line', async t => {
  const env = await prepared(t)
  for (const [args, more, code, message] of [
    [[], {}, 2, /set HSAPI_ADMIN_PORT to the port of the server, or use --url/],
    [['--limit', '0'], { HSAPI_ADMIN_PORT: '9' }, 2, /--limit is "0"/],
    [['--day', 'today'], { HSAPI_ADMIN_PORT: '9' }, 2, /--day is "today"/],
    [['--json', '--as-keywords'], { HSAPI_ADMIN_PORT: '9' }, 2, /exclude each other/],
    [[], { HSAPI_ADMIN_PORT: '9' }, 1, /^hsapi: http:\/\/127\.0\.0\.1:9: /],
  ] as const) {
    const result = await run(['searches', ...args], { ...env, ...more })
    t.equal(result.code, code)
    t.match(result.stderr, message)
  }
  const served = await startServe(t, { ...env, HSAPI_ADMIN_PORT: '0' }, ADMIN)
  t.match(await run(['searches', '--url', served.url], env), { code: 1, stderr: /404: Searches are not counted/ })
})

t.test('rows for keywords are ordered by their total over all days', async t => {
  const day = (day: string, ...found: [q: string, count: number][]) => {
    const texts = found.map(([q, count]) => ({ q, count }))
    return { day, searches: 9, empty: 9, queries: texts, nothing_found: texts }
  }
  const days = [day('2026-05-04', ['dron', 5], ['quadcopter', 4]), day('2026-05-03', ['quadcopter', 3])]
  const report = JSON.stringify({ since: '2026-05-01T00:00:00.000Z', count_min: 3, days })
  const { url } = await fakeServer(t, (_, res) => res.end(report))
  const { stdout } = await run(['searches', '--as-keywords', '--url', url], await prepared(t))
  t.equal(stdout, 'terms\nquadcopter; \ndron; \n')
})

t.test('incomplete rows for keywords are refused; searches find the words of completed rows', async t => {
  const dataset = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  const file = join(dataset, 'synonyms.csv')
  writeFileSync(file, 'terms\nquadcopter; ')
  t.match(await run(['check', '--dataset', dataset], {}), { code: 2, stderr: /synonyms\.csv:2: a group needs two words or more/ })
  appendFileSync(file, 'horses\n')
  const out = join(dataset, '..', 'own.snapshot')
  t.equal((await run(['build', '--dataset', dataset, '--out', out], {})).code, 0)
  t.match((await run(['search', 'quadcopter', '--snapshot', out], {})).stdout, /010121/)
})

t.test("a visitor's search cannot put a formula into rows for keywords, or a control character into any output", async t => {
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_SEARCHES: 'on' }
  const made = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
  const served = await startServe(t, env, ADMIN)
  const [, url = ''] = /ready on (http:\S+)/.exec(served.output()) ?? []
  const texts = ['=xyzzyx', '+xyzzyx', '-xyzzyx', '@xyzzyx', '\u0000=xyzzyx', '\u202exyzzyx \u0007']
  for (const [i, q] of texts.entries())
    for (let n = 0; n < 10 - i; n++) await ask(url, `/api/v1/search?q=${encodeURIComponent(q)}`, { 'x-api-key': made.key })
  const command = async (...args: string[]) => (await run(['searches', '--url', served.url, ...args], env)).stdout
  t.equal(await command('--as-keywords'), "terms\n'=xyzzyx; \n'+xyzzyx; \n'-xyzzyx; \n'@xyzzyx; \n'=xyzzyx; \nxyzzyx ; \n")
  const json = await command('--json')
  for (const shown of [json, await command('--as-keywords'), await command()])
    t.notMatch(shown.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
  const [{ queries }] = JSON.parse(json).days
  t.strictSame(
    queries.map(({ q }: { q: string }) => q),
    texts,
    'JSON has the searches as they were typed',
  )
})
