/** Trains the two models of src/catalog/classify: one for headings, one for subheadings. */
import type { Columns } from '../../../src/snapshot/schema.js'
import type { TitleRow } from '../../dataset/titles.js'
import type { BuildRecord } from '../hierarchy.js'
import { NO_PLACE } from '../index-terms.js'
import type { SearchIndex } from '../search-index.js'
import { buildExamples, type TextExample } from './examples.js'
import { train } from './train.js'

const HEADING_DIGITS = 4
const SUBHEADING_DIGITS = 6
/** How much a title counts: it is what will be asked for, and there are fewer of them than phrases. */
const TITLE_WEIGHT = 3

type ClassifierColumns = Pick<
  Columns,
  | 'classPair'
  | 'classHeading'
  | 'headingModelAt'
  | 'headingModelClass'
  | 'headingModelWeight'
  | 'classSubheading'
  | 'subheadingModelAt'
  | 'subheadingModelClass'
  | 'subheadingModelWeight'
>

/** `termsOf` reads a title into places of the vocabulary. */
export function buildClassifier(
  records: readonly BuildRecord[],
  { columns, placeOf, terms }: SearchIndex,
  titles: readonly TitleRow[],
  termsOf: (title: string) => readonly string[],
): ClassifierColumns {
  const read = titles.map(({ hs_code, title }) => ({ code: hs_code, terms: placesOf(termsOf(title), placeOf) }))
  const level = (digits: number) => {
    const classRecords = Uint32Array.from(records.flatMap(({ code }, i) => (code.length === digits ? [i] : [])))
    const classOf = new Map(Array.from(classRecords, (record, i) => [records[record].code, i]))
    const texts: TextExample[] = []
    for (const { code, terms } of phrasesOf(records, columns)) {
      const one = classOf.get(code.slice(0, digits))
      if (one !== undefined) texts.push({ terms, class: one, weight: 1 })
    }
    for (const { code, terms } of read) {
      const one = classOf.get(code.slice(0, digits))
      if (one !== undefined && terms.length > 0) texts.push({ terms, class: one, weight: TITLE_WEIGHT })
    }
    return { classRecords, texts }
  }
  const headings = level(HEADING_DIGITS)
  const subheadings = level(SUBHEADING_DIGITS)
  const termCount = terms.texts.length
  // pairs of all texts: phrases of subheadings are phrases of headings too
  const headingExamples = buildExamples(headings.texts, termCount)
  const headingModel = train(headingExamples, headings.classRecords.length)
  const subheadingModel = train(
    buildExamples(subheadings.texts, termCount, headingExamples.pairs),
    subheadings.classRecords.length,
  )
  return {
    classPair: headingExamples.pairs,
    classHeading: headings.classRecords,
    headingModelAt: headingModel.at,
    headingModelClass: headingModel.classes,
    headingModelWeight: headingModel.weights,
    classSubheading: subheadings.classRecords,
    subheadingModelAt: subheadingModel.at,
    subheadingModelClass: subheadingModel.classes,
    subheadingModelWeight: subheadingModel.weights,
  }
}

function placesOf(terms: readonly string[], placeOf: SearchIndex['placeOf']): number[] {
  return terms.flatMap(term => placeOf(term) ?? [])
}

function* phrasesOf(records: readonly BuildRecord[], columns: SearchIndex['columns']) {
  const { phrasesAt, phraseTermsAt, phraseLength, phraseTerm } = columns
  for (const [record, { code }] of records.entries()) {
    let from = phraseTermsAt[record]
    for (let phrase = phrasesAt[record]; phrase < phrasesAt[record + 1]; phrase++) {
      const terms = phraseTerm.subarray(from, from + phraseLength[phrase]).filter(term => term !== NO_PLACE)
      from += phraseLength[phrase]
      if (terms.length > 0) yield { code, terms }
    }
  }
}
