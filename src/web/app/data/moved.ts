/** Finds the successors of a code from an earlier edition. */
import { ask, type Code, recall } from './api.js'
import { EARLIER_EDITIONS, editionPath } from './first-paths.js'

interface Moved {
  edition: string
  records: Code[]
}

/** Asks for one edition after the other, because most codes need only one request. */
export async function loadSuccessors(wanted: string): Promise<Moved | undefined> {
  for (const edition of EARLIER_EDITIONS) {
    const answer = await ask<{ targets: Code[] }>(editionPath(edition, wanted))
    if (answer.kind === 'ok') return { edition, records: answer.data.targets }
    if (answer.kind !== 'missing') return undefined
  }
  return undefined
}

/** The successors from the cache, which has them if the server rendered the document. */
export function recallSuccessors(wanted: string): Moved | undefined {
  for (const edition of EARLIER_EDITIONS) {
    const answer = recall<{ targets: Code[] }>(editionPath(edition, wanted))
    if (answer?.kind === 'ok') return { edition, records: answer.data.targets }
    if (answer?.kind !== 'missing') return undefined
  }
  return undefined
}
