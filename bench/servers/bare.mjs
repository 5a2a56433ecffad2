/**
 * The minimal uWebSockets.js server, the base of all comparisons. `BENCH_REPLY` is JSON with the headers and body that it sends
 * for every request.
 */
import { loadUws } from '../../dist/src/engines/uws.js'

const uws = loadUws()
const { headers, body } = JSON.parse(process.env.BENCH_REPLY)
const bytes = new TextEncoder().encode(body)
uws
  .App()
  .get('/*', res => {
    for (const [name, value] of headers) res.writeHeader(name, value)
    res.end(bytes)
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, socket => {
    console.log(`ready on http://127.0.0.1:${uws.us_socket_local_port(socket)}`)
  })
