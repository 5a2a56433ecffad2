/** Opens the public port and the Unix socket, with error messages that say what to do. */
import { once } from 'node:events'
import { chmod, rm, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { EngineName } from '../engines/engine.js'
import { OperatorError } from '../errors.js'
import type { Server } from '../http/server.js'
import type { Config } from '../settings/config.js'

export function addressOf(host: string, port: number, scheme = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export async function listenOnPort(server: Server, config: Config, engine: EngineName): Promise<number> {
  const { host, port, workers, sharePort, tls } = config
  // uWebSockets.js opens the port a second time for a new certificate
  const isShared = workers > 1 || sharePort || (tls !== undefined && engine === 'uws')
  try {
    if (!isShared) return await server.listen(host, port)
    const shared = sharePort && port !== 0 ? port : await findPortToShare(host, port)
    return await server.listen(host, shared, true)
  } catch (error) {
    const why = await whyNotListening(error as Error, host, port)
    throw new OperatorError(`HSAPI_PORT: cannot listen on ${host}:${port}: ${why}`, { cause: error })
  }
}

/**
 * Opens the port exclusively first, so that two servers do not share it by accident. Also chooses a free port for port 0,
 * because the kernel would give each listener on port 0 a different port.
 */
async function findPortToShare(host: string, port: number): Promise<number> {
  const probe = createServer().listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  const { port: found } = probe.address() as AddressInfo
  await once(probe.close(), 'close')
  return found
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; ports below 1024 need root, or the capability CAP_NET_BIND_SERVICE',
  EADDRINUSE: 'the port is in use; is another server running on it?',
  EADDRNOTAVAIL: 'HSAPI_HOST is not an address of this machine',
}

/** Probes the port again, because uWebSockets.js gives no error code. */
async function whyNotListening(error: Error, host: string, port: number): Promise<string> {
  const cause = 'code' in error ? error : await findPortToShare(host, port).catch((probed: Error) => probed)
  if (typeof cause === 'number') return error.message
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? cause.message
}

/** Replaces a stale socket file. Returns a function that removes the file. */
export async function listenOnSocket(server: Server, socket: NonNullable<Config['socket']>): Promise<() => Promise<void>> {
  const { path } = socket
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isSocket()) throw new OperatorError(`HSAPI_SOCKET: ${path} exists and is not a socket`)
  if (found !== undefined) {
    if (await isAnswered(path)) throw new OperatorError(`HSAPI_SOCKET: another server listens on ${path}`)
    await rm(path, { force: true })
  }
  try {
    await server.listenUnix(path)
    await setSocketMode(socket)
  } catch (error) {
    throw new OperatorError(`HSAPI_SOCKET: cannot listen on ${path}: ${(error as Error).message}`)
  }
  return () => rm(path, { force: true })
}

export async function setSocketMode({ path, mode }: NonNullable<Config['socket']>): Promise<void> {
  if (mode !== undefined) await chmod(path, mode)
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
