/** dataset/pointers.csv: goods that people look for under one code although they belong to another. */
import { keywordKey } from './accepted-keywords.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const POINTERS_FILE = 'pointers.csv'

export interface PointerRow {
  from: string
  en: string
  ar: string
  to: string
  line: number
}

export function parsePointers(text: string, defects: Defect[]): PointerRow[] {
  const rows = parseTable(text, POINTERS_FILE, ['from', 'what_en', 'what_ar', 'to'] as const, defects)
  const pointers = rows.map(({ from, what_en: en, what_ar: ar, to, line }) => ({ from, en, ar, to, line }))
  const seen = new Map<string, PointerRow>()
  for (const pointer of pointers) {
    const { from, en, ar, to, line } = pointer
    const report = (message: string) => defects.push({ file: POINTERS_FILE, line, message })
    checkBothLanguages('name', en, ar, report)
    if (`${en}${ar}`.includes(';')) report('there are several names, separated by a semicolon; give each its own row')
    if (from === to) report(`${from} points to itself`)
    const first = seen.get(keyOf(from, en))
    if (first !== undefined) report(`a pointer from ${from} for "${en}" is already at line ${first.line}`)
    if (first === undefined) seen.set(keyOf(from, en), pointer)
  }
  for (const pointer of pointers) if (isInLoop(pointer, seen)) defects.push(loopDefect(pointer))
  return pointers
}

/** Whether pointers with the same words form a loop. */
function isInLoop({ from, en, to }: PointerRow, byKey: ReadonlyMap<string, PointerRow>): boolean {
  const passed = new Set<string>([from])
  for (let at: string | undefined = to; at !== undefined && !passed.has(at); at = byKey.get(keyOf(at, en))?.to) {
    passed.add(at)
    if (byKey.get(keyOf(at, en))?.to === from) return true
  }
  return false
}

function loopDefect({ from, en, line }: PointerRow): Defect {
  return { file: POINTERS_FILE, line, message: `pointers for "${en}" form a circle from ${from}` }
}

const keyOf = (code: string, words: string) => `${code} ${keywordKey(words)}`

export function checkPointers(pointers: readonly PointerRow[], rows: readonly Row[]): Defect[] {
  const codes = new Set(rows.map(({ hs_code }) => hs_code))
  return pointers.flatMap(({ from, to, line }) =>
    [from, to]
      .filter(code => !codes.has(code))
      .map(code => ({ file: POINTERS_FILE, line, message: `${code} is not a code of the dataset` })),
  )
}

/** Adds the words of pointers to the keywords of their targets, unless some code has them already. */
export function withPointerNames(rows: readonly Row[], pointers: readonly PointerRow[]): Row[] {
  const known = new Set(rows.flatMap(row => `${row.keywords_en};${row.keywords_ar}`.split(';').map(keywordKey)))
  const added = new Map<string, { en: string[]; ar: string[] }>()
  for (const { en, ar, to } of pointers) {
    const names = added.get(to) ?? { en: [], ar: [] }
    added.set(to, names)
    for (const [text, list] of [[en, names.en] as const, [ar, names.ar] as const]) {
      const key = keywordKey(text)
      if (known.has(key)) continue
      known.add(key)
      list.push(text)
    }
  }
  return rows.map(row => {
    const names = added.get(row.hs_code)
    if (names === undefined) return row
    return {
      ...row,
      keywords_en: [row.keywords_en, ...names.en].join(';'),
      keywords_ar: [row.keywords_ar, ...names.ar].join(';'),
    }
  })
}
