/** Words of a query that are more, or less, than the name of a good: sets of folded words, as the dataset lists them. */
import type { WordData } from '../../text/word-data.js'

export class WordLists {
  readonly linking: ReadonlySet<string>
  readonly asking: ReadonlySet<string>
  readonly halfAsking: ReadonlySet<string>
  readonly from: ReadonlySet<string>
  readonly units: ReadonlySet<string>

  constructor(data: WordData) {
    this.linking = new Set(data.linking)
    this.asking = new Set(data.asking)
    this.halfAsking = new Set(data.halfAsking)
    this.from = new Set(data.from)
    this.units = new Set(data.units)
  }
}
