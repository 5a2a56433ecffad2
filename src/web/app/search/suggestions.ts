/** The list below the search box, as a value: what is offered, and which one the arrow keys have reached. */
import type { Suggestion } from '../data/api.js'

export interface Suggestions {
  /** None where the list is closed. */
  options: readonly Suggestion[]
  /** -1 is what was typed. */
  active: number
  /** For which text they are. */
  of: string
}

export const CLOSED: Suggestions = { options: [], active: -1, of: '' }

export type SuggestionEvent =
  | { kind: 'offer'; options: readonly Suggestion[]; of: string }
  | { kind: 'move'; by: number }
  | 'close'

export function suggest(now: Suggestions, event: SuggestionEvent): Suggestions {
  if (event === 'close') return CLOSED
  if (event.kind === 'offer') return event.options.length === 0 ? CLOSED : { options: event.options, active: -1, of: event.of }
  // one more place than options: what was typed is between the last and the first
  const count = now.options.length + 1
  return { ...now, active: ((now.active + 1 + event.by + count) % count) - 1 }
}
