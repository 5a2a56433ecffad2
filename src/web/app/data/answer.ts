/** What the API answered, or why it did not; answers are remembered for some minutes. */
import { signal } from '@preact/signals'
import type { Facets } from '../../../answers/shapes.js'

export interface Meta {
  total: number
  count: number
}

export type Answer<T> = { kind: 'ok'; data: T; meta: Meta; facets?: Partial<Facets> | undefined; text: string } | Trouble

export type Trouble =
  | { kind: 'limit' | 'starting'; seconds: number }
  | { kind: 'offline' }
  | { kind: 'key'; reason: 'missing' | 'wrong' | 'expired' }
  | { kind: 'missing'; nearest: string | null; movedTo: readonly string[] }
  | { kind: 'refused'; code: string; message: string; parameter: string }
  | { kind: 'broken'; id: string | null }

/** Answers are remembered, so that going back and taking letters away ask nothing. */
const REMEMBERED_MAX = 300
const REMEMBERED_MS = 5 * 60_000
const remembered = new Map<string, { answer: Answer<unknown>; at: number }>()

export function recallAnswer<T>(path: string): Answer<T> | undefined {
  const entry = remembered.get(path)
  if (entry === undefined || performance.now() - entry.at > REMEMBERED_MS) return undefined
  return entry.answer as Answer<T>
}

export function keepInMemory(path: string, answer: Answer<unknown>): void {
  remembered.delete(path)
  remembered.set(path, { answer, at: performance.now() })
  for (const oldest of remembered.keys()) {
    if (remembered.size <= REMEMBERED_MAX) break
    remembered.delete(oldest)
  }
}

export function forgetAnswers(): void {
  remembered.clear()
}

/** Of the answers that the page shows from storage, the day of the oldest; null while the server answers. */
export const keptSince = signal<Date | null>(null)

/** Dispatched at the window when the server answers again: what is shown is asked for again. */
export const ONLINE_AGAIN = 'hsapi-online-again'
