/** The answers of the classifier. */
import { CLASSIFY_LEVELS } from '../../limits.js'
import type { Bilingual } from '../../snapshot/country-format.js'

/**
 * The statuses mean, in this order: the first candidate is safe to propose; the code is one of the candidates; a detail is
 * missing; no code was found.
 */
export type ClassifyStatus = 'clear' | 'choose' | 'ask' | 'unknown'

export interface Candidate {
  record: number
  /** 0 to 1: how likely the code is right. */
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
  /** With the status `ask` only. */
  question: Question | undefined
  /** The detail that is missing from a vague text; with the status `unknown` only. */
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
