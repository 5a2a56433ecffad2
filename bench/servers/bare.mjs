/** The least that a uWebSockets.js server can do: what every other figure is held against. */
import { loadUws } from '../../dist/src/http/uws.js'

const uws = loadUws()
uws
  .App()
  .get('/*', res => {
    res.end('ok')
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, socket => {
    console.log(`ready on http://127.0.0.1:${uws.us_socket_local_port(socket)}`)
  })
