/** Distributions to draw items from. */
import { lowerBound } from '../../lower-bound.js'
import { pick, type RandomSource } from '../../random.js'

export const SPREADS = ['zipf', 'uniform'] as const
export type Spread = (typeof SPREADS)[number]

/** `zipf` has exponent 1: rank r is drawn 1/r times as often as rank 1. */
export function drawer<Item>(items: readonly Item[], spread: Spread, next: RandomSource): () => Item {
  return spread === 'uniform' ? () => pick(items, next) : skewed(items, next)
}

function skewed<Item>(items: readonly Item[], next: RandomSource): () => Item {
  const cumulative = new Float64Array(items.length)
  let sum = 0
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank
    cumulative[rank - 1] = sum
  }
  return () => items[lowerBound(cumulative, next() * sum, 0, items.length - 1)]
}
