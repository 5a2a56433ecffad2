/** Candidates and the questions that decide between them, for search and classification. */
import { roundedScore } from '../answers/classified.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Candidate, Question } from '../catalog/classify/classified.js'
import type { CountryView } from '../catalog/countries.js'
import { type CodeFields, codeFields, line, type Wording, worded } from './answer.js'

const CHARS_MAX = 110
/** Maximum length of a description in a long list of candidates. */
export const LIST_CHARS_MAX = 60

export interface CandidateFields extends CodeFields {
  duty_percent: string
  score: number
  /** Words of the text that support the code. */
  matched: readonly string[]
}

export interface QuestionFields {
  text: string
  answers: { text: string; within: readonly string[] }[]
}

export function candidateFields(
  catalog: Catalog,
  { record, score, matched }: Candidate,
  wording: Wording,
  view: CountryView | undefined,
  charsMax = CHARS_MAX,
): CandidateFields {
  return {
    ...codeFields(catalog, record, wording, charsMax),
    duty_percent: (view ?? catalog).rateText(record),
    score: roundedScore(score),
    matched,
  }
}

export function candidateLine({ duty_percent, score, matched, ...code }: CandidateFields): string {
  const words = matched.length === 0 ? '' : `; matched: ${matched.join(', ')}`
  return `${line(code)} (${Math.round(score * 100)} %, duty ${duty_percent} %${words})`
}

export function questionFields({ text, answers }: Question, wording: Wording): QuestionFields {
  return {
    text: worded(text, wording),
    answers: answers.map(one => ({ text: worded(one.text, wording), within: one.within })),
  }
}

export function questionLines({ text, answers }: QuestionFields): string[] {
  return [text, ...answers.map(one => `- ${one.text} → within ${one.within.join(', ')}`)]
}
