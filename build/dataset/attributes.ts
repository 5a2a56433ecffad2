/**
 * dataset/attributes.csv and attribute-values.csv: attributes that separate goods ("frozen", "of leather"), the question about
 * each, and the words that state a value.
 */
import { chapterOf } from '../../src/codes/levels.js'
import type { Bilingual } from '../../src/snapshot/country-format.js'
import type { Stemmer } from '../../src/text/terms.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const ATTRIBUTES_FILE = 'attributes.csv'
export const ATTRIBUTE_VALUES_FILE = 'attribute-values.csv'

/** Placeholder for the words of the answer. */
export const PLACEHOLDER = '{}'
/** The value of a residual answer ("of other materials"). */
export const OTHER_VALUE = 'other'
/** Marks words that count only at the start of a description. */
const AT_START = '^'
/** Marks words that do not count in a description that states a narrower value: in "fabrics of wool", "fabrics" names the goods. */
const UNLESS_NARROWER = '~'
const RANGE = /^(\d{2}|\d{4})(?:-(\d{2}|\d{4}))?$/

const ATTRIBUTE_COLUMNS = [
  'attribute',
  'codes',
  'across',
  'after_for',
  'unstated',
  'shares',
  'question_en',
  'question_ar',
  'yes_no_en',
  'yes_no_ar',
  'answer_en',
  'answer_ar',
  'other_en',
  'other_ar',
] as const
const VALUE_COLUMNS = ['attribute', 'value', 'broader', 'name_en', 'name_ar', 'words_en', 'words_ar'] as const

const AFTER_FOR = ['', 'yes', 'only'] as const
export type AfterFor = (typeof AFTER_FOR)[number]

export interface AttributeRow {
  attribute: string
  /** Chapters and headings to which the attribute applies. */
  codes: string[]
  /** Groups of chapters and headings: the attribute decides between the headings of a group. */
  across: string[][]
  /** Whether words after "for" state the attribute: blank for no, `yes`, or `only` if no other words state it. */
  afterFor: AfterFor
  /** Whether goods lack the attribute unless their description states it. */
  isAbsentUnlessStated: boolean
  /** Whether its values are materials whose shares a title may state. */
  hasShares: boolean
  question: Bilingual
  yesNo: Bilingual
  answer: Bilingual
  other: Bilingual
  line: number
}

/** Terms of the index that state a value, in this order. */
export interface StatingPhrase {
  terms: string[]
  isAtStart: boolean
  isUnlessNarrower: boolean
}

export interface AttributeValueRow {
  attribute: string
  value: string
  /** Another value of the attribute that includes this value, or ''. */
  broader: string
  name: Bilingual
  phrases: StatingPhrase[]
  line: number
}

/** "61-62 6401" → 61, 62, 6401; undefined for any other form. */
function codesOf(text: string): string[] | undefined {
  const codes: string[] = []
  for (const part of text.split(' ').filter(one => one !== '')) {
    const [, first, last = first] = RANGE.exec(part) ?? []
    if (first === undefined || last.length !== first.length || last < first) return undefined
    for (let n = Number(first); n <= Number(last); n++) codes.push(String(n).padStart(first.length, '0'))
  }
  return codes
}

export function parseAttributes(text: string, defects: Defect[]): AttributeRow[] {
  const seen = new Map<string, number>()
  return parseTable(text, ATTRIBUTES_FILE, ATTRIBUTE_COLUMNS, defects).map(row => {
    const { attribute, line } = row
    const report = (message: string) => defects.push({ file: ATTRIBUTES_FILE, line, message })
    if (attribute === '') report('the attribute has no name')
    const first = seen.get(attribute)
    if (first !== undefined) report(`"${attribute}" is already in line ${first}`)
    seen.set(attribute, line)
    const readCodes = (written: string) => {
      const codes = codesOf(written)
      if (codes === undefined) report(`the codes "${written}" are not written as 61-62 6401-6405`)
      return codes ?? []
    }
    const codes = readCodes(row.codes)
    if (row.codes.trim() === '') report('the codes are missing')
    const afterFor = AFTER_FOR.find(one => one === row.after_for)
    if (afterFor === undefined) report(`after_for is "${row.after_for}", not yes, only or blank`)
    if (!['', 'no'].includes(row.unstated)) report(`unstated is "${row.unstated}", not no or blank`)
    if (!['', 'yes'].includes(row.shares)) report(`shares is "${row.shares}", not yes or blank`)
    for (const what of ['question', 'yes_no', 'answer', 'other'] as const) {
      checkBothLanguages(what, row[`${what}_en`], what === 'answer' ? 'ع' : row[`${what}_ar`], report)
      if (what === 'question' || what === 'other') continue
      for (const language of ['en', 'ar'] as const)
        if (row[`${what}_${language}`].split(PLACEHOLDER).length !== 2)
          report(`${what}_${language} must have ${PLACEHOLDER} once`)
    }
    return {
      attribute,
      codes,
      across: row.across === '' ? [] : row.across.split(';').map(group => readCodes(group.trim())),
      afterFor: afterFor ?? '',
      isAbsentUnlessStated: row.unstated === 'no',
      hasShares: row.shares === 'yes',
      question: { en: row.question_en, ar: row.question_ar },
      yesNo: { en: row.yes_no_en, ar: row.yes_no_ar },
      answer: { en: row.answer_en, ar: row.answer_ar },
      other: { en: row.other_en, ar: row.other_ar },
      line,
    }
  })
}

export function parseAttributeValues(text: string, defects: Defect[], stemmer: Stemmer): AttributeValueRow[] {
  const seen = new Map<string, number>()
  return parseTable(text, ATTRIBUTE_VALUES_FILE, VALUE_COLUMNS, defects).map(row => {
    const { attribute, value, broader, line } = row
    const report = (message: string) => defects.push({ file: ATTRIBUTE_VALUES_FILE, line, message })
    if (value === '') report('the value has no name')
    const key = `${attribute} ${value}`
    const first = seen.get(key)
    if (first !== undefined) report(`"${value}" of ${attribute} is already in line ${first}`)
    if (broader !== '' && !seen.has(`${attribute} ${broader}`)) report(`the broader value "${broader}" must be listed before it`)
    seen.set(key, line)
    checkBothLanguages('name', row.name_en, row.name_ar, report)
    checkBothLanguages('list of words', row.words_en, row.words_ar, report)
    const phrases: StatingPhrase[] = []
    for (const written of [...row.words_en.split(';'), ...row.words_ar.split(';')]) {
      const phrase = written.trim()
      const terms = stemmer.terms(phrase)
      if (terms.length === 0) report('the words include a phrase without letters')
      else phrases.push({ terms, isAtStart: phrase.startsWith(AT_START), isUnlessNarrower: phrase.startsWith(UNLESS_NARROWER) })
    }
    return { attribute, value, broader, name: { en: row.name_en, ar: row.name_ar }, phrases, line }
  })
}

/** Checks that need both files and the dataset. */
export function checkAttributes(
  attributes: readonly AttributeRow[],
  values: readonly AttributeValueRow[],
  rows: readonly Row[],
): Defect[] {
  const defects: Defect[] = []
  const codes = new Set(rows.map(({ hs_code }) => hs_code))
  const chapters = new Set(rows.map(({ hs_code }) => chapterOf(hs_code)))
  const known = new Set(attributes.map(({ attribute }) => attribute))
  const used = new Set(values.map(({ attribute }) => attribute))
  for (const { attribute, codes: read, across, line } of attributes) {
    const report = (message: string) => defects.push({ file: ATTRIBUTES_FILE, line, message })
    if (!used.has(attribute)) report(`no value of "${attribute}" is in ${ATTRIBUTE_VALUES_FILE}`)
    for (const code of new Set(across.flat())) {
      if (!read.includes(chapterOf(code)) && !read.some(one => one.startsWith(code))) {
        if (!read.includes(code)) report(`${code} is in across but not in codes`)
      }
    }
    for (const code of read)
      if (code.length === 4 && chapters.has(chapterOf(code)) && !codes.has(code)) report(`the code ${code} is not in the dataset`)
  }
  const stated = new Map<string, AttributeValueRow>()
  for (const row of values) {
    const report = (message: string) => defects.push({ file: ATTRIBUTE_VALUES_FILE, line: row.line, message })
    if (!known.has(row.attribute)) report(`the attribute "${row.attribute}" is not in ${ATTRIBUTES_FILE}`)
    for (const { terms } of row.phrases) {
      const key = `${row.attribute} ${terms.join(' ')}`
      const first = stated.get(key)
      if (first !== undefined && first !== row)
        report(`"${terms.join(' ')}" already states ${first.value}, in line ${first.line}`)
      stated.set(key, row)
    }
  }
  return defects
}
