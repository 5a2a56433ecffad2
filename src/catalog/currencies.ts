/** Converts amounts between currencies, with the fixed rates to the US dollar that countries publish. */
import type { CountryCertainty, CountryMeta } from '../snapshot/country-format.js'
import { type Amount, Decimal, decimal } from './amount.js'

const DOLLAR = 'USD'
/** Decimals of a converted amount: more than any currency has. One rate divided by another may have endless decimals. */
const PLACES = 6

interface Peg {
  /** Units per US dollar. */
  rate: Decimal
  source: string | undefined
  certainty: CountryCertainty
}

export interface FixedRate {
  /** Units of the second currency for one unit of the first. */
  rate: Decimal
  /** Sources of the published rates from which this rate is calculated; the dollar has no source. */
  sources: readonly string[]
  certainty: CountryCertainty
}

export class Currencies {
  readonly #pegs = new Map<string, Peg>([[DOLLAR, { rate: new Decimal(1), source: undefined, certainty: 'published' }]])

  constructor(countries: readonly CountryMeta[]) {
    for (const { currency, peg, sources } of countries) {
      if (peg !== null)
        this.#pegs.set(currency, { rate: new Decimal(peg.usd), source: sources[peg.source], certainty: peg.certainty })
    }
  }

  /** The fixed rate between two currencies; undefined if one of them has no fixed rate. */
  fixedRate(from: string, to: string): FixedRate | undefined {
    const [a, b] = [this.#pegs.get(from), this.#pegs.get(to)]
    if (from === to) return { rate: new Decimal(1), sources: [], certainty: 'published' }
    if (a === undefined || b === undefined) return undefined
    const pegs = [a, b].filter(({ source }) => source !== undefined)
    const weakest = pegs.find(({ certainty }) => certainty !== 'published')
    return {
      rate: b.rate.dividedBy(a.rate),
      sources: [...new Set(pegs.map(({ source }) => source as string))],
      certainty: weakest?.certainty ?? 'published',
    }
  }

  /** The amount itself if both currencies are the same, otherwise rounded to six decimals; undefined without a fixed rate. */
  convert(amount: Amount, from: string, to: string): Decimal | undefined {
    if (from === to) return decimal(amount)
    const fixed = this.fixedRate(from, to)
    return fixed && roundHalfUp(decimal(amount).times(fixed.rate), PLACES)
  }
}

export function roundHalfUp(amount: Decimal, places: number): Decimal {
  return amount.toDecimalPlaces(places, Decimal.ROUND_HALF_UP)
}

/** Cache of `decimalsOf`, which took a quarter of an estimate's time without the cache. */
const decimals = new Map<string, number>()

/** Number of decimals of a currency in ISO 4217. */
export function decimalsOf(currency: string): number {
  const cached = decimals.get(currency)
  if (cached !== undefined) return cached
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const count = format.resolvedOptions().maximumFractionDigits ?? 2
  decimals.set(currency, count)
  return count
}
