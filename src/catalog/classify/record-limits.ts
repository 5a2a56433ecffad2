/** The limits that descriptions set, read when a text with measures is first compared with them. */
import type { Columns } from '../../snapshot/schema.js'
import type { Stemmer } from '../../text/terms.js'
import type { Records } from '../records.js'
import { isOutside, type Limits, limitsIn, type Measure } from './measures.js'

export class RecordLimits {
  /** By source record: a padded record has the limits of the record that it repeats. */
  readonly #limits = new Map<number, readonly Limits[]>()

  constructor(
    private readonly columns: Pick<Columns, 'source'>,
    private readonly records: Records,
    private readonly stemmer: Stemmer,
  ) {}

  exclude(record: number, measures: readonly Measure[]): boolean {
    return isOutside(measures, this.#of(this.columns.source[record]))
  }

  #of(source: number): readonly Limits[] {
    const known = this.#limits.get(source)
    if (known !== undefined) return known
    const limits = limitsIn(this.records.description(source).en, this.stemmer)
    this.#limits.set(source, limits)
    return limits
  }
}
