import t from 'tap'
import type { HttpRequest, HttpResponse } from '../../src/engines/engine.js'
import { parseAddress } from '../../src/engines/ip-address.js'
import { ClientAddresses } from '../../src/http/client-address.js'

/** Returns the client's address. If `peer` is '', the connection is a Unix socket. */
function of(addresses: ClientAddresses, peer: string, ...forwarded: string[]): string {
  const req = {
    forEach: (take: (name: string, value: string) => void) => {
      for (const value of forwarded) take('x-forwarded-for', value)
    },
  } as unknown as HttpRequest
  const bytes = peer === '' ? new Uint8Array(0) : (parseAddress(peer) as Uint8Array)
  return addresses.of(req, { getRemoteAddress: () => bytes.buffer } as unknown as HttpResponse)
}

t.test('without a trusted proxy, the address is that of the connection', async t => {
  const none = new ClientAddresses([])
  t.equal(of(none, '192.0.2.7', '198.51.100.1'), '192.0.2.7')
  t.equal(of(none, '::ffff:192.0.2.7'), '192.0.2.7')
  t.equal(of(none, '2001:db8:0:0:0:0:0:1'), '2001:db8::1')
  t.equal(of(none, ''), '')
})

t.test('behind trusted proxies, the address is the last one that is not a proxy', async t => {
  const proxies = new ClientAddresses([
    { address: '10.0.0.0', bits: 8 },
    { address: '192.0.2.1', bits: 32 },
    { address: 'fd00::', bits: 9 },
  ])
  t.equal(of(proxies, '198.51.100.9', '203.0.113.5'), '198.51.100.9', 'a client that is not a trusted proxy may send any header')
  t.equal(of(proxies, '192.0.2.2', '203.0.113.5'), '192.0.2.2')
  t.equal(of(proxies, '192.0.2.1', '203.0.113.5'), '203.0.113.5')
  t.equal(
    of(proxies, '192.0.2.1', '1.2.3.4, 203.0.113.5, 10.1.2.3'),
    '203.0.113.5',
    'entries that the client added itself are not read',
  )
  t.equal(of(proxies, '192.0.2.1', '1.2.3.4', '203.0.113.5,10.1.2.3'), '203.0.113.5', 'several lines are one list')
  t.equal(of(proxies, 'fd7f::1', '[2001:db8::5]:4711'), '2001:db8::5')
  t.equal(of(proxies, 'fd80::1', '203.0.113.5'), 'fd80::1', 'the length of a network prefix need not be a multiple of 8')
  t.equal(of(proxies, '192.0.2.1', '203.0.113.5:4711'), '203.0.113.5')
  t.equal(of(proxies, '', '203.0.113.5'), '203.0.113.5', 'the proxy connects through a Unix socket')
  t.equal(of(proxies, '192.0.2.1'), '192.0.2.1')
  t.equal(of(proxies, '192.0.2.1', 'unknown'), '192.0.2.1')
  t.equal(of(proxies, '192.0.2.1', 'x, 10.1.1.1'), '10.1.1.1')
  t.equal(of(proxies, '192.0.2.1', '1.2.3.4, unknown'), '192.0.2.1', 'nothing is read beyond a part that is not an address')
  t.equal(of(proxies, '192.0.2.1', '1.2.3.4, , 10.1.1.1'), '10.1.1.1')
  t.equal(
    of(proxies, '192.0.2.1', `203.0.113.5, ${'10.0.0.1, '.repeat(20)}10.0.0.2`),
    '10.0.0.1',
    'a long list is not read to its end',
  )
})
