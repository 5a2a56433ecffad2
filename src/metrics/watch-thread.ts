import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Tally } from './tally.js'

const RESOLUTION_MS = 20
const INTERVAL_MS = 1_000

/** Updates the figures of this thread every second; returns a function that stops the updates. */
export function watchThread(tally: Tally, read: () => { connections: number; accessDropped: number }): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  // the measured values include the monitor's own interval
  const seconds = (ns: number) => Math.max(0, ns / 1e9 - RESOLUTION_MS / 1000)
  const timer = setInterval(() => {
    const { connections, accessDropped } = read()
    tally.set('connections', connections)
    tally.set('accessDropped', accessDropped)
    tally.set('delayP50', seconds(delay.percentile(50)))
    tally.set('delayP99', seconds(delay.percentile(99)))
    tally.set('delayMax', seconds(delay.max))
    delay.reset()
  }, INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    delay.disable()
  }
}
