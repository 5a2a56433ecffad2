import t from 'tap'
import { readConfig } from '../../src/settings/config.js'
import { prepared, run } from '../support/cli.js'

t.test('HSAPI_TRUST_PROXY accepts addresses, networks, and the words loopback and private', async t => {
  const read = (value?: string) => readConfig(value === undefined ? {} : { HSAPI_TRUST_PROXY: value }).trustedProxies
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

t.test('a server with an unreadable proxy list does not start', async t => {
  const { code, stderr } = await run(['serve'], { ...(await prepared(t)), HSAPI_TRUST_PROXY: 'somewhere' })
  t.equal(code, 2)
  t.match(stderr, /^hsapi: HSAPI_TRUST_PROXY has "somewhere"; [^\n]+\n$/)
})
