/**
 * The least that a uWebSockets.js server can do: what every other figure is held against. With a number as its
 * argument it answers that many bytes instead of `ok`.
 */
import { loadUws } from '../../dist/src/engines/uws.js'

const uws = loadUws()
const size = Number(process.argv[2] ?? 0)
const body = size > 0 ? new Uint8Array(size).fill(120) : 'ok'
uws
  .App()
  .get('/*', res => {
    res.end(body)
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, socket => {
    console.log(`ready on http://127.0.0.1:${uws.us_socket_local_port(socket)}`)
  })
