/** Finds keywords, pointers and titles that lead to a code although a note or a pointer sends the same words elsewhere. */
import { keywordKey } from '../dataset/accepted-keywords.js'
import type { Defect } from '../dataset/defect.js'
import { POINTERS_FILE } from '../dataset/pointers.js'
import type { Dataset } from '../dataset/read.js'

/** In a note, this mark ends the name of the goods; the heading of the goods follows. */
const END = /[;.؛]/

interface Redirection {
  scopes: readonly string[]
  goesTo: readonly string[]
  /** The reason, as a clause for the message. */
  by: string
}

/** Words that lead to a code, and where they are written. */
interface WordsForCode {
  code: string
  text: string
  /** The name of these words in the message: "the keyword", "the pointer". */
  what: string
  file: string
  line: number
}

/** Reports only words that match an excluded name in full. */
export function checkExcludedKeywords({
  rows,
  notes = [],
  pointers = [],
  titles = [],
}: Pick<Dataset, 'rows' | 'notes' | 'pointers' | 'titles'>): Defect[] {
  const byKey = new Map<string, Redirection[]>()
  const add = (text: string, redirection: Redirection) => {
    const key = keywordKey(text.split(END)[0])
    byKey.set(key, [...(byKey.get(key) ?? []), redirection])
  }
  for (const { kind, scopes, goesTo, number, en, ar } of notes)
    if (kind === 'excludes') for (const text of [en, ar]) add(text, { scopes, goesTo, by: `${number} excludes it` })
  for (const { from, to, en, ar } of pointers)
    for (const text of [en, ar]) add(text, { scopes: [from], goesTo: [to], by: `a pointer sends it to ${to}` })
  const wordsForCodes = [
    ...rows.flatMap(({ hs_code: code, file, line, keywords_en, keywords_ar }) =>
      `${keywords_en};${keywords_ar}`.split(';').map((text): WordsForCode => ({ code, text, what: 'the keyword', file, line })),
    ),
    ...pointers.flatMap(({ to: code, en, ar, line }) =>
      [en, ar].map((text): WordsForCode => ({ code, text, what: 'the pointer', file: POINTERS_FILE, line })),
    ),
    ...titles.map(({ hs_code: code, title: text, file, line }): WordsForCode => ({ code, text, what: 'the title', file, line })),
  ]
  return wordsForCodes.flatMap(one => defectOf(one, byKey))
}

function defectOf({ code, text, what, file, line }: WordsForCode, byKey: ReadonlyMap<string, readonly Redirection[]>): Defect[] {
  const covers = (prefix: string) => code.startsWith(prefix)
  const found = byKey.get(keywordKey(text))?.find(({ scopes, goesTo }) => scopes.some(covers) && !goesTo.some(covers))
  return found === undefined ? [] : [{ file, line, message: `${what} "${text.trim()}" of ${code}: ${found.by}` }]
}
