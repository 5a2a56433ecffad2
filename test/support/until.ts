import { setTimeout as wait } from 'node:timers/promises'

/** Far more than any condition needs on a busy machine. */
const LIMIT_MS = 60_000
const POLL_MS = 20

/** Waits until the condition is true. After a minute, throws an error with the description of the condition. */
export async function until(description: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not true within ${LIMIT_MS / 1000} s: ${description}`)
    await wait(POLL_MS)
  }
}
