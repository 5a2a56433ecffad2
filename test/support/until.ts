import { setTimeout as wait } from 'node:timers/promises'

/** Far more than a busy machine needs: a limit against hanging. */
const LIMIT_MS = 60_000
const POLL_MS = 20

/** Waits for a condition; after a minute it fails and names it. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${LIMIT_MS / 1000} s: ${what}`)
    await wait(POLL_MS)
  }
}
