/** How well known each phrase is, and which phrases are variants of each other. */

import { isLine } from '../../src/codes/levels.js'
import type { SynonymGroup } from '../dataset/synonyms.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import type { Lexicon } from './lexicon.js'
import { SequenceTable, UNKNOWN } from './sequence-table.js'
import type { SuggestionPhrases } from './suggestion-phrases.js'

/** Longer phrases are rarely part of others, so they are not counted. */
const RUN_WORDS_MAX = 3

const WORDS_WEIGHT = [0, 1, 0.7, 0.45, 0.3]
const MORE_WORDS_WEIGHT = 0.2
/** A phrase that is part of 1,024 phrases (2 to the power of this number) has the full score. */
const FULL_SCORE_LOG2 = 10
/** How much each part contributes to a weight. */
const WEIGHT_PARTS = { known: 0.5, evidence: 0.15, words: 0.15, everyday: 0.2 }
/** If a word is in fewer phrases than this, its heading evidence may be due to chance. */
const EVIDENCE_PHRASES = 8
const OPENING_WEIGHT = 0.85
const COMMA_WEIGHT = 0.7
const LINE_WEIGHT = 0.85
const WEIGHT_MAX = 255
const COMMA = /[,،]/u

/** Phrases are compared as sequences of terms, so that word forms do not matter. */
export interface Weighing {
  records: readonly BuildRecord[]
  lexicon: Lexicon
  synonyms: readonly SynonymGroup[]
  /** Numbers for phrases that read alike, in both languages. */
  alikes: SequenceTable
}

export interface WeighedPhrases {
  /** Per phrase, from 0 to 255. */
  weights: Uint8Array
  /** Per phrase, a number shared by the phrases that read alike. */
  alike: Uint32Array
}

/** Phrases that read alike lead to the same record, the best one of the group. */
export function weighPhrases(phrases: SuggestionPhrases, weighing: Weighing): WeighedPhrases {
  const { lexicon, alikes, records } = weighing
  const terms = phrases.words.map(word => lexicon.termOf(word))
  const weights = weightsOf(phrases, terms, weighing)
  const alike = alikeNumbers(phrases.wordsAt, terms, lexicon, alikes)
  return { weights: mergeAlike(phrases, weights, alike, records), alike }
}

/** Compares letters without spaces, so that "note books" and "notebook" are one group. */
function alikeNumbers(wordsAt: Uint32Array, terms: Uint32Array, { termTexts }: Lexicon, alikes: SequenceTable): Uint32Array {
  const letters = new GrowingArray()
  const alike = new Uint32Array(wordsAt.length - 1)
  for (let phrase = 0; phrase < alike.length; phrase++) {
    letters.clear()
    for (let n = wordsAt[phrase]; n < wordsAt[phrase + 1]; n++) {
      const text = termTexts[terms[n]]
      for (let i = 0; i < text.length; i++) letters.push(text.charCodeAt(i))
    }
    alike[phrase] = alikes.add(letters.values, 0, letters.length)
  }
  return alike
}

function weightsOf(phrases: SuggestionPhrases, terms: Uint32Array, { lexicon, synonyms }: Weighing): Float64Array {
  const { texts, kinds, wordsAt, evidence } = phrases
  const runs = new SequenceTable()
  const runOf = texts.map((_, phrase) => runs.add(terms, wordsAt[phrase], wordsAt[phrase + 1]))
  const containing = countContaining(runs, terms, wordsAt)
  // a phrase in a synonym group is everyday language
  const isEveryday = new Uint8Array(runs.size)
  for (const member of synonyms.flat()) {
    const numbers = Uint32Array.from(member, term => lexicon.term(term))
    const run = runs.find(numbers, 0, numbers.length)
    if (run !== UNKNOWN) isEveryday[run] = 1
  }
  return Float64Array.from(texts, (text, phrase) => {
    const run = runOf[phrase]
    const contained = Math.max(1, containing[run])
    const words = wordsAt[phrase + 1] - wordsAt[phrase]
    const sum =
      Math.min(1, Math.log2(contained) / FULL_SCORE_LOG2) * WEIGHT_PARTS.known +
      evidence[phrase] * Math.min(1, contained / EVIDENCE_PHRASES) * WEIGHT_PARTS.evidence +
      (WORDS_WEIGHT[words] ?? MORE_WORDS_WEIGHT) * WEIGHT_PARTS.words +
      (isEveryday[run] === 1 ? WEIGHT_PARTS.everyday : 0)
    const form = (kinds[phrase] === 'keyword' ? 1 : OPENING_WEIGHT) * (COMMA.test(text) ? COMMA_WEIGHT : 1)
    return WEIGHT_MAX * sum * form
  })
}

/** For each phrase, the number of phrases that contain it, itself included; 0 for long phrases. */
function countContaining(runs: SequenceTable, terms: Uint32Array, wordsAt: Uint32Array): Uint32Array {
  const counts = new Uint32Array(runs.size)
  /** For each run of words, the last phrase that contained it, counted from 1, so that a run counts once per phrase. */
  const lastIn = new Uint32Array(runs.size)
  for (let phrase = 0; phrase + 1 < wordsAt.length; phrase++) {
    const end = wordsAt[phrase + 1]
    for (let from = wordsAt[phrase]; from < end; from++)
      for (let to = from + 1; to <= end && to <= from + RUN_WORDS_MAX; to++) {
        const run = runs.find(terms, from, to)
        if (run === UNKNOWN || lastIn[run] === phrase + 1) continue
        lastIn[run] = phrase + 1
        counts[run] = counts[run] + 1
      }
  }
  return counts
}

/** Phrases that read alike get the best record of the group and are shown in that record's spelling. */
function mergeAlike(
  { records: recordOf, recordScores }: SuggestionPhrases,
  weights: Float64Array,
  alike: Uint32Array,
  records: readonly BuildRecord[],
): Uint8Array {
  /** The best phrase of each group of phrases that read alike. */
  const best = new Map<number, number>()
  alike.forEach((number, phrase) => {
    const known = best.get(number)
    if (known === undefined || recordScores[phrase] > recordScores[known]) best.set(number, phrase)
  })
  const agreed = new Uint8Array(weights.length)
  alike.forEach((number, phrase) => {
    const first = best.get(number) as number
    recordOf[phrase] = recordOf[first]
    weights[first] = Math.max(weights[first], weights[phrase])
  })
  for (const phrase of best.values()) {
    const { code } = records[recordOf[phrase]]
    agreed[phrase] = Math.max(1, Math.round(weights[phrase] * (isLine(code) ? LINE_WEIGHT : 1)))
  }
  alike.forEach((number, phrase) => {
    const first = best.get(number) as number
    if (phrase !== first) agreed[phrase] = agreed[first] - 1
  })
  return agreed
}
