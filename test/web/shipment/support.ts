/** Runs a shipment against a real server, without a page. */
import { type Ask, nextAsk } from '../../../src/web/app/shipment/plan.js'
import { readTable } from '../../../src/web/app/shipment/read-table.js'
import { EMPTY, type Event, reduce } from '../../../src/web/app/shipment/reduce.js'
import type { Shipment, Terms } from '../../../src/web/app/shipment/state.js'

export const AT_MS = 1_780_000_000_000

/** More requests than any test needs: a planner that does not end fails here. */
const ASKS_MAX = 400

export type Post = (path: string, body: unknown) => Promise<{ status: number; text: string }>

export const pasted = (text: string, terms: Partial<Terms> = {}): Shipment =>
  reduce({ ...EMPTY, terms: { ...EMPTY.terms, ...terms } }, { type: 'pasted', ...readTable(text), isAdded: false })

export const changed = (state: Shipment, ...events: Event[]): Shipment => events.reduce(reduce, state)

// modules of the pages read the document's language when they are loaded
Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
const { readAnswer } = await import('../../../src/web/app/shipment/read-answer.js')

export function eventOf(ask: Ask, text: string): Event {
  if (ask.kind === 'resolve') return { type: 'resolved', ask, answers: JSON.parse(text).data, atMs: AT_MS }
  if (ask.kind === 'classify') return { type: 'classified', ask, answers: JSON.parse(text).data.items, atMs: AT_MS }
  return { type: 'estimated', ask, answer: readAnswer(text), atMs: AT_MS }
}

export interface Run {
  state: Shipment
  asks: Ask[]
}

/** Sends requests until the planner has none left; `room` is the number of items that a request may have. */
export async function run(start: Shipment, post: Post, room: () => number = () => 1000): Promise<Run> {
  const asks: Ask[] = []
  let state = start
  for (;;) {
    const ask = nextAsk(state, room())
    if (ask === null) return { state, asks }
    asks.push(ask)
    if (asks.length > ASKS_MAX) throw new Error('the planner does not end')
    const { status, text } = await post(`/api/v1/${ask.path}`, ask.body)
    if (status !== 200) throw new Error(`${status} ${text}`)
    state = reduce(state, eventOf(ask, text))
  }
}
