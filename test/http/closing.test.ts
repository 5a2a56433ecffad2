import type { Test } from 'tap'
import type { Route } from '../../src/http/routes.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, openService, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

const HEALTH = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n'

/** Whether new connections are refused; from then on, responses announce that the connection will close. */
const isRefused = (port: number) =>
  Connection.open(port).then(
    ({ socket }) => !socket.destroy(),
    () => true,
  )

testOnEngines('a stopping server closes keep-alive connections with their next answer', async t => {
  const { port, server } = await openService(t)
  const connection = await Connection.open(port)
  connection.send(HEALTH)
  await connection.until(/"status":"ok"/)
  t.notMatch(connection.text, /connection: close/i)
  connection.text = ''
  const closed = server.close()
  await until('new connections are refused', () => isRefused(port))
  connection.send(HEALTH)
  await connection.closed
  t.match(connection.text, /^HTTP\/1\.1 200 OK/)
  t.match(connection.text, /connection: close/i)
  await closed
  await t.rejects(Connection.open(port), /ECONNREFUSED/)
})

testOnEngines('a stopping server closes keep-alive connections after their next answer to HEAD, too', async t => {
  const { port, server } = await openService(t)
  const connection = await Connection.open(port)
  connection.send(HEALTH.replace('GET', 'HEAD'))
  await connection.until(/\r\n\r\n$/)
  connection.text = ''
  const closed = server.close()
  await until('new connections are refused', () => isRefused(port))
  connection.send(HEALTH.replace('GET', 'HEAD'))
  await connection.until(/\r\n\r\n$/)
  t.match(connection.text, /^HTTP\/1\.1 200 OK/)
  t.match(connection.text, /connection: close/i)
  t.match(connection.text, /content-length: [1-9]/i)
  connection.socket.end()
  await closed
})

/** Starts requests that stay in progress until `end` is called. */
async function working(t: Test, count: number) {
  const key = makeKey('pro')
  let started = 0
  let isOver = false
  const route: Route = {
    kind: 'body',
    path: '/work',
    prepare: () => () => {
      started++
      return { requests: 1, work: () => !isOver, answer: out => out.openData().ascii('"done"').endRecord() }
    },
  }
  const { server, port } = await startService(t, [key], await fixtureCatalog(), [route])
  const head = `POST /work HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]`
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)))
  for (const connection of connections) connection.send(head)
  await until('all requests are in progress', () => started === count)
  return {
    server,
    port,
    connections,
    end: () => {
      isOver = true
    },
  }
}

testOnEngines('a stopping server waits for requests in progress, longer than for idle connections', async t => {
  const { server, connections, end } = await working(t, 3)
  const idle = await Promise.all([working(t, 0), working(t, 0)])
  const idleConnections = await Promise.all(idle.map(({ port }) => Connection.open(port)))
  const closed = server.close({ finishMs: 600_000, drainMs: 0 })
  let isClosed = false
  closed.then(() => {
    isClosed = true
  })
  // all servers check at the same intervals; when the others have closed, the first one has checked, too
  for (const { server: other } of idle) await other.close({ finishMs: 600_000, drainMs: 0 })
  await Promise.all(idleConnections.map(({ closed: end }) => end))
  t.notOk(isClosed)
  end()
  await Promise.all(connections.map(connection => connection.closed))
  for (const { text } of connections) t.match(text, /^HTTP\/1\.1 200 OK[\s\S]*"done"/)
  t.equal(await closed, 0)
})

testOnEngines('a stopping server cuts off requests that take too long, and reports their number', async t => {
  const { server, connections } = await working(t, 3)
  t.equal(await server.close({ finishMs: 50, drainMs: 0 }), 3)
  await Promise.all(connections.map(connection => connection.closed))
  for (const { text } of connections) t.equal(text, '')
})

testOnEngines('a stopping server does not wait for a client that has disconnected', async t => {
  const { server, connections } = await working(t, 2)
  const closed = server.close({ finishMs: 600_000, drainMs: 0 })
  for (const { socket } of connections) socket.destroy()
  t.equal(await closed, 0)
})
