/** dataset/glossary.csv: one Arabic word for one thing in descriptions. Keywords may have the others. */
import { chapterOf } from '../../src/codes/levels.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const GLOSSARY_FILE = 'glossary.csv'
const CHAPTERS = /^(\d{2})-(\d{2})$/
/** A word may carry these in front, and an ending behind: the rejected word is looked for under both. */
const BEFORE = '(?<![\\p{L}\\p{M}])(?:[وفبلك]|ال|وال|بال|كال|لل|ولل|وبال)?'
const AFTER = '(?:ة|ات|ان|ين|ها|ه|هما)?(?![\\p{L}\\p{M}])'

function rejectedPattern(word: string): RegExp {
  const letters = word.replace(/[^\p{L}\p{M} ]/gu, '')
  // regexp-ignore: dataset text, its words are letters of our own table, and a description has at most 1,000 characters
  return new RegExp(`${BEFORE}${letters}${AFTER}`, 'u')
}

export interface GlossaryEntry {
  en: string
  ar: string
  /** What the word is used instead of. */
  rejected: { word: string; pattern: RegExp }[]
  from: string
  to: string
  line: number
}

export function parseGlossary(text: string, defects: Defect[]): GlossaryEntry[] {
  const rows = parseTable(text, GLOSSARY_FILE, ['en', 'ar', 'instead_of', 'chapters'] as const, defects)
  return rows.map(({ en, ar, instead_of, chapters, line }) => {
    const say = (message: string) => defects.push({ file: GLOSSARY_FILE, line, message })
    if (en === '' || ar === '') say('an entry has its word in both languages')
    const range = CHAPTERS.exec(chapters)
    if (range === null) say(`the chapters "${chapters}" are not written as 25-98`)
    const words = instead_of
      .split(';')
      .map(word => word.trim())
      .filter(word => word !== '')
    const rejected = words.map(word => ({ word, pattern: rejectedPattern(word) }))
    const [, from = '01', to = '99'] = range ?? []
    return { en, ar, rejected, from, to, line }
  })
}

/** Arabic descriptions that use a rejected word where the glossary has another. */
export function checkGlossary(entries: readonly GlossaryEntry[], rows: readonly Row[]): Defect[] {
  const defects: Defect[] = []
  for (const { hs_code, description_ar, file, line } of rows) {
    const chapter = chapterOf(hs_code)
    for (const { en, ar, rejected, from, to } of entries) {
      if (chapter < from || chapter > to) continue
      for (const { word, pattern } of rejected) {
        if (pattern.test(description_ar))
          defects.push({ file, line, message: `description_ar has "${word}"; for "${en}" we write "${ar}"` })
      }
    }
  }
  return defects
}
