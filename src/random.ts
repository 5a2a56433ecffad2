/** Seeded random numbers, the same on every machine; `Math.random` does not accept a seed. */

/** Returns a number in [0, 1). */
export type RandomSource = () => number

export const SEED_MAX = 2 ** 32 - 1

/** mulberry32: 32-bit integers only, so rounding cannot differ between machines. */
export function seededRandom(seed: number): RandomSource {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<Item>(items: readonly Item[], next: RandomSource): Item {
  return items[Math.floor(next() * items.length)]
}

export function shuffled<Item>(items: readonly Item[], next: RandomSource): Item[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}
