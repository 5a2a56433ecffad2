/**
 * Closed loop: each connection sends its next request after the previous answer. It finds a server's maximum throughput. Its
 * latencies make a slow server look better than it is, because such a server receives fewer requests (see open-loop.mjs).
 */
import { performance } from 'node:perf_hooks'
import { Connection } from '../dist/src/load-kit/load/connection.js'
import { Latencies } from '../dist/src/load-kit/load/latencies.js'

/** Connections that fail are replaced, up to this number. */
const FAILURES_MAX = 1000
/** How long answers may take after the end of the run. */
const GRACE_MS = 5_000

/**
 * @param {{target: object, requests: {bytes: Buffer, status?: number}[], connections: number, seconds: number,
 *   count?: number}} options `requests` are sent in turn, `count` in all; `status` is the expected status
 */
export function closedLoop({ target, requests, connections, seconds, count = Number.POSITIVE_INFINITY }) {
  const latencies = new Latencies()
  const statuses = {}
  const open = new Set()
  let sent = 0
  let answered = 0
  let unexpected = 0
  let failures = 0
  let lastFailure
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000

  return new Promise((resolve, reject) => {
    let finished = false
    const finish = () => {
      if (finished) return
      finished = true
      clearTimeout(limit)
      for (const connection of open) connection.close()
      const took = (performance.now() - startMs) / 1000
      if (answered === 0) return reject(lastFailure ?? new Error('no request was answered'))
      resolve({
        answered,
        failures,
        unexpected,
        lastFailure: lastFailure?.message,
        statuses,
        seconds: took,
        latency: latencies.percentiles(),
      })
    }
    const limit = setTimeout(finish, seconds * 1000 + GRACE_MS)

    const next = connection => {
      const now = performance.now()
      if (sent >= count || now >= endMs) {
        connection.close()
        open.delete(connection)
        if (open.size === 0) finish()
        return
      }
      connection.sentMs = now
      connection.context = requests[sent++ % requests.length]
      connection.send(connection.context.bytes)
    }
    const onAnswer = (status, connection) => {
      if (finished) return
      latencies.add(performance.now() - connection.sentMs)
      statuses[status] = (statuses[status] ?? 0) + 1
      answered++
      if (status !== (connection.context?.status ?? status)) unexpected++
      connection.context = undefined
      if (connection.isOver) {
        open.delete(connection)
        start()
      } else next(connection)
    }
    const onEnd = (error, connection) => {
      open.delete(connection)
      // no request is lost by a normal close after an answer
      if (connection.context !== undefined) failed(error ?? new Error('the connection was closed without an answer'))
      else start()
    }
    const failed = error => {
      failures++
      lastFailure = error
      if (failures > FAILURES_MAX) finish()
      else start()
    }
    const start = () => {
      if (finished) return
      if (sent >= count || performance.now() >= endMs) {
        if (open.size === 0) finish()
        return
      }
      Connection.open(target, onAnswer, onEnd).then(connection => {
        open.add(connection)
        next(connection)
      }, failed)
    }
    for (let i = 0; i < Math.min(connections, count); i++) start()
  })
}
