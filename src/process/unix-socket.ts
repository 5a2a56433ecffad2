/** Listens on a Unix socket; a stale socket file is replaced. */
import { rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { OperatorError } from '../errors.js'
import type { Server } from '../http/server.js'

function isAnswered(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Returns a function that removes the socket file. */
export async function listenOnSocket(server: Server, path: string): Promise<() => Promise<void>> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isSocket()) throw new OperatorError(`HSAPI_SOCKET: ${path} exists and is not a socket`)
  if (found !== undefined) {
    if (await isAnswered(path)) throw new OperatorError(`HSAPI_SOCKET: another server listens on ${path}`)
    await rm(path, { force: true })
  }
  try {
    await server.listenUnix(path)
  } catch (error) {
    throw new OperatorError(`HSAPI_SOCKET: cannot listen on ${path}: ${(error as Error).message}`)
  }
  return () => rm(path, { force: true })
}
