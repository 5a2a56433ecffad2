/** How often each of a list is drawn. */
import { type Chance, pick } from '../chance.js'

export const SPREADS = ['zipf', 'uniform'] as const
export type Spread = (typeof SPREADS)[number]

/** `zipf` has exponent 1: the item of rank r comes 1/r times as often as the first, as what people ask for does. */
export function drawer<Item>(items: readonly Item[], spread: Spread, next: Chance): () => Item {
  return spread === 'uniform' ? () => pick(items, next) : skewed(items, next)
}

function skewed<Item>(items: readonly Item[], next: Chance): () => Item {
  const cumulative = new Float64Array(items.length)
  let sum = 0
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank
    cumulative[rank - 1] = sum
  }
  return () => {
    const wanted = next() * sum
    let low = 0
    let high = items.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle] < wanted) low = middle + 1
      else high = middle
    }
    return items[low]
  }
}
