/** The score of a candidate in words and as a percentage. */
import type { Language } from './strings.js'
import { fillText } from './written.js'

interface ScoreStrings {
  scores: readonly string[]
  score: string
  percent: string
  underOne: string
}

export const scoreStrings: Readonly<Record<Language, ScoreStrings>> = {
  en: {
    scores: ['Unlikely', 'Possible', 'Likely', 'Very likely'],
    score: '{words}, {percent}',
    percent: '{percent} %',
    underOne: 'under 1',
  },
  ar: {
    scores: ['مستبعد', 'ممكن', 'مرجّح', 'مرجّح جدا'],
    score: '{words}، {percent}',
    percent: '{percent} %',
    underOne: 'أقل من 1',
  },
}

/** The minimum score for each word; see the table in docs/classify.md. */
const SCORES = [0, 0.2, 0.5, 0.8]

const levelOf = (score: number) => SCORES.filter(from => score >= from).length - 1

export const likelihoodOf = (score: number) =>
  (['unlikely', 'possible', 'likely', 'likely'] as const)[levelOf(score)] ?? 'unlikely'

export const percentText = (lang: Language, score: number) =>
  fillText(scoreStrings[lang].percent, { percent: score < 0.005 ? scoreStrings[lang].underOne : Math.round(score * 100) })

export const scoreText = (lang: Language, score: number) =>
  fillText(scoreStrings[lang].score, {
    words: scoreStrings[lang].scores[levelOf(score)] ?? '',
    percent: percentText(lang, score),
  })

/** Candidates with less than this share of the best score are not likely. */
const RIVAL_SHARE = 0.1

/** The candidates that may well be right, including the best one. */
export function rivalsAmong(candidates: readonly { readonly hs_code: string; readonly score: number }[]): string[] {
  const best = Math.max(...candidates.map(({ score }) => score))
  return candidates.filter(({ score }) => score >= RIVAL_SHARE * best).map(({ hs_code }) => hs_code)
}
