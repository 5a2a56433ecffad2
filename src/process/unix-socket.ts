/** A Unix socket for a sidecar: its file is taken over from a server that is gone, and removed at the end. */
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

/** Gives what removes it. */
export async function listenOnSocket(server: Server, path: string): Promise<() => Promise<void>> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isSocket()) throw new OperatorError(`HSAPI_SOCKET: ${path} is there and is no socket`)
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
