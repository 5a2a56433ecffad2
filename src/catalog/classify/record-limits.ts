/** The limits and mixtures that descriptions name, read when a text with measures is first compared with them. */
import type { Columns } from '../../snapshot/schema.js'
import type { Records } from '../records.js'
import { limitsIn } from './limits.js'
import type { Materials } from './materials.js'
import type { Measured } from './measures.js'
import { isMixture, type Mixture, mixtureIn } from './mixtures.js'
import { isOutside, type Range } from './range.js'

interface Limits {
  ranges: readonly Range[]
  mixture: Mixture | undefined
}

export class RecordLimits {
  /** By source record: a padded record has the limits of the record that it repeats. */
  readonly #limits = new Map<number, Limits>()

  constructor(
    private readonly columns: Pick<Columns, 'source'>,
    private readonly records: Records,
    private readonly materials: Materials,
  ) {}

  exclude(record: number, measured: Measured): boolean {
    const { measures } = measured
    if (measures.size === 0) return false
    const { ranges, mixture } = this.#of(this.columns.source[record])
    return isOutside(measures, ranges) || (mixture !== undefined && !isMixture(mixture, measured, this.materials))
  }

  #of(source: number): Limits {
    const known = this.#limits.get(source)
    if (known !== undefined) return known
    const { en } = this.records.description(source)
    const limits = { ranges: limitsIn(en, this.materials), mixture: mixtureIn(en, this.materials) }
    this.#limits.set(source, limits)
    return limits
  }
}
