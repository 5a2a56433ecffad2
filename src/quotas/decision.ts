import type { Figures } from './windows.js'

/** The part of a decision that the response shows. */
export interface Decision {
  /** The key's slot; negative without a known key. */
  slot: number
  figures: Figures
}

/** A copy for a request that is answered later: the next decision overwrites the original. */
export function copyDecision({ slot, figures }: Decision): Decision {
  return { slot, figures: { ...figures } }
}
