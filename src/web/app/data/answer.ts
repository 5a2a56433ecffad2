/** Answers of the API and errors as values, cached in memory for some minutes. */
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

/** Size of the cache, which saves requests when the visitor goes back or deletes letters. */
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

/** Date of the oldest answer that the page shows from storage; null while the server answers. */
export const keptSince = signal<Date | null>(null)

/** Dispatched on the window when the server answers again. The page then requests its data again. */
export const ONLINE_AGAIN = 'hsapi-online-again'
