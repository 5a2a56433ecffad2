import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import type { TlsFiles } from '../../src/engines/engine.js'
import { openEngine } from '../../src/engines/engines.js'
import { WITHOUT_OPENSSL, writeCertificate } from '../support/certificate.js'
import { temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

/** Larger than the kernel's buffers for a client that does not read. */
const BODY = new Uint8Array(24 * 1024 * 1024)
const CLIENTS = 4

async function open(t: Test, bodies: number, tls?: TlsFiles) {
  const engine = openEngine('node', bodies * BODY.length, tls)
  let requests = 0
  engine.route('get', '/', res => {
    requests++
    res.end(BODY)
  })
  const port = await engine.listen('127.0.0.1', 0, false)
  t.teardown(async () => {
    await engine.stopListening()
    engine.close()
  })
  const request = async (): Promise<Socket> => {
    const before = requests
    const socket = tls ? connectTls({ port, rejectUnauthorized: false }) : connect(port)
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until('the request arrives', () => requests > before)
    return socket
  }
  return { engine, request }
}

/** Returns the number of bytes that were read when the connection ended or the response was complete. */
async function read(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', piece => {
    bytes += piece.length
    if (bytes > BODY.length) socket.destroy()
  })
  const closed = new Promise(done => socket.on('close', done))
  socket.resume()
  await closed
  return bytes
}

for (const scheme of ['http', 'https'] as const)
  t.test(
    `node:http closes the connections that have waited longest if too many bytes are unread in total (${scheme})`,
    { skip: scheme === 'https' && WITHOUT_OPENSSL },
    async t => {
      const folder = temporaryDirectory(t)
      const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
      if (scheme === 'https') writeCertificate(files.cert, files.key)
      const { engine, request } = await open(t, 2, scheme === 'https' ? files : undefined)
      const sockets: Socket[] = []
      for (let n = 0; n < CLIENTS; n++) sockets.push(await request())
      await until('two connections are closed', () => engine.connections === 2)
      const byteCounts = await Promise.all(sockets.map(read))
      t.strictSame(
        byteCounts.map(bytes => bytes > BODY.length),
        [false, false, true, true],
        'the two oldest connections are closed before their responses are complete',
      )
      // responses that were read or abandoned no longer count as unread
      await until('all connections are closed', () => engine.connections === 0)
      for (let n = 0; n < CLIENTS; n++) t.ok((await read(await request())) > BODY.length)
    },
  )

t.test('node:http does not close clients with fewer unread bytes than the limit', async t => {
  const { engine, request } = await open(t, CLIENTS)
  const sockets: Socket[] = []
  for (let n = 0; n < CLIENTS; n++) sockets.push(await request())
  t.equal(engine.connections, CLIENTS)
  for (const socket of sockets) t.ok((await read(socket)) > BODY.length)
})

t.test('node:http counts unread responses without a body, too', async t => {
  // the kernel takes some megabytes; the limit for the rest is lower than the number of bytes that Node buffers
  const engine = openEngine('node', 32_768)
  const head = new TextEncoder().encode('200 OK').buffer
  engine.route('head', '/', res => {
    engine.sender.sendHead(res, head, undefined, false)
  })
  const port = await engine.listen('127.0.0.1', 0, false)
  t.teardown(async () => {
    await engine.stopListening()
    engine.close()
  })
  const socket = connect(port)
  socket.on('error', () => {})
  socket.pause()
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  const requests = 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000)
  await until('the connection is closed', () => {
    if (socket.writableLength === 0) socket.write(requests)
    return isClosed
  })
  t.ok(isClosed, 'a client that reads nothing is disconnected')
})

t.test('node:http does not count responses of a connection as unread after they have been read', async t => {
  const short = new Uint8Array(100_000)
  const requests = 16
  // the limit allows one large response, but not also the short ones that were read before it
  const engine = openEngine('node', BODY.length + 5 * short.length)
  let isRequested = false
  engine.route('get', '/', res => {
    isRequested = true
    res.end(BODY)
  })
  engine.route('get', '/short', res => {
    res.end(short)
  })
  const port = await engine.listen('127.0.0.1', 0, false)
  t.teardown(async () => {
    await engine.stopListening()
    engine.close()
  })
  const pipelining = connect(port)
  let bytes = 0
  pipelining.on('data', piece => {
    bytes += piece.length
  })
  pipelining.write('GET /short HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  await until('all short responses are read', () => bytes > requests * short.length)
  const slow = connect(port)
  slow.pause()
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  slow.on('error', () => {})
  await until('the request arrives', () => isRequested)
  pipelining.destroy()
  t.ok((await read(slow)) > BODY.length, 'a client within the limit is not closed')
})
