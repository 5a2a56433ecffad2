/** Sums and shares of decimals. They stay text, because a float would round large ones. */

function placesIn(literal: string): number {
  const point = literal.indexOf('.')
  return point < 0 ? 0 : literal.length - point - 1
}

function unitsOf(literal: string, places: number): bigint {
  const point = literal.indexOf('.')
  if (point < 0) return BigInt(literal + '0'.repeat(places))
  return BigInt(literal.slice(0, point) + literal.slice(point + 1, point + 1 + places).padEnd(places, '0'))
}

function literalOf(units: bigint, places: number): string {
  const text = String(units).padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}

export function sumOf(literals: readonly string[]): string {
  const places = Math.max(0, ...literals.map(placesIn))
  return literalOf(
    literals.reduce((sum, one) => sum + unitsOf(one, places), 0n),
    places,
  )
}

/** The API accepts no amount between zero and 0.01. */
const HUNDREDTHS = 2

/**
 * Splits `total` by weight into shares of two or more decimals. They add up to the total: the largest share takes the
 * remainder.
 */
export function sharesOf(total: string, weights: readonly string[]): string[] {
  const weightPlaces = Math.max(0, ...weights.map(placesIn))
  const parts = weights.map(one => unitsOf(one, weightPlaces))
  const all = parts.reduce((sum, one) => sum + one, 0n)
  if (all === 0n) return weights.map(() => '0')
  const places = Math.max(HUNDREDTHS, placesIn(total))
  const step = 10n ** BigInt(places - HUNDREDTHS)
  const whole = unitsOf(total, places)
  const shares = parts.map(one => ((whole * one) / all / step) * step)
  const rest = shares.reduce((left, one) => left - one, whole)
  const largest = parts.reduce((best, one, at) => (one > (parts[best] as bigint) ? at : best), 0)
  shares[largest] = (shares[largest] as bigint) + rest
  return shares.map(one => literalOf(one, places))
}

/**
 * Rounds amounts so that they add up to their rounded sum: all are rounded down, then those with the largest remainders are
 * raised by one unit each. Amounts must not be negative.
 */
export function apportioned(literals: readonly string[], places: number): string[] {
  const all = Math.max(places, ...literals.map(placesIn))
  const step = 10n ** BigInt(all - places)
  const exact = literals.map(one => unitsOf(one, all))
  const down = exact.map(one => one / step)
  const whole = (exact.reduce((sum, one) => sum + one, 0n) + step / 2n) / step
  const missing = Number(whole - down.reduce((sum, one) => sum + one, 0n))
  const byRemainder = exact
    .map((one, at) => ({ at, rest: one % step }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1))
  for (const { at } of byRemainder.slice(0, Math.max(0, missing))) down[at] = (down[at] as bigint) + 1n
  return down.map(one => literalOf(one, places))
}
