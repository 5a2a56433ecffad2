import { BlockList } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { addressText, hasPrefix, isLoopback, mapped, parseAddress, subnetOf } from '../../src/engines/ip-address.js'

const NO_BYTES = new Uint8Array(0)

/** Formats a subnet as text: 192.0.2.1, or 2001:db8:0:1::/64. */
function formatted(subnet: string): string {
  const bytes = Buffer.from(subnet, 'latin1')
  if (bytes.length !== 8) return bytes.join('.')
  return `${[0, 2, 4, 6].map(at => bytes.readUInt16BE(at).toString(16)).join(':')}::/64`
}

const subnetText = (text: string) => formatted(subnetOf(parseAddress(text) ?? NO_BYTES))

t.test('an address has the same subnet in any notation', async t => {
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
    t.equal(subnetText(text), expected, `the subnet of "${text}" is "${expected}"`)
})

t.test('the subnet of an IPv6 address is its first 64 bits, in any notation', async t => {
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
      return subnetText(long) === expected && subnetText(short) === expected
    }),
  )
  t.pass('the property holds for all generated cases')
})

t.test('an IPv4 address of 4 bytes, as some sockets report it, has the same subnet as its text', async t => {
  const bytes = Uint8Array.from([192, 0, 2, 1])
  t.equal(subnetOf(bytes), subnetOf(parseAddress('192.0.2.1') ?? NO_BYTES))
  t.strictSame(mapped(bytes), parseAddress('192.0.2.1'))
})

t.test('isLoopback accepts exactly 127.0.0.0/8 and ::1, like a BlockList of node:net', async t => {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  const near = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(rest => `127.${rest.join('.')}`)
  const ipv4 = fc.oneof(fc.ipV4(), near)
  const ipv6 = fc.oneof(fc.ipV6(), fc.constantFrom('::1', '::', '::2', '1::1', '::1:0', '::ffff:127.0.0.1'))
  fc.assert(fc.property(ipv4, text => isLoopback(parseAddress(text) as Uint8Array) === loopback.check(text)))
  fc.assert(fc.property(ipv6, text => isLoopback(parseAddress(text) as Uint8Array) === loopback.check(text, 'ipv6')))
  t.notOk(isLoopback(NO_BYTES), 'a Unix socket has no address')
})

t.test('hasPrefix accepts exactly the addresses of a network, like a BlockList of node:net, for every length', async t => {
  const near = (address: Uint8Array, bit: number) => address.map((byte, i) => (i === bit >> 3 ? byte ^ (128 >> (bit & 7)) : byte))
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.nat(31), (text, bits, changed) => {
      const network = new BlockList()
      network.addSubnet(text, bits)
      const address = near(parseAddress(text) as Uint8Array, 96 + changed)
      return hasPrefix(address, parseAddress(text) as Uint8Array, 96 + bits) === network.check(addressText(address))
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.nat(127), (text, bits, changed) => {
      const own = parseAddress(text) as Uint8Array
      return hasPrefix(near(own, changed), own, bits) === changed >= bits
    }),
    { numRuns: 500 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('the zone of an address is ignored, whatever characters it has', async t => {
  for (const zone of ['', '%eth0', '%eth0.100', '%1']) t.equal(addressText(parseAddress(`fe80::7${zone}`) ?? NO_BYTES), 'fe80::7')
})
