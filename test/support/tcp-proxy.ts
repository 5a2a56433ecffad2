/** A proxy between a server and its store that can delay or block the traffic. */
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface TcpProxy {
  port: number
  /** The delay of data in each direction. */
  delayMs: number
  /** If true, data is dropped, but connections stay open. */
  isCut: boolean
}

export async function startProxy(t: Test, target: number): Promise<TcpProxy> {
  const proxy: TcpProxy = { port: 0, delayMs: 0, isCut: false }
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    from.on('data', piece => {
      if (proxy.isCut) return
      if (proxy.delayMs === 0) to.write(piece)
      else setTimeout(() => to.write(piece), proxy.delayMs)
    })
    from.on('close', () => to.destroy())
    from.on('error', () => to.destroy())
    sockets.add(from)
  }
  const server = createServer(client => {
    const store = connect(target, '127.0.0.1')
    pass(client, store)
    pass(store, client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  proxy.port = (server.address() as { port: number }).port
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return proxy
}
