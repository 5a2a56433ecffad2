/** dataset/sections.csv: the sections of the nomenclature and their chapters. */
import type { Section } from '../../src/snapshot/format.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const SECTIONS_FILE = 'sections.csv'
const ROMAN = /^[IVX]+$/
const RANGE = /^(\d{2})(?:-(\d{2}))?$/
/** Reserved by the nomenclature, or free for national use. */
const IN_NO_SECTION: readonly string[] = ['77', '98', '99']

export interface SectionRow extends Section {
  line: number
}

function chaptersOf(range: string): string[] {
  const [, first, last = first] = RANGE.exec(range) ?? []
  const chapters: string[] = []
  for (let n = Number(first); n <= Number(last); n++) chapters.push(String(n).padStart(2, '0'))
  return chapters
}

export function parseSections(text: string, defects: Defect[]): SectionRow[] {
  const rows = parseTable(text, SECTIONS_FILE, ['section', 'chapters', 'title_en', 'title_ar'] as const, defects)
  const sectionOfChapter = new Map<string, string>()
  const names = new Set<string>()
  return rows.map(({ section, chapters: range, title_en, title_ar, line }) => {
    const report = (message: string) => defects.push({ file: SECTIONS_FILE, line, message })
    if (!ROMAN.test(section)) report(`the section "${section}" is not a Roman number`)
    if (names.has(section)) report(`section ${section} is listed twice`)
    names.add(section)
    checkBothLanguages('title', title_en, title_ar, report)
    const chapters = chaptersOf(range)
    if (chapters.length === 0) report(`the chapters "${range}" are not written as 01-05 or 97`)
    for (const chapter of chapters) {
      const otherSection = sectionOfChapter.get(chapter)
      if (otherSection !== undefined) report(`chapter ${chapter} is already in section ${otherSection}`)
      sectionOfChapter.set(chapter, section)
    }
    return { section, titleEn: title_en, titleAr: title_ar, chapters, line }
  })
}

export function checkSections(sections: readonly SectionRow[], rows: readonly Row[]): Defect[] {
  const placed = new Set(sections.flatMap(({ chapters }) => chapters))
  return rows
    .filter(({ hs_code }) => hs_code.length === 2 && !IN_NO_SECTION.includes(hs_code) && !placed.has(hs_code))
    .map(({ hs_code, file, line }) => ({ file, line, message: `chapter ${hs_code} is in no section` }))
}
