/** State of the list below the search box: the options, and the one that the arrow keys have reached. */
import type { Suggestion } from '../data/api.js'

export interface Suggestions {
  /** Empty if the list is closed. */
  options: readonly Suggestion[]
  /** Index of the active option; -1 for the typed text. */
  active: number
  /** The text for which the options were requested. */
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
  // the typed text is one more position, between the last option and the first
  const count = now.options.length + 1
  return { ...now, active: ((now.active + 1 + event.by + count) % count) - 1 }
}
