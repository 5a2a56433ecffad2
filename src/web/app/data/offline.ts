/** Answers for when the server cannot be reached. What keeps and finds them is loaded when it is needed. */

import type { Answer } from './answer.js'
import { hasWorker } from './install-worker.js'

/** Estimates are left out: they may be quoted, and must be of today. */
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

/** With every answer that came from the server; `key` is the visitor's, by which it was got. */
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
