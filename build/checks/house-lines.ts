/** Checks a description against the lines below it, and keywords against national lines under other headings. */
import { HEADING_DIGITS, headingOf, SUBHEADING_DIGITS } from '../../src/codes/levels.js'
import { splitExclusions, withoutExclusions } from '../../src/text/exclusions.js'
import { Stemmer } from '../../src/text/terms.js'
import { NO_WORDS } from '../../src/text/word-data.js'
import type { BuildRecord } from '../compiler/hierarchy.js'
import { keywordKey } from '../dataset/accepted-keywords.js'
import type { Defect } from '../dataset/defect.js'
import { parentsOf } from '../dataset/parents.js'
import type { Row } from '../dataset/rows.js'

const LANGUAGES = [
  ['description_en', 'keywords_en'],
  ['description_ar', 'keywords_ar'],
] as const
const stemmer = new Stemmer(NO_WORDS)

/** Separates the parts of an exclusion. In Arabic, "and" is a letter joined to the next word. */
const EXCLUSION_SEPARATOR = /[,،;]| (?:and|or|nor|أو) | و(?=\p{L}{3})/u
const COMMA_OR_BRACKET = /[,،(]/
const IGNORED_TERMS = new Set(['the', 'of', 'other'])

function nameOf(text: string): string {
  return stemmer
    .terms(text)
    .filter(term => !IGNORED_TERMS.has(term))
    .join(' ')
}

function excludedNames(description: string): Set<string> {
  const parts = splitExclusions(description).excluded.flatMap(text => text.split(EXCLUSION_SEPARATOR))
  // "methyl- and propylphosphonic acid": the first part is not a name
  return new Set(parts.filter(part => !part.trim().endsWith('-')).map(nameOf))
}

/** Reports a description that excludes goods named by its own keywords or by a line below it. */
export function checkOwnLines(rows: readonly Row[]): Defect[] {
  const parents = parentsOf(rows)
  const defects: Defect[] = []
  for (const [description, keywords] of LANGUAGES) {
    const excluded = new Map(rows.map(row => [row, excludedNames(row[description])]))
    const reported = new Set<string>()
    for (const row of rows) {
      const excluding: Row[] = []
      for (let at: Row | undefined = row; at !== undefined; at = parents.get(at.hs_code))
        if (excluded.get(at)?.size !== 0) excluding.push(at)
      if (excluding.length === 0) continue
      const own = row[keywords].split(';').map(nameOf)
      const subject = nameOf(withoutExclusions(row[description]).split(COMMA_OR_BRACKET)[0])
      for (const at of excluding) {
        // a row cannot exclude its own subject, but it can exclude the subject of a line below
        const name = [...own, ...(at === row ? [] : [subject])].find(one => one !== '' && excluded.get(at)?.has(one))
        if (name === undefined || reported.has(`${at.hs_code} ${name}`)) continue
        reported.add(`${at.hs_code} ${name}`)
        defects.push(defect(at, `${description} excludes "${name}", which ${row.hs_code} names`))
      }
    }
  }
  return defects
}

const NATIONAL_PLACEMENT = 'placed here by the national tariff'
const FIRST_COMMA = /[,،]/

/** Reports a keyword that is the name of a national line under another heading, unless the description names it. */
export function checkNationalLines(rows: readonly Row[]): Defect[] {
  const lines = new Map<string, Row[]>()
  for (const row of rows.filter(({ description_en }) => description_en.includes(NATIONAL_PLACEMENT)))
    for (const [description] of LANGUAGES) {
      const name = keywordKey(row[description].split(FIRST_COMMA)[0] as string)
      lines.set(name, [...(lines.get(name) ?? []), row])
    }
  return rows
    .filter(({ hs_code }) => hs_code.length >= HEADING_DIGITS)
    .flatMap(row =>
      `${row.keywords_en};${row.keywords_ar}`.split(';').flatMap(keyword => {
        const line = lines.get(keywordKey(keyword))?.find(other => isUnmentioned(other, row))
        if (line === undefined) return []
        return [
          defect(
            row,
            `"${keyword.trim()}" is ${line.hs_code} in the national tariff; move it there, or name that code in the description`,
          ),
        ]
      }),
    )
}

function isUnmentioned({ hs_code }: Row, row: Row): boolean {
  return headingOf(hs_code) !== headingOf(row.hs_code) && !row.description_en.includes(hs_code.slice(0, SUBHEADING_DIGITS))
}

const LINKING_WORDS = new Set('for and with from such kind use not only than their its including under over'.split(' '))

function contentTerms(text: string): string[] {
  return stemmer.terms(text).filter(term => /^\p{L}{3}/u.test(term) && !LINKING_WORDS.has(term) && !IGNORED_TERMS.has(term))
}

/**
 * If a line has another rate than its subheading, the subheading must name the line's goods, so that a reader who stops there
 * sees the difference. Residual lines ("Other") have no name and are skipped.
 */
export function checkOtherRates(records: readonly BuildRecord[], rows: readonly Row[]): Defect[] {
  const byCode = new Map(records.map(record => [record.code, record]))
  const children = new Map<Row, Row[]>()
  const parents = parentsOf(rows)
  for (const row of rows) {
    const parent = parents.get(row.hs_code)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), row])
  }
  const defects: Defect[] = []
  for (const [row, lines] of children) {
    if (row.hs_code.length !== SUBHEADING_DIGITS) continue
    const { rate } = byCode.get(row.hs_code) as BuildRecord
    const hasSameRate = ({ hs_code }: Row) => {
      const { low, high } = byCode.get(hs_code) as BuildRecord
      return low === rate && high === rate
    }
    const common = new Set(lines.filter(hasSameRate).flatMap(line => contentTerms(withoutExclusions(line.description_en))))
    const named = new Set(contentTerms(row.description_en))
    for (const line of lines.filter(line => !hasSameRate(line))) {
      const own = contentTerms(withoutExclusions(line.description_en)).filter(term => !common.has(term))
      if (own.length === 0 || own.some(term => named.has(term))) continue
      defects.push(defect(row, `${line.hs_code} has another rate, and the description names none of its goods`))
    }
  }
  return defects
}

function defect({ file, line }: Row, message: string): Defect {
  return { file, line, message }
}
