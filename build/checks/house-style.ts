/** Style rules of our own dataset. Imported official files need not follow them. */
import { isLine } from '../../src/codes/levels.js'
import type { Defect } from '../dataset/defect.js'
import type { Manifest } from '../dataset/manifest.js'
import type { Row } from '../dataset/rows.js'

const DESCRIPTION_CHARS_MAX = 200
const KEYWORD_CHARS_MAX = 60
const ONLY_OTHER_ENGLISH = /^(?:and )?others?(?: (?:goods|articles|products|items|machines|parts|kinds|types))?$/i
const ONLY_OTHER_ARABIC = /^(?:و)?(?:غيرها|غيره|أخرى|أخر|أنواع أخرى|منتجات أخرى|سلع أخرى|أصناف أخرى)$/
const TATWEEL_OR_MARK = /[\u0640\u064b-\u0652\u0670]/
const CURLY_QUOTE = /[\u2018\u2019\u201c\u201d]/
const ARABIC_INDIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/
const LATIN_WORD = /[A-Za-z]{6,}/
const ARABIC = /\p{Script=Arabic}/u
const FINAL_PUNCTUATION = /[.:;,،؛]$/

type Report = (row: Row, message: string) => void

/** Expands the codes of the manifest: "0101 21 29 30; 0102 21" means 0101, 010121 … */
export function expectedCodes(manifest: Manifest): Set<string> {
  const codes = new Set<string>()
  for (const [chapter, text] of Object.entries(manifest.codes ?? {})) {
    codes.add(chapter)
    for (const group of text.split(';')) {
      const [heading = '', ...endings] = group.trim().split(' ')
      if (heading === '') continue
      codes.add(heading)
      for (const ending of endings) codes.add(heading + ending)
    }
  }
  return codes
}

function checkCoverage(rows: Row[], manifest: Manifest, report: Report, defects: Defect[]): void {
  const expected = expectedCodes(manifest)
  if (expected.size === 0) return
  const found = new Set(rows.map(row => row.hs_code))
  for (const code of expected) {
    if (!found.has(code)) defects.push({ file: 'manifest.json', line: 1, message: `${code} is listed but has no row` })
  }
  for (const row of rows) {
    if (!isLine(row.hs_code) && !expected.has(row.hs_code)) report(row, `${row.hs_code} is not among the manifest's codes`)
  }
}

function checkDescription(row: Row, name: 'description_en' | 'description_ar', report: Report): void {
  const text = row[name]
  if ((name === 'description_en' ? ONLY_OTHER_ENGLISH : ONLY_OTHER_ARABIC).test(text)) {
    report(row, `${name} is only "${text}"; name the goods that it excludes, as in "other than bottles"`)
  }
  if (text.length > DESCRIPTION_CHARS_MAX) report(row, `${name} is longer than ${DESCRIPTION_CHARS_MAX} characters`)
  if (FINAL_PUNCTUATION.test(text)) report(row, `${name} ends with a punctuation mark`)
  if (text.includes('  ')) report(row, `${name} has two spaces in a row`)
  if (text.split('(').length !== text.split(')').length) report(row, `${name} has unbalanced brackets`)
  if (TATWEEL_OR_MARK.test(text)) report(row, `${name} has tatweel or a vowel mark`)
  if (CURLY_QUOTE.test(text)) report(row, `${name} has curly quotes; straight ones are used here`)
  if (ARABIC_INDIC_DIGIT.test(text)) report(row, `${name} has Arabic-Indic digits; ASCII digits are used here`)
}

function checkKeywords(row: Row, name: 'keywords_en' | 'keywords_ar', report: Report): void {
  const seen = new Set<string>()
  for (const part of row[name].split(';')) {
    const keyword = part.trim()
    if (keyword === '') {
      if (row[name] !== '') report(row, `${name} has an empty keyword`)
      continue
    }
    const key = keyword.toLowerCase()
    if (seen.has(key)) report(row, `${name} repeats "${keyword}"`)
    seen.add(key)
    if (keyword.length > KEYWORD_CHARS_MAX) report(row, `${name} has a keyword longer than ${KEYWORD_CHARS_MAX} characters`)
    const arabic = ARABIC.test(keyword)
    if (name === 'keywords_en' && arabic) report(row, `keywords_en has the Arabic "${keyword}"`)
    if (name === 'keywords_ar' && !arabic) report(row, `keywords_ar has "${keyword}", without an Arabic letter`)
    if (TATWEEL_OR_MARK.test(keyword)) report(row, `${name} has tatweel or a vowel mark in "${keyword}"`)
  }
}

/** Reports children of one code with the same text in a language. */
function checkDuplicateDescriptions(rows: Row[], report: Report): void {
  const codes = new Set(rows.map(row => row.hs_code))
  const seen = new Map<string, string>()
  for (const row of rows) {
    let parent = ''
    for (let n = row.hs_code.length - 1; n >= 2 && parent === ''; n--) {
      if (codes.has(row.hs_code.slice(0, n))) parent = row.hs_code.slice(0, n)
    }
    for (const name of ['description_en', 'description_ar'] as const) {
      const key = `${parent}|${name}|${row[name].toLowerCase()}`
      const twin = seen.get(key)
      if (twin === undefined) seen.set(key, row.hs_code)
      else report(row, `${row.hs_code} reads like its sibling ${twin} in ${name}`)
    }
  }
}

export function checkHouseStyle(rows: Row[], manifest: Manifest): Defect[] {
  const defects: Defect[] = []
  const report: Report = (row, message) => defects.push({ file: row.file, line: row.line, message })
  const rates = new Set((manifest.rates ?? []).map(String))
  checkCoverage(rows, manifest, report, defects)
  checkDuplicateDescriptions(rows, report)
  for (const row of rows) {
    checkDescription(row, 'description_en', report)
    checkDescription(row, 'description_ar', report)
    checkKeywords(row, 'keywords_en', report)
    checkKeywords(row, 'keywords_ar', report)
    if (!/^[A-Z0-9"(]/.test(row.description_en)) report(row, 'description_en does not begin with a capital')
    if (!ARABIC.test(row.description_ar)) report(row, 'the Arabic description has no Arabic letter')
    if (ARABIC.test(row.description_en)) report(row, 'the English description has Arabic letters')
    const latin = LATIN_WORD.exec(row.description_ar)
    if (latin !== null) report(row, `description_ar has the Latin word "${latin[0]}"`)
    if (row.tariff_rate !== '' && rates.size > 0 && !rates.has(row.tariff_rate)) {
      report(row, `the rate ${row.tariff_rate} is not among the manifest's rates`)
    }
  }
  return defects
}
