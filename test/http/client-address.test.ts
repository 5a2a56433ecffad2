import { BlockList } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { ClientAddresses } from '../../src/http/client-address.js'
import type { HttpRequest, HttpResponse } from '../../src/http/engine.js'
import { type Network, Networks, parseAddress, siteOf } from '../../src/http/ip-address.js'

const NO_BYTES = new Uint8Array(0)

/** Readable again: 192.0.2.1, or 2001:db8:0:1::/64. */
function shown(site: string): string {
  const bytes = Buffer.from(site, 'latin1')
  if (bytes.length !== 8) return bytes.join('.')
  return `${[0, 2, 4, 6].map(at => bytes.readUInt16BE(at).toString(16)).join(':')}::/64`
}

const countedAs = (text: string) => shown(siteOf(parseAddress(text) ?? NO_BYTES))

const seen = (address: string) =>
  ({ getRemoteAddress: () => (parseAddress(address) ?? NO_BYTES).buffer }) as unknown as HttpResponse

const request = (...forwardedFor: string[]) =>
  ({
    forEach: (take: (name: string, value: string) => void) => {
      take('host', 'x')
      for (const value of forwardedFor) take('x-forwarded-for', value)
    },
  }) as unknown as HttpRequest

const addressOf = (addresses: ClientAddresses, res: HttpResponse, req: HttpRequest) =>
  shown(addresses.of(res, req))

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
  t.equal(addressOf(addresses, seen('10.0.0.1'), request('192.0.2.1')), '10.0.0.1')
  t.equal(addressOf(addresses, seen('::ffff:10.0.0.1'), request()), '10.0.0.1')
  t.equal(addressOf(addresses, seen(''), request()), '')
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
    t.equal(addressOf(addresses, seen(socket), request(...forwarded)), expected, `${socket} ${forwarded}`)
})

t.test('a header line that the caller sent himself does not hide the one that a proxy added', async t => {
  const addresses = new ClientAddresses(PROXIES)
  t.equal(addressOf(addresses, seen('10.0.0.1'), request('203.0.113.1', '198.51.100.1')), '198.51.100.1')
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
    t.equal(addressOf(addresses, seen('10.0.0.1'), request(forwarded)), expected, forwarded.slice(0, 60))
})

t.test('headers that come again give the same, however many others come between', async t => {
  const addresses = new ClientAddresses(PROXIES)
  const ask = (i: number) =>
    addressOf(addresses, seen('10.0.0.1'), request(`203.0.113.1, 198.51.${i >> 8}.${i & 255}`))
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 3_000; i++)
      if (ask(i) !== `198.51.${i >> 8}.${i & 255}`) t.fail(`${i} in round ${round}`)
  const malformed = request('198.51.100.1, unknown')
  t.equal(addressOf(addresses, seen('10.0.0.1'), malformed), '10.0.0.1')
  t.equal(addressOf(addresses, seen('10.0.0.2'), malformed), '10.0.0.2', 'the last good one is the socket')
  const everybody = new ClientAddresses([{ address: '0.0.0.0', bits: 0 }])
  t.equal(addressOf(everybody, seen(''), request('198.51.100.1')), '', 'no address is no proxy')
})

t.test('the 4 bytes of IPv4 alone, as a socket may give them, are the same address', async t => {
  const short = { getRemoteAddress: () => new Uint8Array([10, 0, 0, 1]).buffer } as unknown as HttpResponse
  t.equal(addressOf(new ClientAddresses([]), short, request()), '10.0.0.1')
  t.equal(addressOf(new ClientAddresses(PROXIES), short, request('198.51.100.1')), '198.51.100.1')
})

t.test('whoever is in a network shares its first bits, as node:net sees it, too', async t => {
  const ipv4 = fc.record({
    address: fc.ipV4(),
    other: fc.ipV4(),
    bits: fc.nat(32),
    type: fc.constant('ipv4'),
  })
  const ipv6 = fc.record({
    address: fc.ipV6(),
    other: fc.ipV6(),
    bits: fc.nat(128),
    type: fc.constant('ipv6'),
  })
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), fc.boolean(), ({ address, other, bits, type }, flip) => {
      const list = new BlockList()
      list.addSubnet(address, bits, type as 'ipv4' | 'ipv6')
      const networks = new Networks([{ address, bits }])
      // one bit away, so that near misses are met as well
      const near = parseAddress(address) as Uint8Array
      const at = (type === 'ipv4' ? 96 : 0) + Math.max(0, bits - (flip ? 1 : 0))
      if (at < 128) near[at >> 3] = (near[at >> 3] as number) ^ (128 >> (at & 7))
      const isNear = at >= 128 || !flip || bits === 0
      return (
        networks.has(near) === isNear &&
        networks.has(parseAddress(other) as Uint8Array) === list.check(other, type as 'ipv4' | 'ipv6')
      )
    }),
    { numRuns: 1_000 },
  )
  t.throws(() => new Networks([{ address: 'nowhere', bits: 1 }]))
})

t.test('networks of any size are told apart', async t => {
  const everybody = new ClientAddresses([
    { address: '0.0.0.0', bits: 0 },
    { address: '::', bits: 0 },
  ])
  t.equal(addressOf(everybody, seen('8.8.8.8'), request('192.0.2.1, 2001:db8::1')), '192.0.2.1')
  const one = new ClientAddresses([{ address: '2001:db8::1', bits: 128 }])
  t.equal(addressOf(one, seen('2001:db8::1'), request('192.0.2.1')), '192.0.2.1')
  t.equal(addressOf(one, seen('2001:db8::2'), request('192.0.2.1')), '2001:db8:0:0::/64')
})
