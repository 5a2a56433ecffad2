/** Finds keywords that lead to a code under which a customs officer would not look for the goods. */
import { HEADING_DIGITS, headingOf, SUBHEADING_DIGITS } from '../../src/codes/levels.js'
import { words } from '../../src/text/fold.js'
import { type AcceptedKeywords, keywordKey } from '../dataset/accepted-keywords.js'
import type { Defect } from '../dataset/defect.js'
import type { Row } from '../dataset/rows.js'

const BARE_WORDS_MAX = 2

interface KeywordUse {
  row: Row
  keyword: string
  key: string
}

function keywordUses(rows: readonly Row[]): KeywordUse[] {
  return rows
    .filter(row => row.hs_code.length >= HEADING_DIGITS)
    .flatMap(row =>
      `${row.keywords_en};${row.keywords_ar}`
        .split(';')
        .map(keyword => ({ row, keyword: keyword.trim(), key: keywordKey(keyword) }))
        .filter(({ key }) => key !== ''),
    )
}

/** Reports a keyword that leads to headings with different rates: somebody who follows it may pay the wrong duty. */
export function checkKeywordRates(rows: readonly Row[], rateOf: (row: Row) => string, accepted: AcceptedKeywords): Defect[] {
  const byKey = new Map<string, KeywordUse[]>()
  for (const use of keywordUses(rows)) byKey.set(use.key, [...(byKey.get(use.key) ?? []), use])
  const defects: Defect[] = []
  for (const [key, found] of byKey) {
    const headings = new Set(found.map(({ row }) => headingOf(row.hs_code)))
    const rates = new Set(found.map(({ row }) => rateOf(row)))
    if (headings.size < 2 || rates.size < 2) continue
    // inside one heading, descriptions of the lines show the difference
    const ratesOf = (heading: string) =>
      found.filter(({ row }) => headingOf(row.hs_code) === heading).map(({ row }) => rateOf(row))
    const [first, ...others] = [...headings].map(heading => [...new Set(ratesOf(heading))].sort().join())
    if (others.every(other => other === first)) continue
    if (accepted.covers(key, headings)) continue
    const { row, keyword } = found[found.length - 1]
    const places = found.map(use => `${use.row.hs_code} (${rateOf(use.row)} %)`).join(', ')
    defects.push(defect(row, `"${keyword}" leads to different rates: ${places}`))
  }
  return defects
}

/** Words that end the first noun phrase of a description without changing its meaning. */
const PHRASE_ENDING_WORDS = new Set(
  'for with and or other except including such designed used that which عدا او مع مثل'.split(' '),
)
/** Words before a material or a state. The noun before such a word does not name the goods of the code by itself. */
const NARROWING_WORDS = new Set(
  'of in from without not made containing under over weighing having من في غير دون تزيد تقل لا'.split(' '),
)
const STATE_OF_GOODS =
  /^(?:live|fresh|chilled|frozen|dried|salted|smoked|prepared|preserved|crude|refined|roasted|raw|unwrought|crushed|exposed|unassembled)$/
const PUNCTUATION = /[(),:;،؛/]/
/** Arabic writes "and", "for the" and "with the" as prefixes of the next word. */
const ARABIC_PARTICLE = /^(?:و|لل|بال)/
/** "Flax (linen) yarn", "Cement-bound boards": the first word is a modifier. */
// regexp-ignore: dataset text, a description has at most 1,000 characters
const MODIFIER = /^[^(,]*\([^)]*\) \p{L}|^[^ ,(]+-/u
/** "Goat or kid skins": a singular before "or" belongs to the noun that follows. */
const SHARED_NOUN = /^[^ ,(]*[^s ,(] (?:and|or) /

/**
 * The noun that a description is about: its first one or two words, up to the first qualifying word. Empty if more words come
 * before the qualifying word, or if that word is in `NARROWING_WORDS`.
 */
export function subjectOf(description: string): string {
  if (MODIFIER.test(description) || SHARED_NOUN.test(description)) return ''
  if (words(description).some(word => STATE_OF_GOODS.test(word))) return ''
  const list = words(description.split(PUNCTUATION)[0])
  if (list.some(word => NARROWING_WORDS.has(word))) return ''
  const end = list.findIndex((word, i) => i > 0 && (PHRASE_ENDING_WORDS.has(word) || ARABIC_PARTICLE.test(word)))
  const subject = end < 0 ? list : list.slice(0, end)
  return subject.length <= BARE_WORDS_MAX ? subject.join(' ') : ''
}

/** A row's subjects. An Arabic adjective may qualify a whole list, so the Arabic subject must be as long as the English one. */
function subjectsOf(row: Row): string[] {
  const english = subjectOf(row.description_en)
  const arabic = subjectOf(row.description_ar)
  const lengths = [english, arabic].map(subject => subject.split(' ').length)
  if (english === '') return []
  return arabic !== '' && lengths[0] === lengths[1] ? [english, arabic] : [english]
}

/** Reports keywords equal to the subject of another heading: they send that heading's goods to the wrong code. */
export function checkKeywordSubjects(rows: readonly Row[], accepted: AcceptedKeywords): Defect[] {
  const bySubject = new Map<string, Row[]>()
  const byCode = new Map(rows.map(row => [row.hs_code, row]))
  for (const row of rows) {
    if (row.hs_code.length !== HEADING_DIGITS && row.hs_code.length !== SUBHEADING_DIGITS) continue
    for (const subject of subjectsOf(row)) bySubject.set(subject, [...(bySubject.get(subject) ?? []), row])
  }
  const defects: Defect[] = []
  for (const { row, keyword, key } of keywordUses(rows)) {
    if (words(keyword).length > BARE_WORDS_MAX) continue
    const heading = headingOf(row.hs_code)
    const others = (bySubject.get(key) ?? []).filter(other => headingOf(other.hs_code) !== heading)
    if (others.length === 0) continue
    const home = byCode.get(heading)
    if (subjectsOf(row).includes(key) || (home !== undefined && subjectsOf(home).includes(key))) continue
    if (accepted.covers(key, [heading, ...others.map(other => headingOf(other.hs_code))])) continue
    const places = others.map(other => other.hs_code).join(', ')
    const [first] = others as [Row]
    defects.push(defect(row, `the bare keyword "${keyword}" is the subject of ${places}: ${first.description_en}`))
  }
  return defects
}

const WORD = /\p{L}{4}/u
/** A CAS number, a formula or a grade: "59-23-4", "na2so4" */
// regexp-ignore: dataset text, a keyword has at most 60 characters
const CODE = /^\S*\d\S*$/

/** Reports rows with keywords in only one language. Codes and formulas count for neither language. */
export function checkKeywordLanguages(rows: readonly Row[]): Defect[] {
  return rows.flatMap(row => {
    const [english, arabic] = [row.keywords_en, row.keywords_ar].map(text =>
      text.split(';').some(keyword => WORD.test(keyword) && !CODE.test(keyword.trim())),
    )
    if (english === arabic || (english === false && row.keywords_en !== '') || (arabic === false && row.keywords_ar !== ''))
      return []
    return [defect(row, `keywords are in ${english === true ? 'English' : 'Arabic'} only`)]
  })
}

function defect({ file, line }: Row, message: string): Defect {
  return { file, line, message }
}
