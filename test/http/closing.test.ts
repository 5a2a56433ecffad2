import { Connection } from '../support/raw.js'
import { openService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

const HEALTH = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n'

/** Responses say so from then on. */
const isRefused = (port: number) =>
  Connection.open(port).then(
    ({ socket }) => !socket.destroy(),
    () => true,
  )

testOnEngines('a server that stops tells kept connections to close with their next answer', async t => {
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

testOnEngines('HEAD, too', async t => {
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
