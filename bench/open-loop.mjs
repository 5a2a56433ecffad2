/** A fixed rate that does not depend on the answers: src/load-kit/load/on-time.ts explains open loop. */
import { sendOnTime } from '../dist/src/load-kit/load/on-time.js'

/** How long answers may take after the last request was due. */
const GRACE_MS = 2_000

class SteadyRate {
  #sent = 0
  #requests
  #total
  #stepMs
  endMs

  constructor(requests, total, rate) {
    this.#requests = requests
    this.#total = total
    this.#stepMs = 1000 / rate
    this.endMs = total * this.#stepMs
  }

  get nextMs() {
    return this.#sent < this.#total ? this.#sent * this.#stepMs : Number.POSITIVE_INFINITY
  }

  take() {
    return this.#requests[this.#sent++ % this.#requests.length]
  }
}

/**
 * @param {{target: object, requests: {bytes: Buffer, status?: number}[], rate: number, connections: number,
 *   seconds: number, count?: number, warmSeconds?: number}} options `rate` is in requests per second; `requests` are sent in
 *   turn, `status` is the expected status; requests due in the first `warmSeconds` are sent but not timed
 */
export async function openLoop({ target, requests, rate, connections, seconds, count, warmSeconds = 0 }) {
  const total = Math.floor(rate * warmSeconds) + Math.min(count ?? Number.POSITIVE_INFINITY, Math.floor(rate * seconds))
  const statuses = {}
  let unexpected = 0
  const { sent, pending, unsent, ...result } = await sendOnTime({
    target,
    schedule: new SteadyRate(requests, total, rate),
    connections,
    graceMs: GRACE_MS,
    warmMs: warmSeconds * 1000,
    onAnswer: (request, status) => {
      if (status === 0) return
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status !== (request.status ?? status)) unexpected++
    },
  })
  return { ...result, rate, due: total, unanswered: pending + unsent, unexpected, statuses }
}
