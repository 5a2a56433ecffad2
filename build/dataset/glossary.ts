/** dataset/glossary.csv: the only Arabic term that descriptions use for a thing. Keywords may use other terms. */
import { chapterOf } from '../../src/codes/levels.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const GLOSSARY_FILE = 'glossary.csv'
const CHAPTERS = /^(\d{2})-(\d{2})$/
/** Prefixes that Arabic joins to a word. A rejected word is found with any prefix and ending. */
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
  /** Rejected terms, which this term replaces. */
  rejected: { word: string; pattern: RegExp }[]
  from: string
  to: string
  line: number
}

export function parseGlossary(text: string, defects: Defect[]): GlossaryEntry[] {
  const rows = parseTable(text, GLOSSARY_FILE, ['en', 'ar', 'instead_of', 'chapters'] as const, defects)
  return rows.map(({ en, ar, instead_of, chapters, line }) => {
    const report = (message: string) => defects.push({ file: GLOSSARY_FILE, line, message })
    if (en === '' || ar === '') report('an entry must have its word in both languages')
    const range = CHAPTERS.exec(chapters)
    if (range === null) report(`the chapters "${chapters}" are not written as 25-98`)
    const words = instead_of
      .split(';')
      .map(word => word.trim())
      .filter(word => word !== '')
    const rejected = words.map(word => ({ word, pattern: rejectedPattern(word) }))
    const [, from = '01', to = '99'] = range ?? []
    return { en, ar, rejected, from, to, line }
  })
}

/** Reports Arabic descriptions that use a rejected term. */
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
