/**
 * The order of phrases and of what follows each of their words, by prefix doubling: positions that are ranked by their next k words
 * are ranked by 2k through the rank of the position k further on. Linear but for the few doublings, and integers only.
 */

/** Phrases as word ranks, end to end. */
export interface RankedPhrases {
  /** Per phrase, where its words begin; one more entry ends the last. */
  at: Uint32Array
  ranks: Uint32Array
}

/** Per position, a rank of the words from there to the end of their phrase: equal ones share it, none is 0. */
export function rankRests({ at, ranks }: RankedPhrases): Uint32Array {
  const ends = new Uint32Array(ranks.length)
  let longest = 0
  for (let phrase = 0; phrase + 1 < at.length; phrase++) {
    ends.fill(at[phrase + 1] as number, at[phrase], at[phrase + 1])
    longest = Math.max(longest, (at[phrase + 1] as number) - (at[phrase] as number))
  }
  const positions = Uint32Array.from(ranks.keys())
  let known: Uint32Array = ranks.map(rank => rank + 1)
  for (let words = 1; words < longest; words *= 2) {
    // what is beyond the end comes before anything
    const next = known.map((_, i) => (i + words < (ends[i] as number) ? (known[i + words] as number) : 0))
    known = denseRanks(sortBy(sortBy(positions, next), known), known, next)
  }
  return known
}

/** Ranks from 1 for items that are in order of `first`, then `second`. */
function denseRanks(order: Uint32Array, first: Uint32Array, second: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length)
  let rank = 0
  for (let i = 0; i < order.length; i++) {
    const item = order[i] as number
    const before = order[i - 1] as number
    if (i === 0 || first[item] !== first[before] || second[item] !== second[before]) rank++
    ranks[item] = rank
  }
  return ranks
}

/** Counting sort: items in the ascending order of their keys, those of equal keys as they came. */
export function sortBy(items: Uint32Array, keyOf: Uint32Array): Uint32Array {
  let most = 0
  for (let i = 0; i < items.length; i++) most = Math.max(most, keyOf[items[i] as number] as number)
  const at = new Uint32Array(most + 2)
  for (let i = 0; i < items.length; i++) {
    const key = keyOf[items[i] as number] as number
    at[key + 1] = (at[key + 1] as number) + 1
  }
  for (let key = 0; key < most; key++) at[key + 1] = (at[key + 1] as number) + (at[key] as number)
  const sorted = new Uint32Array(items.length)
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as number
    const key = keyOf[item] as number
    const place = at[key] as number
    sorted[place] = item
    at[key] = place + 1
  }
  return sorted
}
