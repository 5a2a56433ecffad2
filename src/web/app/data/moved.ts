import { ask, type Code } from './api.js'
import { EARLIER_EDITIONS, editionPath } from './first-paths.js'

/** What a code of an earlier edition became; one request for most codes. */
export async function loadSuccessors(wanted: string): Promise<{ edition: string; records: Code[] } | undefined> {
  for (const edition of EARLIER_EDITIONS) {
    const answer = await ask<{ targets: Code[] }>(editionPath(edition, wanted))
    if (answer.kind === 'ok') return { edition, records: answer.data.targets }
    if (answer.kind !== 'missing') return undefined
  }
  return undefined
}
