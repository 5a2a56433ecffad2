/** Counts the searches of a thread: empty answers for the metrics and, with HSAPI_SEARCHES, the words searched for. */
import type { Clock } from '../clock.js'
import type { SearchCounts } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import type { SearchObserver } from '../responses/observer.js'
import { Query } from './query.js'

export class SearchWatch implements SearchObserver {
  readonly #query = new Query(['q', 'level', 'within', 'rate'])

  constructor(
    private readonly tally: Tally | undefined,
    private readonly counts: SearchCounts | undefined,
    private readonly clock: Clock,
  ) {}

  /** Further pages of a list are not counted as searches. */
  answered(queryText: string, total: number, offset: number): void {
    if (total === 0) this.tally?.increment('emptySearches')
    if (this.counts === undefined || offset > 0) return
    const query = this.#query.read(queryText)
    const isFiltered = query.text('level') + query.text('within') + query.text('rate') !== ''
    this.counts.add(query.text('q'), total, isFiltered, this.clock.now())
  }

  answeredOne(words: string, total: number, isFiltered: boolean): void {
    if (total === 0) this.tally?.increment('emptySearches')
    this.counts?.add(words, total, isFiltered, this.clock.now())
  }
}
