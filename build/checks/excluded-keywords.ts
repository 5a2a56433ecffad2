/** Keywords that lead to a code although a note or a pointer sends the same words elsewhere. */
import { keywordKey } from '../dataset/accepted-keywords.js'
import type { Defect } from '../dataset/defect.js'
import type { Dataset } from '../dataset/read.js'
import type { Row } from '../dataset/rows.js'

/** Ends what a note names, before it says where that goes. */
const END = /[;.؛]/

interface Sent {
  scopes: readonly string[]
  goesTo: readonly string[]
  /** As a clause. */
  by: string
}

/** Only keywords that are the whole of what is named. */
export function checkExcludedKeywords({
  rows,
  notes = [],
  pointers = [],
}: Pick<Dataset, 'rows' | 'notes' | 'pointers'>): Defect[] {
  const byKey = new Map<string, Sent[]>()
  const add = (text: string, sent: Sent) => {
    const key = keywordKey(text.split(END)[0])
    byKey.set(key, [...(byKey.get(key) ?? []), sent])
  }
  for (const { kind, scopes, goesTo, number, en, ar } of notes)
    if (kind === 'excludes') for (const text of [en, ar]) add(text, { scopes, goesTo, by: `${number} excludes it` })
  for (const { from, to, en, ar } of pointers)
    for (const text of [en, ar]) add(text, { scopes: [from], goesTo: [to], by: `a pointer sends it to ${to}` })
  return rows.flatMap(row => checkRow(row, byKey))
}

function checkRow(row: Row, byKey: ReadonlyMap<string, readonly Sent[]>): Defect[] {
  const { hs_code, file, line } = row
  const covers = (prefix: string) => hs_code.startsWith(prefix)
  return `${row.keywords_en};${row.keywords_ar}`.split(';').flatMap(keyword => {
    const found = byKey.get(keywordKey(keyword))?.find(({ scopes, goesTo }) => scopes.some(covers) && !goesTo.some(covers))
    return found === undefined ? [] : [{ file, line, message: `the keyword "${keyword.trim()}" of ${hs_code}: ${found.by}` }]
  })
}
