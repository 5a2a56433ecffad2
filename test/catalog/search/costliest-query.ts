/** Searches for the query that takes the most steps: starts from costly words and keeps each change that costs more steps. */

import type { Search } from '../../../src/catalog/search/search.js'
import { SLOTS } from '../../../src/catalog/search/slots.js'
import { QUERY_CHARS_MAX } from '../../../src/limits.js'
import type { Snapshot } from '../../../src/snapshot/decode.js'
import { withoutHanging } from '../../support/processor-time.js'
import { repeater } from '../../support/repeats.js'

const STARTS = 6
const CHANGES_PER_START = 250
const COMMON_TERMS = 400
const LEVELS = [0, 0, 0, 4, 12]

export interface Attack {
  query: string
  level: number
  offset: number
  steps: number
}

/** Returns a generator of whole numbers below `bound`. The same seed gives the same numbers. */
function seeded(seed: number): (bound: number) => number {
  let state = seed
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

export function costliestQuery(search: Search, { columns, vocabulary }: Snapshot, seed: number): Attack {
  const below = seeded(seed)
  const repeated = repeater(seed)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

  const terms = vocabulary.split('\n')
  const postingCount = (termId: number) =>
    (columns.postingsAt[(termId + 1) * SLOTS] as number) - (columns.postingsAt[termId * SLOTS] as number)
  const common = [...terms.keys()]
    .sort((a, b) => postingCount(b) - postingCount(a))
    .slice(0, COMMON_TERMS)
    .map(termId => terms[termId] as string)

  // common words appear twice, so that they are picked more often; 'ﷺ', '㌖' and 'ﬃ' fold to several characters
  const kinds: (() => string)[] = [
    () => pick(common),
    () => pick(common),
    () => pick(common).slice(0, 2 + below(4)),
    () => pick(common).slice(0, 2 + below(2)),
    () => pick(terms).slice(0, 2),
    () => pick('وبلفك'.split('')) + pick(common),
    () => pick(common) + pick(common),
    () => {
      const word = pick(terms)
      const at = 1 + below(word.length)
      return `${word.slice(0, at)}${pick(['q', 'ظ', 'e', 'ا'])}${word.slice(at + below(2))}`
    },
    () => pick(['ﷺ', '㌖', 'ﬃ', '1', '10']),
    () => repeated(2 + below(40)),
  ]
  const word = () => pick(kinds)()

  const cost = (words: string[], level: number, offset: number): Attack => {
    const query = [...words.join(' ')].slice(0, QUERY_CHARS_MAX).join('')
    withoutHanging(query, () => search.find(query, level, offset, 50))
    return { query, level, offset, steps: search.steps }
  }

  let costliest: Attack = { query: '', level: 0, offset: 0, steps: 0 }
  for (let start = 0; start < STARTS; start++) {
    let words = below(4) > 0 ? Array.from({ length: 5 + below(35) }, word) : [repeated(QUERY_CHARS_MAX)]
    let level = pick(LEVELS)
    let offset = 0
    let worst = cost(words, level, offset)
    for (let change = 0; change < CHANGES_PER_START; change++) {
      const changed = [...words]
      for (let times = 1 + below(3); times > 0; times--) {
        changed.splice(below(changed.length + 1), below(2), ...(below(4) > 0 ? [word()] : []))
      }
      const otherLevel = below(10) === 0 ? pick(LEVELS) : level
      const otherOffset = below(5) === 0 ? below(12_000) : offset
      const attack = cost(changed, otherLevel, otherOffset)
      if (attack.steps < worst.steps) continue
      worst = attack
      words = changed
      level = otherLevel
      offset = otherOffset
    }
    if (worst.steps > costliest.steps) costliest = worst
  }
  return costliest
}
