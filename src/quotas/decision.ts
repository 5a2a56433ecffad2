import type { Figures } from './windows.js'

/** What a response shows of the decision on its request. */
export interface Decision {
  /** Of the key; negative without a known one. */
  slot: number
  figures: Figures
}

/** A copy for a request that is answered later: the next decision overwrites the original. */
export function keepDecision({ slot, figures }: Decision): Decision {
  return { slot, figures: { ...figures } }
}
