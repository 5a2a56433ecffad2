/**
 * Open loop: requests are sent at fixed times, whether or not earlier ones are answered, as callers who know nothing
 * of each other do. Latency counts from the time at which a request was due. A server that stalls therefore
 * pays for every request that came due meanwhile, also for those that waited for a free connection; a closed loop
 * would have left them out ("coordinated omission").
 */
import { performance } from 'node:perf_hooks'
import { Connection } from './connection.mjs'
import { Latencies } from './percentiles.mjs'

const LEAD_MS = 20
/** How long answers may take after the last request was due. */
const GRACE_MS = 2_000
/** Further away than this a timer is exact enough; nearer, the loop spins. */
const SPIN_MS = 2.5
const FAILURES_MAX = 1000

/**
 * @param {{target: object, requests: Buffer[], rate: number, connections: number, seconds: number, count?: number,
 *   warmSeconds?: number}} options `rate` is requests a second; `requests` are sent in turn; what is due in the first
 *   `warmSeconds` is sent but not counted, while this process and the server compile their code
 */
export async function openLoop({ target, requests, rate, connections, seconds, count, warmSeconds = 0 }) {
  const warm = Math.floor(rate * warmSeconds)
  const total = warm + Math.min(count ?? Number.POSITIVE_INFINITY, Math.floor(rate * seconds))
  const stepMs = 1000 / rate
  const latencies = new Latencies()
  /** How late requests went out although a connection was free: what the generator itself adds. */
  const lateness = new Latencies()
  const statuses = {}
  const idle = []
  const all = new Set()
  let next = 0
  let answered = 0
  let failures = 0
  let lastFailure
  let startMs = 0
  let finished = false

  const record = (list, index, nowMs) => {
    if (index >= warm) list.add(nowMs - dueMs(index))
  }
  const dueMs = index => startMs + index * stepMs
  const sendNext = connection => {
    connection.request = next
    connection.send(requests[next++ % requests.length])
  }
  const onAnswer = (status, connection) => {
    const now = performance.now()
    record(latencies, connection.request, now)
    statuses[status] = (statuses[status] ?? 0) + 1
    answered++
    connection.request = -1
    if (connection.isOver) {
      all.delete(connection)
      open().catch(() => {})
    } else if (next < total && dueMs(next) <= now) sendNext(connection)
    else idle.push(connection)
  }
  const onEnd = (error, connection) => {
    all.delete(connection)
    const place = idle.indexOf(connection)
    if (place >= 0) idle.splice(place, 1)
    if (connection.request >= 0) {
      failures++
      lastFailure = error ?? new Error('the connection was closed without an answer')
      record(latencies, connection.request, performance.now())
    }
    if (!finished && failures <= FAILURES_MAX) open().catch(() => {})
  }
  const open = async () => {
    const connection = await Connection.open(target, onAnswer, onEnd)
    all.add(connection)
    idle.push(connection)
  }

  await Promise.all(Array.from({ length: connections }, open))
  startMs = performance.now() + LEAD_MS
  const deadlineMs = dueMs(total) + GRACE_MS
  await new Promise(resolve => {
    const tick = () => {
      const now = performance.now()
      while (next < total && idle.length > 0 && dueMs(next) <= now) {
        record(lateness, next, now)
        sendNext(idle.pop())
      }
      if (answered + failures >= total || now > deadlineMs) return resolve()
      if (next < total && dueMs(next) - now > SPIN_MS) setTimeout(tick, 1)
      else setImmediate(tick)
    }
    tick()
  })
  const endMs = performance.now()
  finished = true
  // what was never answered took at least until now; leaving it out would hide the worst
  for (const connection of all) {
    if (connection.request >= 0) record(latencies, connection.request, endMs)
    connection.close()
  }
  for (let index = next; index < total; index++) record(latencies, index, endMs)
  return {
    rate,
    due: total,
    answered,
    failures,
    lastFailure: lastFailure?.message,
    statuses,
    seconds: (endMs - startMs) / 1000,
    latency: latencies.percentiles(),
    lateness: lateness.percentiles(),
  }
}
