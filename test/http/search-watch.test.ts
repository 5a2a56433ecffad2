/** Which searches are counted. */
import t from 'tap'
import { SearchWatch } from '../../src/http/search-watch.js'
import { SearchCounts } from '../../src/metrics/search-counts.js'
import { Tally } from '../../src/metrics/tally.js'
import { MovableClock } from '../support/service.js'

t.test(
  'the first page of a list counts as a search, further pages do not; an empty answer to a filtered search is not a gap',
  async t => {
    const counts = new SearchCounts(() => false)
    const tally = new Tally()
    const watch = new SearchWatch(tally, counts, new MovableClock())
    watch.answered('q=green+tea', 80, 0)
    watch.answered('q=green+tea&offset=50', 80, 50)
    watch.answered('q=zzz', 0, 0)
    for (const filter of ['level=6', 'within=85', 'rate=5']) watch.answered(`q=horses&${filter}`, 0, 0)
    watch.answeredOne('mate', 0, false)
    watch.answeredOne('mate', 0, true)
    const [day] = counts.days()
    t.strictSame([day?.searches, day?.empty], [7, 6])
    t.strictSame(Object.fromEntries(day?.all ?? []), { 'green tea': 1, zzz: 1, horses: 3, mate: 2 })
    t.strictSame(Object.fromEntries(day?.nothingFound ?? []), { zzz: 1, mate: 1 })
    t.equal(tally.get('emptySearches'), 6)
  },
)
