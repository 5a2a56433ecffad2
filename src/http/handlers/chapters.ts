import type { Catalog } from '../../catalog/catalog.js'
import { CHAPTER_DIGITS } from '../../codes/levels.js'

const IN_NO_SECTION = { en: 'Chapters in no section', ar: 'فصول خارج الأقسام' }

/** The sections with their chapters; chapters outside all sections come last. */
export function chaptersJson({ meta, level, records }: Catalog): string {
  const chapters = new Map<string, string>()
  level.forEach((digits, record) => {
    if (digits === CHAPTER_DIGITS) chapters.set(records.code(record), `${records.headText(record)}}`)
  })
  const render = (section: string | null, title: { en: string; ar: string }, codes: readonly string[]) => {
    const listed = codes.flatMap(code => chapters.get(code) ?? [])
    for (const code of codes) chapters.delete(code)
    return `${JSON.stringify({ section, title }).slice(0, -1)},"chapters":[${listed.join()}]}`
  }
  const sections = meta.sections.map(({ section, titleEn, titleAr, chapters: codes }) =>
    render(section, { en: titleEn, ar: titleAr }, codes),
  )
  const rest = [...chapters.keys()].sort()
  if (rest.length > 0) sections.push(render(null, IN_NO_SECTION, rest))
  return `[${sections.join()}]`
}
