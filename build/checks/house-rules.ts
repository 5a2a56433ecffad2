/** Rules for our own dataset that compare several rows. Each rule has a name, so that a manifest can postpone it. */

import { buildRecords } from '../compiler/hierarchy.js'
import { AcceptedKeywords } from '../dataset/accepted-keywords.js'
import type { Defect } from '../dataset/defect.js'
import { checkGlossary } from '../dataset/glossary.js'
import type { Dataset } from '../dataset/read.js'
import type { Row } from '../dataset/rows.js'
import { HOUSE_RULES, type HouseRule } from '../dataset/rule-names.js'
import { checkKeywordLanguages, checkKeywordRates, checkKeywordSubjects } from './house-keywords.js'
import { checkNationalLines, checkOtherRates, checkOwnLines } from './house-lines.js'
import { checkParentRates, checkSourceRates } from './house-rates.js'
import { checkBrackets, checkExclusions, checkNumbers, checkPercentages } from './house-words.js'

/** Expects well-formed rows: codes, rates and parents are not checked again. */
export function checkHouseRules(dataset: Dataset): Defect[] {
  const { rows, manifest, glossary = [], acceptedKeywords = [], rateSources = [] } = dataset
  const records = buildRecords(rows, manifest)
  const rates = new Map(records.map(({ code, rate }) => [code, rate]))
  const rateOf = ({ hs_code }: Row) => rates.get(hs_code) as string
  const accepted = new AcceptedKeywords(acceptedKeywords)
  const rules: Record<HouseRule, () => Defect[]> = {
    brackets: () => checkBrackets(rows),
    numbers: () => checkNumbers(rows),
    exclusions: () => checkExclusions(rows),
    percentages: () => checkPercentages(rows),
    glossary: () => checkGlossary(glossary, rows),
    'keyword-rates': () => checkKeywordRates(rows, rateOf, accepted),
    'keyword-subjects': () => checkKeywordSubjects(rows, accepted),
    'keyword-languages': () => checkKeywordLanguages(rows),
    'own-lines': () => checkOwnLines(rows),
    'national-lines': () => checkNationalLines(rows),
    'other-rates': () => checkOtherRates(records, rows),
    'parent-rates': () => checkParentRates(records, rows),
    'source-rates': () => checkSourceRates(rateSources, rows, rateOf),
  }
  const pending = manifest.rules_pending ?? []
  const inForce = HOUSE_RULES.filter(rule => !pending.includes(rule))
  const defects = inForce.flatMap(rule => rules[rule]())
  const judgesKeywords = inForce.includes('keyword-rates') && inForce.includes('keyword-subjects')
  return judgesKeywords ? [...defects, ...accepted.unusedEntries()] : defects
}
