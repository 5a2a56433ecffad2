/** Answers to show while the server cannot be reached. kept-answers.ts, which stores and finds them, is loaded on demand. */

import type { Answer } from './answer.js'
import { hasWorker } from './install-worker.js'

/** Estimates are not stored: visitors may quote them, so they must be current. */
const KEPT_PATHS = /^(?:hs-codes\/|search\?|notes\/|chapters$|dataset$)/

const load = () => import('./kept-answers.js')
let isOffline = false

export async function keptAnswer<T>(path: string): Promise<Answer<T> | undefined> {
  if (!KEPT_PATHS.test(path)) return undefined
  try {
    const found = await (await load()).findAnswer<T>(path)
    if (found !== undefined) isOffline = true
    return found
  } catch {
    // storage may be forbidden
    return undefined
  }
}

/** Call this with every answer from the server. `key`: the visitor's key that the request used, if any. */
export function keepForOffline(path: string, text: string, key: string | null): void {
  if (isOffline) {
    isOffline = false
    void load().then(({ endOffline }) => endOffline())
  }
  if (!KEPT_PATHS.test(path)) return
  void hasWorker().then(async isInstalled => {
    if (isInstalled) (await load()).keepAnswer(path, text, key)
  })
}
