/** dataset/vague-goods.csv: words that do not name goods ("parts", "gift"), and the detail that is missing. */
import type { VagueGoods } from '../../src/snapshot/format.js'
import type { Stemmer } from '../../src/text/terms.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import { parseTable } from './table.js'

export const VAGUE_GOODS_FILE = 'vague-goods.csv'

/** A row without a missing detail is for words that add nothing to other words: "assorted". */
export function parseVagueGoods(text: string, defects: Defect[], stemmer: Stemmer): VagueGoods[] {
  const seen = new Map<string, number>()
  const columns = ['words_en', 'words_ar', 'missing_en', 'missing_ar'] as const
  return parseTable(text, VAGUE_GOODS_FILE, columns, defects).map(row => {
    const report = (message: string) => defects.push({ file: VAGUE_GOODS_FILE, line: row.line, message })
    const phrases = [row.words_en, row.words_ar]
      .flatMap(cell => cell.split(';'))
      .map(phrase => stemmer.terms(phrase).join(' '))
      .filter(phrase => phrase !== '')
    if (phrases.length === 0) report('the words are missing')
    for (const phrase of new Set(phrases)) {
      const first = seen.get(phrase)
      if (first !== undefined) report(`"${phrase}" is already in line ${first}`)
      seen.set(phrase, row.line)
    }
    if ((row.missing_en === '') !== (row.missing_ar === '')) checkBothLanguages('missing', row.missing_en, row.missing_ar, report)
    return { phrases: [...new Set(phrases)], missing: row.missing_en === '' ? null : { en: row.missing_en, ar: row.missing_ar } }
  })
}
