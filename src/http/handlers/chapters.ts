import type { Catalog } from '../../catalog/catalog.js'
import { ConstantHandler } from './constant.js'

const CHAPTER_DIGITS = 2
const IN_NO_SECTION = { en: 'Chapters in no section', ar: 'فصول خارج الأقسام' }

/** The beginning of its record: code and description. */
function renderChapter({ records }: Catalog, record: number): string {
  const head = records.arena.subarray(records.start(record), records.headEnd(record))
  return `${new TextDecoder().decode(new Uint8Array(head))}}`
}

/** Chapters in no section come last. */
function renderSections(catalog: Catalog): string {
  const chapters = new Map<string, string>()
  for (let record = 0; record < catalog.meta.records; record++)
    if (catalog.level[record] === CHAPTER_DIGITS) chapters.set(catalog.records.code(record), renderChapter(catalog, record))
  const take = (codes: readonly string[]) => {
    const taken = codes.flatMap(code => chapters.get(code) ?? [])
    for (const code of codes) chapters.delete(code)
    return `[${taken.join()}]`
  }
  const sections = catalog.meta.sections.map(({ section, titleEn, titleAr, chapters: codes }) => {
    const opening = JSON.stringify({ section, title: { en: titleEn, ar: titleAr } }).slice(0, -1)
    return `${opening},"chapters":${take(codes)}}`
  })
  const rest = [...chapters.keys()].sort()
  if (rest.length > 0) sections.push(`{"section":null,"title":${JSON.stringify(IN_NO_SECTION)},"chapters":${take(rest)}}`)
  return `[${sections.join()}]`
}

export class ChaptersHandler extends ConstantHandler {
  constructor(catalog: Catalog) {
    super(renderSections(catalog))
  }
}
