/** The answers of the classifier. */
import { CLASSIFY_LEVELS } from '../../limits.js'
import type { Bilingual } from '../../snapshot/country-format.js'

/**
 * `clear`: the first candidate is safe to propose. `choose`: the code is one of the candidates. `ask`: a detail is missing.
 * `unknown`: no code was found.
 */
export type ClassifyStatus = 'clear' | 'choose' | 'ask' | 'unknown'

export interface Candidate {
  record: number
  /** How likely it is that the code is right, 0 to 1. */
  score: number
  /** Words of the text that support the code, as written. */
  matched: readonly string[]
}

export interface Question {
  text: Bilingual
  /** `within`: the codes that remain after this answer. */
  answers: readonly { text: Bilingual; within: readonly string[] }[]
}

export interface Classified {
  status: ClassifyStatus
  /** Best first. */
  candidates: readonly Candidate[]
  /** Only present if the status is `ask`. */
  question: Question | undefined
  /** The detail that is missing from a vague text. Only present if the status is `unknown`. */
  missing?: Bilingual | undefined
}

/** Whether a text and a code agree. */
export interface Verdict {
  status: 'agrees' | 'doubtful' | 'contradicts'
  /** Better candidates, best first. */
  against: readonly Candidate[]
}

export { CLASSIFY_LEVELS }
export type ClassifyLevel = (typeof CLASSIFY_LEVELS)[number]

export interface ClassifyTerms {
  /** Number of digits of the candidates; a shorter code is a candidate if there is no code of that length below it. */
  level: ClassifyLevel
  limit: number
  /** Only codes at or below one of these; empty for all. */
  within: readonly string[]
}
