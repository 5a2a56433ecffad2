/** Keeps the figures of a thread that no request tells: how late its event loop is, and how many are connected. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Tally } from './tally.js'

const RESOLUTION_MS = 20
const EVERY_MS = 1_000
const NS = 1e9

export interface Looked {
  connections: number
  /** Lines of the access log that were not written. */
  accessDropped: number
}

/** Gives what ends it. */
export function watchThread(tally: Tally, look: () => Looked): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  // the monitor's own interval is in what it measures
  const seconds = (ns: number) => Math.max(0, ns / NS - RESOLUTION_MS / 1000)
  const timer = setInterval(() => {
    const { connections, accessDropped } = look()
    tally.set('connections', connections)
    tally.set('accessDropped', accessDropped)
    tally.set('delayP50', seconds(delay.percentile(50)))
    tally.set('delayP99', seconds(delay.percentile(99)))
    tally.set('delayMax', seconds(delay.max))
    delay.reset()
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    delay.disable()
  }
}
