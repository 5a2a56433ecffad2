/** Checks whether a server can listen on the ports and the socket of the settings. */
import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { isLoopbackAddress } from '../loopback.js'
import { runningServers } from '../process/data-folder.js'
import type { Config } from '../settings/config.js'
import { type Finding, fails, ok, warning } from './finding.js'

/** Tries to listen on a port; returns the error, or undefined if the port is free. */
function problemOf(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

async function checkOne(host: string, port: number, { dataDir, sharePort }: Config): Promise<Finding[]> {
  const place = `${host}:${port}`
  if (port === 0) return [ok(`${host}, a free port at each start`)]
  const problem = await problemOf(host, port)
  if (problem === undefined) return [ok(`${place} is free`), ...(await inOutgoingRange(port))]
  if (problem.code !== 'EADDRINUSE') return [fails(`${place}: ${problem.message}`)]
  const [server] = await runningServers(dataDir)
  if (server !== undefined)
    return [ok(`${place} is in use while process ${server.pid} on ${server.host} serves from this data directory`)]
  return [
    sharePort
      ? warning(`${place} is in use; with HSAPI_SHARE_PORT it may be shared`)
      : fails(`${place} is in use by another program`),
  ]
}

/** Warns about a port that the kernel may assign to another process while the server restarts. */
async function inOutgoingRange(port: number): Promise<Finding[]> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '')
  const [first = 0, last = -1] = range.trim().split(/\s+/).map(Number)
  if (range === '' || port < first || port > last) return []
  return [warning(`${port} is in the range of outgoing connections (${first} to ${last}): choose a lower one`)]
}

export async function checkPort(config: Config): Promise<Finding[]> {
  return config.socket?.isAlone ? [] : checkOne(config.host, config.port, config)
}

export async function checkAdminPort(config: Config): Promise<Finding[]> {
  const { admin } = config
  if (admin === undefined) return [ok('HSAPI_ADMIN_PORT is not set: no metrics, no probes')]
  const found = await checkOne(admin.host, admin.port, config)
  if (admin.token === undefined && !isLoopbackAddress(admin.host))
    found.push(warning(`without HSAPI_ADMIN_TOKEN, reloads, faults and searches are refused on ${admin.host}`))
  return found
}

export async function checkSocket({ socket, dataDir }: Config): Promise<Finding[]> {
  if (socket === undefined) return []
  await access(dirname(socket.path), constants.W_OK | constants.X_OK)
  const found = await stat(socket.path).catch(() => undefined)
  if (found === undefined) return [ok(`${socket.path} can be created`)]
  if (!found.isSocket()) return [fails(`${socket.path} exists and is not a socket`)]
  const [server] = await runningServers(dataDir)
  return [
    ok(
      server === undefined
        ? `${socket.path} is left over from an earlier server; the next start replaces it`
        : `${socket.path} is in use by process ${server.pid}`,
    ),
  ]
}
