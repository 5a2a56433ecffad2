import { readSettings } from '../../src/settings/table.js'

/** Returns the maximum duration of a stop, as described in docs/upgrade.md. */
export function stopSeconds(env: NodeJS.ProcessEnv): number {
  const { finishMs, drainMs } = readSettings({
    HSAPI_FINISH_SECONDS: env.HSAPI_FINISH_SECONDS,
    HSAPI_DRAIN_SECONDS: env.HSAPI_DRAIN_SECONDS,
  })
  return (finishMs + drainMs) / 1000 + 5
}
