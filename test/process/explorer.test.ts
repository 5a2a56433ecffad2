/** HSAPI_EXPLORER in a real server: who needs a key, and what a first start prints. */
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { openExplorer, withExplorer } from '../../src/process/explorer.js'
import { readConfig } from '../../src/settings/config.js'
import { prepared, run, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'

/** The header that a browser sends for a page of the server itself. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

async function keyOf(url: string): Promise<{ mode: string; key?: string }> {
  const response = await fetch(`${url}/explorer.json`, { headers: { ...OWN_PAGE, connection: 'close' } })
  return response.json() as Promise<{ mode: string; key?: string }>
}

async function statusOf(url: string, key: string, path = PATH): Promise<number> {
  const response = await fetch(url + path, {
    headers: { ...OWN_PAGE, 'x-api-key': key, connection: 'close' },
  })
  await response.arrayBuffer()
  return response.status
}

t.test(
  'by default, the explorer is open without a key if only this machine can connect; otherwise it asks for a key',
  async t => {
    const mode = (env: Record<string, string>) => readConfig(env).explorer
    for (const HSAPI_HOST of ['127.0.0.1', '127.8.0.1', 'localhost', 'LOCALHOST', '::1', '0:0:0:0:0:0:0:1'])
      t.equal(mode({ HSAPI_HOST }), 'open', HSAPI_HOST)
    for (const HSAPI_HOST of ['0.0.0.0', '::', '192.0.2.1', '2001:db8::1', 'example.org', '1270.0.1', '::2']) {
      t.equal(mode({ HSAPI_HOST }), 'key', HSAPI_HOST)
      t.equal(mode({ HSAPI_HOST, HSAPI_EXPLORER: 'off' }), 'off')
      t.throws(
        () => mode({ HSAPI_HOST, HSAPI_EXPLORER: 'open' }),
        /HSAPI_EXPLORER is "open", but HSAPI_HOST \(\S+\) is reachable from other machines/,
      )
    }
    t.equal(mode({}), 'open')
    t.equal(mode({ HSAPI_TRUST_PROXY: 'loopback' }), 'key', 'a proxy may connect for other machines')
    t.equal(
      mode({ HSAPI_TRUST_PROXY: 'loopback', HSAPI_EXPLORER: 'open' }),
      'open',
      'forwarded requests can be recognised by their headers',
    )
    t.equal(mode({ HSAPI_SOCKET: '/run/x.sock' }), 'key', 'a proxy may use the socket')
    t.equal(mode({ HSAPI_SOCKET: '/run/x.sock', HSAPI_PORT: '8080' }), 'open')
    t.throws(() => mode({ HSAPI_SOCKET: '/run/x.sock', HSAPI_EXPLORER: 'open' }), /HSAPI_EXPLORER is "open", but HSAPI_SOCKET/)
    t.throws(() => mode({ HSAPI_EXPLORER: 'yes' }), /HSAPI_EXPLORER is "yes"; it must be one of open, key, public, off/)
    for (const more of [{}, { HSAPI_HOST: '0.0.0.0' }, { HSAPI_TRUST_PROXY: 'private' }, { HSAPI_SOCKET: '/run/x.sock' }])
      t.equal(
        mode({ ...more, HSAPI_EXPLORER: 'public' }),
        'public',
        'the explorer is public on any address, but only if this is set',
      )
  },
)

t.test('HSAPI_PUBLIC_URL is an address without a path', async t => {
  const read = (value: string) => readConfig({ HSAPI_PUBLIC_URL: value }).publicUrl
  t.equal(readConfig({}).publicUrl, undefined)
  t.equal(read('https://hs.example.com'), 'https://hs.example.com')
  t.equal(read('https://HS.example.com:443/'), 'https://hs.example.com')
  t.equal(read('http://[2001:db8::1]:8080'), 'http://[2001:db8::1]:8080')
  for (const value of [
    '',
    'hs.example.com',
    'ftp://hs.example.com',
    'https://hs.example.com/x',
    'https://a@hs.example.com',
    'https://x?',
  ])
    t.throws(() => read(value), /HSAPI_PUBLIC_URL is ".*"; it must be an address without a path/, value)
})

for (const engine of ENGINES)
  t.test(`a public site answers on every thread, and the start logs that it is public (${engine})`, async t => {
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_EXPLORER: 'public', HSAPI_TRUST_PROXY: 'loopback' }
    const served = await startServe(t, { ...env, HSAPI_WORKERS: engine === 'uws' ? '2' : '1' })
    t.match(served.output(), 'the explorer is public: no key is needed; each address has 600 requests a minute and 20000 a day')
    t.match(served.output(), 'hsapi: no /sitemap.xml: HSAPI_PUBLIC_URL is not set')
    t.match(served.output(), `\nOpen in a browser: ${served.url}/\n`)
    const headers = { 'x-forwarded-for': '198.51.100.7', connection: 'close' }
    const left: number[] = []
    for (let i = 0; i < 8; i++) {
      const response = await fetch(`${served.url}/code/851713`, { headers })
      t.match(await response.text(), 'Smartphones')
      left.push(Number(response.headers.get('x-ratelimit-remaining-minute')))
    }
    t.strictSame(left, [599, 598, 597, 596, 595, 594, 593, 592], 'the counts of all threads are added up')
    t.equal((await fetch(`${served.url}/robots.txt`)).status, 200)
    t.equal(await served.end('SIGTERM'), 0)
  })

for (const engine of ENGINES) {
  t.test(`a first start prints the address of a page that works without a key (${engine})`, async t => {
    const served = await startServe(t, { ...(await prepared(t)), HSAPI_ENGINE: engine })
    t.match(served.output(), `\nOpen in a browser: ${served.url}/\n`)
    t.equal(
      served.output().match(/http:\/\/[^\s/]+/)?.[0],
      served.url,
      'the first address in the output is that of the public port',
    )
    t.match(await (await fetch(`${served.url}/`)).text(), '<!doctype html>')
    const { mode, key = '' } = await keyOf(served.url)
    t.equal(mode, 'open')
    t.equal(await statusOf(served.url, key), 200)
    t.notMatch(served.output(), key, 'the key is in the pages, but in no log')
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`if visitors need their own key, a first start prints a link that contains the first key (${engine})`, async t => {
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_EXPLORER: 'key' }
    const served = await startServe(t, env)
    const [, key = ''] = /X-Api-Key: (hs_free_\w+)/.exec(served.output()) ?? []
    t.match(served.output(), `\nOpen in a browser: ${served.url}/#key=${key}\n`)
    t.strictSame(await keyOf(served.url), { mode: 'key' })
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`requests through a Unix socket never count as visitors (${engine})`, async t => {
    const socketPath = join(temporaryDirectory(t), 'hsapi.sock')
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_SOCKET: socketPath }
    const served = await startServe(t, env)
    t.equal((await keyOf(served.url)).mode, 'open')
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'localhost' }
      request({ socketPath, path: '/explorer.json', headers, agent: false }, res => {
        res.on('data', piece => resolve(String(piece)))
      })
        .on('error', reject)
        .end()
    })
    t.equal(text, '{"mode":"key"}')
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`on IPv6 loopback, the explorer needs no key either (${engine})`, async t => {
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_HOST: '::1' }
    const served = await startServe(t, env)
    const { key = '' } = await keyOf(served.url)
    t.match(served.url, 'http://[::1]:')
    t.equal(await statusOf(served.url, key), 200)
    t.equal(await served.end('SIGTERM'), 0)
  })
}

t.test('when the explorer is off, there are no pages', async t => {
  const served = await startServe(t, { ...(await prepared(t)), HSAPI_EXPLORER: 'off' })
  for (const path of [
    '/',
    '/code/85',
    '/browse',
    '/classify',
    '/shipment',
    '/check',
    '/invoice',
    '/docs',
    '/docs/',
    '/docs/api',
    '/docs/settings',
    '/explorer.json',
    '/assets/x',
  ]) {
    const response = await fetch(served.url + path)
    t.equal(response.status, 404, path)
    t.match(await response.json(), { error: { code: 'route_not_found' } })
  }
  t.equal((await fetch(`${served.url}/openapi.json`)).status, 200, 'the OpenAPI document is still served')
  t.notMatch(served.output(), 'Open in a browser')
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('the counts of visitors are shared by all threads', { skip: !ENGINES.includes('uws') }, async t => {
  const served = await startServe(t, { ...(await prepared(t)), HSAPI_WORKERS: '2' })
  const keys = new Set<string>()
  // separate connections, so that both threads get some
  for (let i = 0; i < 10; i++) keys.add((await keyOf(served.url)).key ?? '')
  t.equal(keys.size, 1)
  const [key = ''] = keys
  const statuses: number[] = []
  const lane = async () => {
    for (let i = 0; i < 65; i++) statuses.push(await statusOf(served.url, key))
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  t.equal(statuses.filter(status => status === 200).length, 600)
  t.equal(statuses.filter(status => status === 429).length, 50)
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('where quotas and keys are in Redis, visitors are counted locally', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const env = { ...(await prepared(t)), HSAPI_REDIS_URL: redis.url, HSAPI_KEYS: 'redis' }
  const served = await startServe(t, env)
  const { key = '' } = await keyOf(served.url)
  for (let i = 0; i < 20; i++) t.equal(await statusOf(served.url, key), 200)
  await redis.kill()
  t.equal(await statusOf(served.url, key), 200, 'visitors are also counted without Redis')
  const { headers } = await fetch(served.url + PATH, { headers: { ...OWN_PAGE, 'x-api-key': key } })
  t.equal(headers.get('x-ratelimit-remaining-minute'), '578')
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('a setting that would let anyone in without a key is refused in one line', async t => {
  const { code, stderr } = await run(['serve'], {
    ...(await prepared(t)),
    HSAPI_HOST: '0.0.0.0',
    HSAPI_EXPLORER: 'open',
  })
  t.equal(code, 2)
  t.match(stderr, /^hsapi: HSAPI_EXPLORER is "open", but HSAPI_HOST \(0\.0\.0\.0\) .*\n$/)
})

t.test('a program without its page files serves the API and reports the missing files', async t => {
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const parts = await openExplorer(readConfig({}), log, temporaryDirectory(t))
  t.equal(parts, undefined)
  t.match(logged, [/^hsapi: explorer disabled: page files missing or incomplete: .*manifest\.json/])
  t.notOk(withExplorer(parts, []).routes.some(({ kind }) => kind === 'page'))
})
