import { readSettings } from '../../src/settings/table.js'

/** The longest time that a stop takes, as in docs/upgrade.md: requests, idle connections, and 5 seconds. */
export function stopSeconds(env: NodeJS.ProcessEnv): number {
  const { finishMs, drainMs } = readSettings({
    HSAPI_FINISH_SECONDS: env.HSAPI_FINISH_SECONDS,
    HSAPI_DRAIN_SECONDS: env.HSAPI_DRAIN_SECONDS,
  })
  return (finishMs + drainMs) / 1000 + 5
}
