import t, { type Test } from 'tap'
import { BodyRest } from '../../src/engines/body-rest.js'
import type { Sender } from '../../src/engines/engine.js'
import { LateResponse } from '../../src/engines/late-response.js'
import { loadUws } from '../../src/engines/uws.js'
import { UwsSender } from '../../src/engines/uws-sender.js'
import { Connection } from '../support/raw.js'
import { ENGINES } from '../support/service.js'
import { until } from '../support/until.js'

const MEGABYTE = 1024 * 1024
const LINGER_MS = 300
const HEAD = new TextEncoder().encode('200 OK').buffer as ArrayBuffer
/** Larger than the engine's buffer of 16 KB. */
const BODY = Buffer.alloc(40_000, 'a')
/** Larger than the kernel's buffers for a client that does not read. */
const LARGE = Buffer.alloc(20 * MEGABYTE, 'b')
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** Starts uWebSockets.js with a sender that closes a connection `lingerMs` after its last response. */
async function serve(t: Test, lingerMs = LINGER_MS): Promise<{ port: number; requests(): number }> {
  let requests = 0
  const uws = loadUws()
  const sender: Sender = new UwsSender(false, 64 * MEGABYTE, undefined, undefined, lingerMs)
  const app = uws.App()
  app.get('/large', res => {
    requests++
    res.end(LARGE)
  })
  app.get('/*', res => {
    requests++
    sender.send(res, HEAD, BODY, true)
  })
  app.post('/*', res => sender.send(new LateResponse(res, sender, new BodyRest()), HEAD, BODY, true))
  t.teardown(() => app.close())
  const port = await new Promise<number>(done =>
    app.listen('127.0.0.1', 0, 0, socket => done(uws.us_socket_local_port(socket as object))),
  )
  return { port, requests: () => requests }
}

/**
 * Sends a request and waits until the server closes the connection. By then, the server has handled all earlier connections,
 * too.
 */
async function requestUntilClosed(port: number): Promise<Connection> {
  const connection = await Connection.open(port)
  connection.send(REQUEST)
  await connection.closed
  return connection
}

t.test('the last response on a connection is sent whole (uws)', { timeout: 30_000, skip: !ENGINES.includes('uws') }, async t => {
  t.test('a client that does not close the connection gets the whole response, then the server closes it', async t => {
    const { port } = await serve(t)
    const waiting = await requestUntilClosed(port)
    t.match(waiting.text, /\r\nConnection: close\r\n.*\r\nContent-Length: 40000\r\n/s)
    t.equal(waiting.text.split('\r\n\r\n')[1], BODY.toString())
    const next = await Connection.open(port)
    next.send(REQUEST)
    await next.until(/a{40000}$/)
    next.socket.destroy()
    // if the server used the response object of the disconnected client, its process would end
    t.match((await requestUntilClosed(port)).text, /a{40000}$/)
  })

  t.test('bytes that the kernel does not accept at once are sent later', async t => {
    const { port, requests } = await serve(t, 60_000)
    const connection = await Connection.open(port)
    connection.socket.pause()
    connection.send(REQUEST.replace('/', '/large'))
    await until('the large response is requested', () => requests() === 1)
    connection.send(REQUEST)
    await until('the last response is requested', () => requests() === 2)
    connection.socket.resume()
    await until('the last response has arrived', () => connection.text.endsWith(BODY.toString()))
    connection.socket.destroy()
    const [, large, last] = connection.text.split('\r\n\r\n')
    t.equal(large?.indexOf('HTTP/1.1 200 OK'), LARGE.length)
    t.equal(last, BODY.toString())
  })

  t.test('a response that must wait for the end of a chunked request body is sent whole', async t => {
    const { port } = await serve(t)
    const connection = await Connection.open(port)
    connection.send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')
    await connection.closed
    t.equal(connection.text.split('\r\n\r\n')[1], BODY.toString())
    t.match((await requestUntilClosed(port)).text, /a{40000}$/, 'the server keeps running')
  })
})
