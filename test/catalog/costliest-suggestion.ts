/** Searches for the typed text that takes the most steps: changes random words and keeps each change that costs more steps. */
import type { Suggest } from '../../src/catalog/suggest.js'
import { SUGGEST_CHARS_MAX, SUGGEST_LIMIT_MAX } from '../../src/limits.js'
import { withoutHanging } from '../support/processor-time.js'
import { repeater } from '../support/repeats.js'

const STARTS = 40
const CHANGES_PER_START = 60
const STRANGE = ['ﷺ', '㌖', 'q', 'ا', 'ال', '1', 'x'.repeat(30)]

/** Returns a generator of whole numbers below `bound`. The same seed gives the same numbers. */
function seeded(seed: number): (bound: number) => number {
  let state = seed
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

export function costliestSuggestion(suggest: Suggest, vocabulary: string, seed: number) {
  const below = seeded(seed)
  const repeated = repeater(seed)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const terms = vocabulary.split('\n')
  const mistyped = (word: string) => {
    const at = 1 + below(word.length)
    return word.slice(0, at) + pick([...'eqاظ']) + word.slice(at + below(2))
  }
  const kinds = [
    () => pick(terms),
    () => pick(terms).slice(0, 1 + below(3)),
    () => mistyped(pick(terms)),
    () => mistyped(mistyped(pick(terms))),
    () => pick(terms) + pick(terms),
    () => pick(STRANGE),
    () => repeated(2 + below(SUGGEST_CHARS_MAX)),
  ]
  const word = () => pick(kinds)()
  const cost = (words: readonly string[]) => {
    const text = [...words.join(' ')].slice(0, SUGGEST_CHARS_MAX).join('')
    withoutHanging(text, () => suggest.find(text, SUGGEST_LIMIT_MAX))
    return { text, steps: suggest.steps }
  }
  let costliest = { text: '', steps: 0 }
  for (let start = 0; start < STARTS; start++) {
    let words = Array.from({ length: 1 + below(6) }, word)
    let worst = cost(words)
    for (let change = 0; change < CHANGES_PER_START; change++) {
      const changed = [...words]
      changed.splice(below(changed.length + 1), below(2), ...(below(4) > 0 ? [word()] : []))
      const found = cost(changed)
      if (found.steps < worst.steps) continue
      worst = found
      words = changed
    }
    if (worst.steps > costliest.steps) costliest = worst
  }
  return costliest
}
