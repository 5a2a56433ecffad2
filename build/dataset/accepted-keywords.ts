/** dataset/accepted-keywords.csv: keywords that break a rule on purpose, each with its reason. */
import { words } from '../../src/text/fold.js'
import type { Defect } from './defect.js'
import { parseTable } from './table.js'

export const ACCEPTED_KEYWORDS_FILE = 'accepted-keywords.csv'
const HEADINGS = /^\d{4}(?: \d{4})+$/

export interface AcceptedKeyword {
  /** The keyword as rules compare it: see `keywordKey`. */
  key: string
  keyword: string
  /** The headings that were compared when the keyword was accepted. */
  headings: string[]
  line: number
}

/** Ignores letter case, hamza and similar variants. Words are not stemmed: "maps" and "MAP" differ. */
export function keywordKey(keyword: string): string {
  return words(keyword).join(' ')
}

export function parseAcceptedKeywords(text: string, defects: Defect[]): AcceptedKeyword[] {
  const rows = parseTable(text, ACCEPTED_KEYWORDS_FILE, ['keyword', 'codes', 'reason'] as const, defects)
  const seen = new Map<string, number>()
  return rows.map(({ keyword, codes, reason, line }) => {
    const report = (message: string) => defects.push({ file: ACCEPTED_KEYWORDS_FILE, line, message })
    const key = keywordKey(keyword)
    if (key === '') report('the keyword is missing')
    if (!HEADINGS.test(codes)) report(`the codes "${codes}" are not two headings or more, such as 7118 9705`)
    if (reason.trim() === '') report('the reason is missing')
    const first = seen.get(key)
    if (first !== undefined) report(`"${keyword}" is already at line ${first}`)
    seen.set(key, line)
    return { key, keyword, headings: codes.split(' '), line }
  })
}

/** Records which entries were used, because an unused entry would hide a later mistake. */
export class AcceptedKeywords {
  readonly #entries: Map<string, AcceptedKeyword>
  readonly #used = new Set<string>()

  constructor(entries: readonly AcceptedKeyword[]) {
    this.#entries = new Map(entries.map(entry => [entry.key, entry]))
  }

  covers(key: string, headings: Iterable<string>): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#used.add(key)
    return [...headings].every(heading => entry.headings.includes(heading))
  }

  unusedEntries(): Defect[] {
    return [...this.#entries.values()]
      .filter(({ key }) => !this.#used.has(key))
      .map(({ keyword, line }) => ({
        file: ACCEPTED_KEYWORDS_FILE,
        line,
        message: `no rule reports "${keyword}" any more; remove it from the list`,
      }))
  }
}
