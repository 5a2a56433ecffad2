import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { stalledSubnets } from '../../src/engines/unread-sockets.js'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const PORT = 8080

/** A line of /proc/net/tcp on a little-endian machine: port 8080 is 1F90, and 192.0.2.7 is 070200C0. */
const line = (local: string, remote: string, state: string, unread: string) =>
  `   0: ${local} ${remote} ${state} ${unread}:00000000 04:00000014 00000000  1000        0 4711 2 0 0`
const V4 = '0100007F:1F90'
const V6 = '00000000000000000000000001000000:1F90'
/** ::ffff:192.0.2.9 and 2001:db8::1 */
const IPV4_MAPPED = '0000000000000000FFFF0000090200C0:C001'
const IPV6 = 'B80D0120000000000000000001000000:C002'

async function tables(t: Test, v4: string[], v6: string[]) {
  const folder = t.testdir({})
  const paths = [join(folder, 'tcp'), join(folder, 'tcp6')]
  const write = async (v4: string[], v6: string[]) => {
    await writeFile(paths[0] as string, [HEAD, ...v4, ''].join('\n'))
    await writeFile(paths[1] as string, [HEAD, ...v6, ''].join('\n'))
  }
  await write(v4, v6)
  return { paths, write }
}

const bytes = (subnet: string) => [...subnet].map(letter => letter.charCodeAt(0))

t.test('the subnets of connections with many unread bytes on the port are found', async t => {
  const { paths } = await tables(
    t,
    [
      line(V4, '070200C0:C000', '01', '00002000'),
      line(V4, '080200C0:C000', '01', '00001FFF'),
      line('0100007F:1F91', '0A0200C0:C000', '01', '00100000'),
      line(V4, '0B0200C0:C000', '08', '00100000'),
    ],
    [line(V6, IPV4_MAPPED, '01', '00100000'), line(V6, IPV6, '01', '00100000')],
  )
  const found = [...(await stalledSubnets(PORT, paths))].map(bytes)
  t.strictSame(found, [
    [192, 0, 2, 7],
    [192, 0, 2, 9],
    [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0],
  ])
})

t.test('connections on a port with a short number, such as 443, are found', async t => {
  const { paths } = await tables(
    t,
    [line('0100007F:01BB', '070200C0:C000', '01', '00100000'), line('0100007F:11BB', '080200C0:C000', '01', '00100000')],
    [],
  )
  t.strictSame([...(await stalledSubnets(443, paths))].map(bytes), [[192, 0, 2, 7]])
})

t.test('a connection that is closed a moment later is not found', async t => {
  const { paths, write } = await tables(t, [line(V4, '070200C0:C000', '01', '00100000')], [])
  const subnets = stalledSubnets(PORT, paths)
  setTimeout(() => write([line(V4, '070200C0:C003', '01', '00100000')], []), 100)
  t.equal((await subnets).size, 0)
})

t.test("if the kernel's tables do not exist, no connection is found", async t => {
  t.equal((await stalledSubnets(PORT, [join(t.testdir({}), 'none')])).size, 0)
})
