import t from 'tap'
import { readConfig } from '../../src/config.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'

t.test('HSAPI_SHED_401 is a number of 401s a minute, or off', async t => {
  const read = (value?: string) =>
    readConfig(value === undefined ? {} : { HSAPI_SHED_401: value }).unauthorizedPerMinute
  t.equal(read(), 600)
  t.equal(read('1'), 1)
  t.equal(read('1000000'), 1_000_000)
  t.equal(read('0'), 0)
  t.equal(read('off'), 0)
  for (const wrong of ['', 'on', '-1', '1.5', '1000001', '10/s'])
    t.throws(() => read(wrong), {
      message: `HSAPI_SHED_401 is "${wrong}"; it must be off or a whole number from 0 to 1000000`,
    })
})

t.test('HSAPI_TRUST_PROXY lists addresses, networks and two words', async t => {
  const read = (value?: string) =>
    readConfig(value === undefined ? {} : { HSAPI_TRUST_PROXY: value }).trustedProxies
  t.strictSame(read(), [])
  t.strictSame(read('192.0.2.1, 10.0.0.0/8,2001:db8::1,fd00::/8'), [
    { address: '192.0.2.1', bits: 32 },
    { address: '10.0.0.0', bits: 8 },
    { address: '2001:db8::1', bits: 128 },
    { address: 'fd00::', bits: 8 },
  ])
  t.strictSame(read('loopback'), [
    { address: '127.0.0.0', bits: 8 },
    { address: '::1', bits: 128 },
  ])
  t.strictSame(read('private,192.0.2.1'), [
    { address: '10.0.0.0', bits: 8 },
    { address: '172.16.0.0', bits: 12 },
    { address: '192.168.0.0', bits: 16 },
    { address: 'fc00::', bits: 7 },
    { address: '192.0.2.1', bits: 32 },
  ])
  for (const [value, entry] of [
    ['', ''],
    ['192.0.2.1,', ''],
    ['10.0.0.0/8, proxy.example', 'proxy.example'],
    ['10.0.0.0/33', '10.0.0.0/33'],
    ['10.0.0.0/', '10.0.0.0/'],
    ['10.0.0.0/8/8', '10.0.0.0/8/8'],
    ['10.0.0/8', '10.0.0/8'],
    ['fd00::/129', 'fd00::/129'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
  ] as const)
    t.throws(
      () => read(value),
      {
        message: `HSAPI_TRUST_PROXY has "${entry}"; it must list IPv4 or IPv6 addresses or networks such as 10.0.0.0/8, or the words loopback and private`,
      },
      value,
    )
})

t.test('a server sheds as its environment says, each of its threads for itself', async t => {
  const environment = await prepared(t)
  const wrong = await run(['serve'], { ...environment, HSAPI_TRUST_PROXY: 'somewhere' })
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /^hsapi: HSAPI_TRUST_PROXY has "somewhere"; [^\n]+\n$/)

  const limit = 3
  const workers = ENGINES.includes('uws') ? 2 : 1
  const { url, end } = await startServe(t, {
    ...environment,
    HSAPI_SHED_401: String(limit),
    HSAPI_TRUST_PROXY: 'loopback',
    HSAPI_WORKERS: String(workers),
  })
  const statuses: number[] = []
  for (let i = 0; i < 30; i++)
    statuses.push((await ask(url, PATH, { 'x-api-key': 'wrong', 'x-forwarded-for': '192.0.2.1' })).status)
  const refused = statuses.filter(status => status === 401).length
  t.ok(refused >= limit && refused <= workers * limit, `${refused} of 30 got 401`)
  t.equal(statuses.filter(status => status === 429).length, 30 - refused)
  t.equal((await ask(url, PATH, { 'x-api-key': 'wrong', 'x-forwarded-for': '192.0.2.2' })).status, 401)
  t.equal(await end('SIGTERM'), 0)
})
