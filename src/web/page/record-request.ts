/** One request for a record and its lists: what comes with it is remembered as if each list had been asked for itself. */
import { type Answer, ask, type Code, query, remember } from './api.js'

const INCLUDE = 'path,editions,rate,notes,see_also,examples,children,siblings,lines'
/** As many as a list of a record asks for first: above subheadings, few lines. */
const FIRST = 50
const FEW = 10

function rememberList(path: string, page: Code['children'], limit = FIRST): void {
  if (page === undefined) return
  const data = page.items.slice(0, limit)
  remember(query(path, { limit, offset: null, include: 'rate' }), {
    kind: 'ok',
    data,
    meta: { total: page.total, count: data.length },
    text: '',
  })
}

export async function askRecord(code: string, signal: AbortSignal): Promise<Answer<Code>> {
  const answer = await ask<Code>(query(`hs-codes/${code}`, { include: INCLUDE }), { signal })
  if (answer.kind !== 'ok') return answer
  const { path, children, siblings, lines } = answer.data
  const parent = path?.at(-1)
  rememberList(`hs-codes/${code}/children`, children)
  rememberList(`hs-codes/${code}/lines`, lines, code.length < 6 ? FEW : FIRST)
  if (parent !== undefined) rememberList(`hs-codes/${parent.hs_code}/children`, siblings)
  return answer
}
