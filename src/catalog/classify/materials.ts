/** Materials whose share a text may state, such as "60% cotton": the values of attributes with `hasShares`. */
import type { SnapshotMeta } from '../../snapshot/format.js'
import { fold } from '../../text/fold.js'
import type { Values } from './statements.js'
import type { ValuePhrases } from './value-phrases.js'

/** Words between a share and its material: "60% organic cotton", "85% or more by weight of textured polyester". */
const BETWEEN: ReadonlySet<string> = new Set(
  fold(
    'or more of by weight and pure real genuine natural virgin premium organic recycled combed carded textured non ' +
      'من وزنا نقي طبيعي عضوي معاد تدويره ممشط',
  ).split(' '),
)

/** A material, and the places of its first word and of the first word after it. */
export interface NamedMaterial {
  value: number
  start: number
  end: number
}

export class Materials {
  constructor(
    private readonly meta: Pick<SnapshotMeta, 'attributes' | 'attributeValues'>,
    private readonly phrases: ValuePhrases,
    /** Which values include others. */
    readonly values: Values,
  ) {}

  /** The values that may have a share. */
  get all(): number[] {
    return this.meta.attributeValues.flatMap((_, value) => (this.#isMaterial(value) ? [value] : []))
  }

  #isMaterial(value: number): boolean {
    const { attribute, isOther } = this.meta.attributeValues[value]
    return this.meta.attributes[attribute].hasShares === true && !isOther
  }

  /** The materials named in a text, in the order of the text. */
  namedIn(written: readonly string[], terms: readonly string[]): NamedMaterial[] {
    const named: NamedMaterial[] = []
    for (let start = 0; start < written.length; start++) {
      for (const { value, terms: phrase } of this.phrases.at(written, terms, start)) {
        if (!this.#isMaterial(value)) continue
        named.push({ value, start, end: start + phrase.length })
        start += phrase.length - 1
        break
      }
    }
    return named
  }

  valuesIn(text: string): number[] {
    const { written, terms } = this.phrases.read(text)
    return this.namedIn(written, terms).map(({ value }) => value)
  }

  /** The unit for shares of the material or ingredient in a text: "% cotton" for "cotton" and «قطن», "% fat" for "fat". */
  unitOf(text: string): string | undefined {
    return this.shareIn(text)?.unit
  }

  /** What a share right before a text is of. `value` is undefined for an ingredient that is not a material. */
  shareIn(text: string): { unit: string; value: number | undefined } | undefined {
    const { written, terms } = this.phrases.read(text)
    const at = skipBetween(written, 0)
    const value = this.namedIn(written, terms).find(({ start }) => start === at)?.value
    if (value !== undefined) return { unit: this.unit(value), value }
    return terms[at] === undefined ? undefined : { unit: shareOf(terms[at]), value }
  }

  readonly unit = (value: number): string => shareOf(this.meta.attributeValues[value].phrases[0])
}

const shareOf = (material: string): string => `% ${material}`

/** Skips words that connect a share with its material, such as "of", and returns the position of the next word. */
export function skipBetween(written: readonly string[], at: number): number {
  let next = at
  while (next < written.length && BETWEEN.has(written[next])) next++
  return next
}
