/** Evidence from the names of brands and product lines. */
import { HEADING_DIGITS } from '../../codes/levels.js'

import type { Columns } from '../../snapshot/schema.js'
import { isArabic } from '../../text/fold.js'
import type { FoundBrand } from '../brands.js'
import type { Records } from '../records.js'
import type { Model } from './model.js'
import type { TextTerms } from './text-terms.js'

/** Evidence for the first code of a product line: in a text without other words, and in a text with other words. */
const LINE_ALONE = 6
const LINE_BESIDE = 4
/** Evidence for each heading of a brand: in a text without other words, and for a heading that other words support. */
const BRAND_ALONE = 3
const BRAND_BESIDE = 2
/** Each further code of a brand gets this share of the evidence for the code before it. */
const NEXT_CODE = 0.92
/** Evidence from other words that is enough to support a heading of the brand. */
const SUPPORT_MIN = 1.5
/** If the brand is also an ordinary word, the evidence must also be at least this share of the best heading's evidence. */
const SUPPORT_SHARE = 0.5
const SUBHEADING_WEIGHT = 4.5
/** By heading of a vehicle: the heading of its parts. In a text about parts, the brand is the vehicle's. */
const PARTS_OF: Readonly<Record<string, string>> = { 8702: '8708', 8703: '8708', 8704: '8708', 8711: '8714', 8712: '8714' }
const PARTS_WEIGHT = 1.5

export class BrandEvidence {
  /** The class of each heading in the model, by its code. */
  readonly #classOf = new Map<string, number>()

  constructor(records: Records, { headingRecord }: Pick<Columns, 'headingRecord'>) {
    headingRecord.forEach((record, i) => {
      this.#classOf.set(records.code(record), i)
    })
  }

  /**
   * Whether a name that is also an ordinary word is read as a brand: if it comes first and a model follows ("NIO ES6"), or if
   * other words name the goods of the brand.
   */
  isSupported({ brand, at, end, modelEnd }: FoundBrand, rough: ArrayLike<number>): boolean {
    if (at === 0 && modelEnd > end) return true
    let best = 0
    for (let one = 0; one < rough.length; one++) best = Math.max(best, rough[one])
    return brand.codes.some(code => this.#support(code, rough) >= Math.max(SUPPORT_MIN, SUPPORT_SHARE * best))
  }

  /** Whether a term suggests the goods of a brand more than other goods. */
  isOfGoods(term: number, { brand }: FoundBrand, model: Model): boolean {
    const strongest = model.strongest(term)
    return brand.codes.some(code => this.#classOf.get(code.slice(0, HEADING_DIGITS)) === strongest)
  }

  #support(code: string, rough: ArrayLike<number>): number {
    const one = this.#classOf.get(code.slice(0, HEADING_DIGITS))
    return one === undefined ? 0 : rough[one]
  }

  /** Adds the evidence to `rough`: scores from the other words, by class of heading. */
  addTo(rough: Float64Array, { brands, purposes, words, named }: TextTerms): void {
    const parts = purposes.map(({ brand }) => this.#classOf.get(PARTS_OF[brand.codes[0].slice(0, HEADING_DIGITS)] ?? ''))
    for (const one of new Set(parts)) if (one !== undefined) rough[one] += PARTS_WEIGHT
    const added = new Map<number, number>()
    for (const { brand, at } of brands) {
      const isLine = brand.kind === 'line'
      // in Arabic the goods come first and the brand follows: "dynamo Hyundai Elantra"
      const isFirst = at === 0 || words.length === 0 || !isArabic(words[0])
      let weight = !isLine ? BRAND_ALONE : !isFirst ? BRAND_BESIDE : named === 0 ? LINE_ALONE : LINE_BESIDE
      const supported = isLine ? [] : brand.codes.filter(code => this.#support(code, rough) >= SUPPORT_MIN)
      for (const code of supported.length > 0 ? supported : brand.codes) {
        const one = this.#classOf.get(code.slice(0, HEADING_DIGITS))
        if (one !== undefined) added.set(one, Math.max(added.get(one) ?? 0, supported.length > 0 ? BRAND_BESIDE : weight))
        weight *= NEXT_CODE
      }
    }
    for (const [one, weight] of added) rough[one] += weight
  }

  /** Evidence for the subheadings of the brands, by code. */
  subheadings(brands: readonly FoundBrand[]): Map<string, number> {
    const found = new Map<string, number>()
    for (const { brand } of brands) {
      let weight = SUBHEADING_WEIGHT
      for (const code of brand.codes) {
        if (code.length > HEADING_DIGITS) found.set(code, Math.max(found.get(code) ?? 0, weight))
        weight *= NEXT_CODE
      }
    }
    return found
  }
}
