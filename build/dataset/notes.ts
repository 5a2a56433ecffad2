/**
 * dataset/notes.csv: exclusions of sections and chapters with the heading to use instead, definitions, and rules that decide
 * between codes. A note also applies to the codes below its scopes.
 */
import { NOTE_CERTAINTIES, NOTE_KINDS } from '../../src/snapshot/format.js'
import { sectionScope } from '../../src/snapshot/section-scope.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import type { SectionRow } from './sections.js'
import { parseTable } from './table.js'

export const NOTES_FILE = 'notes.csv'
/** Scope of the general rules. */
export const RULES_SCOPE = 'rules'

const COLUMNS = ['scope', 'kind', 'number', 'text_en', 'text_ar', 'goes_to', 'certainty'] as const
/** An exclusion without a target must contain one of these verbs, which show that the note names the deciding detail. */
const DECIDING_WORDS = /\b(?:go|goes|stay|stays|decides)\b/

export interface NoteRow {
  /** Codes, sections such as S16, or `RULES_SCOPE`. */
  scopes: string[]
  kind: string
  /** Such as "Chapter 85, note 1(a)". */
  number: string
  en: string
  ar: string
  goesTo: string[]
  certainty: string
  line: number
}

const listOf = (cell: string) => (cell === '' ? [] : cell.split(';'))

export function parseNotes(text: string, defects: Defect[]): NoteRow[] {
  const seen = new Map<string, number>()
  return parseTable(text, NOTES_FILE, COLUMNS, defects).map(row => {
    const { scope, kind, number, text_en: en, text_ar: ar, goes_to, certainty, line } = row
    const report = (message: string) => defects.push({ file: NOTES_FILE, line, message })
    const known = (name: string, value: string, values: readonly string[]) => {
      if (!values.includes(value)) report(`the ${name} is "${value}", not one of ${values.join(', ')}`)
    }
    known('kind', kind, NOTE_KINDS)
    known('certainty', certainty, NOTE_CERTAINTIES)
    checkBothLanguages('text', en, ar, report)
    if (scope === '') report('the scope is missing')
    if (number.trim() === '') report('the number is missing')
    if (kind === 'excludes' && goes_to === '' && !DECIDING_WORDS.test(en))
      report('the note excludes goods, but names neither the code they belong to nor the fact that decides it')
    const key = [scope, number, en].join('\n')
    const first = seen.get(key)
    if (first !== undefined) report(`the note is already at line ${first}`)
    seen.set(key, line)
    return { scopes: listOf(scope), kind, number, en, ar, goesTo: listOf(goes_to), certainty, line }
  })
}

export function checkNotes(notes: readonly NoteRow[], rows: readonly Row[], sections: readonly SectionRow[] = []): Defect[] {
  const defects: Defect[] = []
  const codes = new Set(rows.map(({ hs_code }) => hs_code))
  const scopes = new Set([RULES_SCOPE, ...sections.map(({ section }) => sectionScope(section))])
  for (const { scopes: own, goesTo, kind, line } of notes) {
    const report = (message: string) => defects.push({ file: NOTES_FILE, line, message })
    for (const scope of own)
      if (!codes.has(scope) && !scopes.has(scope)) report(`the scope ${scope} is neither a code of the dataset nor a section`)
    for (const target of goesTo) {
      if (!codes.has(target)) report(`goods go to ${target}, which is not a code of the dataset`)
      else if (kind === 'excludes' && own.some(scope => target.startsWith(scope)))
        report(`goods are excluded and sent to ${target}, which is in the same scope`)
    }
    for (const list of [own, goesTo]) if (new Set(list).size < list.length) report(`a code occurs twice in ${list.join(';')}`)
  }
  return defects
}
