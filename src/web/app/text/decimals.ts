/** Sums and shares of decimals. They stay text, because a float would round large ones. */

const placesIn = (literal: string) => literal.split('.')[1]?.length ?? 0

function unitsOf(literal: string, places: number): bigint {
  const [whole = '0', decimals = ''] = literal.split('.')
  return BigInt(whole + decimals.slice(0, places).padEnd(places, '0'))
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

/** Splits `total` by weight into shares of two or more decimals. They add up to the total: the largest share takes the remainder. */
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
