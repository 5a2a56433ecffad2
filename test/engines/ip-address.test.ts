import { BlockList } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { Networks, parseAddress, siteOf, wrapped } from '../../src/engines/ip-address.js'

const NO_BYTES = new Uint8Array(0)

/** Readable again: 192.0.2.1, or 2001:db8:0:1::/64. */
function shown(site: string): string {
  const bytes = Buffer.from(site, 'latin1')
  if (bytes.length !== 8) return bytes.join('.')
  return `${[0, 2, 4, 6].map(at => bytes.readUInt16BE(at).toString(16)).join(':')}::/64`
}

const countedAs = (text: string) => shown(siteOf(parseAddress(text) ?? NO_BYTES))

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

t.test('the 4 bytes of IPv4 alone, as a socket may give them, are the same address', async t => {
  const bytes = Uint8Array.from([192, 0, 2, 1])
  t.equal(siteOf(bytes), siteOf(parseAddress('192.0.2.1') ?? NO_BYTES))
  t.strictSame(wrapped(bytes), parseAddress('192.0.2.1'))
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

t.test('networks of any size are told apart, and what is no address is in none', async t => {
  const has = (address: string, bits: number, text: string) =>
    new Networks([{ address, bits }]).has(parseAddress(text) ?? NO_BYTES)
  t.ok(has('0.0.0.0', 0, '8.8.8.8'))
  t.notOk(has('0.0.0.0', 0, '2001:db8::1'))
  t.ok(has('::', 0, '2001:db8::1'))
  t.ok(has('2001:db8::1', 128, '2001:db8::1'))
  t.notOk(has('2001:db8::1', 128, '2001:db8::2'))
  t.notOk(has('0.0.0.0', 0, ''))
  t.notOk(has('::', 0, ''))
})
