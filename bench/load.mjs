/** Load on one address of this machine, bounded in time: with wrk if it is installed, otherwise with our own sockets. */

import { requestBytes } from '../dist/src/load-kit/load/connection.js'
import { closedLoop } from './closed-loop.mjs'
import { isInstalled, wrk } from './wrk.mjs'

const CONNECTIONS = 64

export const hasWrk = () => isInstalled('wrk')

/** @returns {Promise<number>} answered requests */
export async function load({ port, path, headers, seconds }) {
  if (hasWrk()) return (await wrk({ port, path, headers, seconds })).requests
  const target = { host: '127.0.0.1', port }
  const requests = [{ bytes: requestBytes(target, path, headers) }]
  return (await closedLoop({ target, requests, connections: CONNECTIONS, seconds })).answered
}
