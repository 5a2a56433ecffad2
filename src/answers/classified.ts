/** A classified text, in the form that HTTP, library and commands return. */
import type { Catalog } from '../catalog/catalog.js'
import type { Candidate } from '../catalog/classify/classified.js'
import type { CountryView } from '../catalog/countries.js'
import type { Decision } from '../catalog/decisions.js'
import { renderRate } from '../catalog/records.js'
import type { ClassifiedItem } from '../questions/classify.js'

const SCORE_STEPS = 1000

/** Rounds a score to three decimals. */
export const roundedScore = (score: number): number => Math.round(score * SCORE_STEPS) / SCORE_STEPS

function candidateJson(catalog: Catalog, { record, score, matched }: Candidate, view: CountryView | undefined): string {
  const { records, level } = catalog
  const head = `${records.headText(record)},"level":${level[record]}${renderRate((view ?? catalog).rateText(record))}`
  return `${head},"score":${roundedScore(score)},"matched":${JSON.stringify(matched)}}`
}

const candidatesJson = (catalog: Catalog, candidates: readonly Candidate[], view: CountryView | undefined): string =>
  `[${candidates.map(candidate => candidateJson(catalog, candidate, view)).join()}]`

export function classifiedJson(catalog: Catalog, item: ClassifiedItem, view?: CountryView): string {
  const { text, status, candidates, question, missing, verdict, decision } = item
  const head = `{"text":${JSON.stringify(text)},"status":"${status}","candidates":${candidatesJson(catalog, candidates, view)}`
  const verdictJson =
    verdict === undefined ? 'null' : `{"status":"${verdict.status}","against":${candidatesJson(catalog, verdict.against, view)}}`
  const missingJson = missing === undefined ? '' : `,"missing":${JSON.stringify(bilingual(missing))}`
  return `${head},"question":${questionJson(question)},"verdict":${verdictJson}${missingJson}${decisionJson(decision)}}`
}

/** Empty for an item without a decision, so that its answer is the same with and without a file of decisions. */
function decisionJson(decision: ClassifiedItem['decision']): string {
  return decision === undefined ? '' : `,"decision":${JSON.stringify(decisionFields(decision))}`
}

export function decisionFields({ row, problem }: Decision) {
  const { code, country, who, day, why } = row
  return { code, country: country || null, who, day, why, problem }
}

function questionJson(question: ClassifiedItem['question']): string {
  if (question === undefined) return 'null'
  const answers = question.answers.map(({ text, within }) => ({ text: bilingual(text), within }))
  return JSON.stringify({ text: bilingual(question.text), answers })
}

const bilingual = ({ en, ar }: { en: string; ar: string }) => ({ en, ar })
