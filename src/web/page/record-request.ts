/** One request for a record and its lists: what comes with it is remembered as if each list had been asked for itself. */
import { SUBHEADING_DIGITS } from '../../codes/levels.js'
import type { Answer } from './answer.js'
import { ask, type Code, remember } from './api.js'
import { LIST_PAGE, listPath, recordPath } from './first-paths.js'

/** As many as a list of a record asks for first: above subheadings, few lines. */
const FEW = 10

function rememberList(path: string, page: Code['children'], limit = LIST_PAGE): void {
  if (page === undefined) return
  const data = page.items.slice(0, limit)
  remember(listPath(path, limit, 0), {
    kind: 'ok',
    data,
    meta: { total: page.total, count: data.length },
    text: '',
  })
}

export async function askRecord(code: string, signal: AbortSignal): Promise<Answer<Code>> {
  const answer = await ask<Code>(recordPath(code), { signal })
  if (answer.kind !== 'ok') return answer
  const { path, children, siblings, lines } = answer.data
  const parent = path?.at(-1)
  rememberList(`hs-codes/${code}/children`, children)
  rememberList(`hs-codes/${code}/lines`, lines, code.length < SUBHEADING_DIGITS ? FEW : LIST_PAGE)
  if (parent !== undefined) rememberList(`hs-codes/${parent.hs_code}/children`, siblings)
  return answer
}
