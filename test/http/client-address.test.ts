import fc from 'fast-check'
import t from 'tap'
import { ClientAddresses, countedAs, type Network } from '../../src/http/client-address.js'
import type { HttpRequest, HttpResponse } from '../../src/http/engine.js'

const seen = (address: string) =>
  ({ getRemoteAddressAsText: () => new TextEncoder().encode(address).buffer }) as unknown as HttpResponse

const request = (...forwardedFor: string[]) =>
  ({
    forEach: (take: (name: string, value: string) => void) => {
      take('host', 'x')
      for (const value of forwardedFor) take('x-forwarded-for', value)
    },
  }) as unknown as HttpRequest

const PROXIES: Network[] = [
  { address: '10.0.0.0', bits: 8 },
  { address: '192.0.2.7', bits: 32 },
  { address: 'fd00::', bits: 8 },
]

t.test('an address is counted under one name, however it is written', async t => {
  for (const [text, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['2001:0db8:0000:0001:0000:0000:0000:0005', '2001:db8:0:1::/64'],
    ['2001:DB8:0:1::', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:192.0.2.1', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::5', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['192.0.2', ''],
    ['192.0.2.256', ''],
    ['example.org', ''],
    ['1::2::3', ''],
  ] as const)
    t.equal(countedAs(text), expected, text)
})

t.test('every way of writing an IPv6 address gives its first 64 bits', async t => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
  fc.assert(
    fc.property(fc.tuple(group, group, group, group, group, group, group, group), groups => {
      fc.pre(groups.slice(0, 5).some(value => value !== 0))
      const long = groups.map(value => value.toString(16).padStart(4, '0')).join(':')
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1)
      const expected = `${groups
        .slice(0, 4)
        .map(value => value.toString(16))
        .join(':')}::/64`
      return countedAs(long) === expected && countedAs(short) === expected
    }),
  )
  t.pass('held')
})

t.test("without trusted proxies the socket's own address counts", async t => {
  const addresses = new ClientAddresses([])
  t.equal(addresses.of(seen('10.0.0.1'), request('192.0.2.1')), '10.0.0.1')
  t.equal(addresses.of(seen('::ffff:10.0.0.1'), request()), '10.0.0.1')
  t.equal(addresses.of(seen(''), request()), '')
})

t.test('of what trusted proxies forward, the rightmost address that is not trusted counts', async t => {
  const addresses = new ClientAddresses(PROXIES)
  for (const [socket, forwarded, expected] of [
    ['198.51.100.9', ['192.0.2.1'], '198.51.100.9'],
    ['10.0.0.1', [], '10.0.0.1'],
    ['10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['0000:0000:0000:0000:0000:ffff:0a00:0001', ['198.51.100.1'], '198.51.100.1'],
    ['fd12::1', ['198.51.100.1'], '198.51.100.1'],
    ['10.0.0.1', ['203.0.113.1, 198.51.100.1'], '198.51.100.1'],
    ['10.0.0.1', ['203.0.113.1,198.51.100.1 ,10.9.9.9,\t192.0.2.7'], '198.51.100.1'],
    ['10.0.0.1', ['198.51.100.1, ::ffff:10.1.1.1'], '198.51.100.1'],
    ['10.0.0.1', ['2001:db8:1:2:3:4:5:6'], '2001:db8:1:2::/64'],
    ['10.0.0.1', ['198.51.100.1:5123, [fd00::5]:443'], '198.51.100.1'],
    ['10.0.0.1', ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
    ['fd00::1%eth0', ['198.51.100.1, fd00::2%1'], '198.51.100.1'],
  ] as const)
    t.equal(addresses.of(seen(socket), request(...forwarded)), expected, `${socket} ${forwarded}`)
})

t.test('a header line that the caller sent himself does not hide the one that a proxy added', async t => {
  const addresses = new ClientAddresses(PROXIES)
  t.equal(addresses.of(seen('10.0.0.1'), request('203.0.113.1', '198.51.100.1')), '198.51.100.1')
})

t.test('a malformed entry ends the walk at the last good one', async t => {
  const addresses = new ClientAddresses(PROXIES)
  for (const [forwarded, expected] of [
    ['nonsense', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['198.51.100.1,', '10.0.0.1'],
    ['198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['198.51.100.1, 10.0.0.999, 10.0.0.2', '10.0.0.2'],
    ['198.51.100.1 203.0.113.1', '10.0.0.1'],
    [`198.51.100.1${', 10.0.0.2'.repeat(500)}`, '10.0.0.2'],
  ] as const)
    t.equal(addresses.of(seen('10.0.0.1'), request(forwarded)), expected, forwarded.slice(0, 60))
})

t.test('networks of any size are told apart', async t => {
  const everybody = new ClientAddresses([
    { address: '0.0.0.0', bits: 0 },
    { address: '::', bits: 0 },
  ])
  t.equal(everybody.of(seen('8.8.8.8'), request('192.0.2.1, 2001:db8::1')), '192.0.2.1')
  const one = new ClientAddresses([{ address: '2001:db8::1', bits: 128 }])
  t.equal(one.of(seen('2001:db8::1'), request('192.0.2.1')), '192.0.2.1')
  t.equal(one.of(seen('2001:db8::2'), request('192.0.2.1')), '2001:db8:0:0::/64')
})
