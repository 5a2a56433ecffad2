import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Route } from '../../src/http/routes.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

/** More than the unread limit for many answers on a connection, and more than the kernel buffers at once. */
const BYTES = 12 * 1024 * 1024

const LARGE: Route = {
  kind: 'keyed',
  path: '/large',
  prepare: () => ({
    handle: (_req, out) =>
      out
        .openData()
        .text(`"${'x'.repeat(BYTES)}"`)
        .endRecord(),
  }),
}

testOnEngines(
  'a single answer may be longer than the limit on unread answers: a client that reads it late gets all of it',
  async t => {
    const key = makeKey('pro')
    const { port } = await startService(t, [key], await fixtureCatalog(), [LARGE])
    const connection = await Connection.open(port)
    connection.socket.pause()
    connection.send(`GET /large HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key.key}\r\n\r\n`)
    for (let turns = 0; turns < 50; turns++) await nextTurn()
    t.equal(connection.text, '')
    connection.socket.resume()
    await connection.until(/\}\}$/)
    const start = connection.text.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(connection.text)?.[1])
    t.equal(connection.text.length - start, length)
    t.ok(length > BYTES)
    connection.socket.destroy()
  },
)
