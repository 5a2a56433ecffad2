/** dataset/word-forms.csv and dataset/query-words.csv: irregular word forms, and words of a query that do not name goods. */
import { words } from '../../src/text/fold.js'
import { NO_WORDS, type WordData } from '../../src/text/word-data.js'
import type { Defect } from './defect.js'
import { parseTable } from './table.js'

export const WORD_FORMS_FILE = 'word-forms.csv'
export const QUERY_WORDS_FILE = 'query-words.csv'

export type WordForms = Pick<WordData, 'spellings' | 'plurals' | 'whole'>
export type QueryWords = Omit<WordData, keyof WordForms>

const FORM_KINDS = ['spelling', 'plural', 'whole']
const LIST_OF_KIND: ReadonlyMap<string, keyof QueryWords> = new Map([
  ['linking', 'linking'],
  ['asking', 'asking'],
  ['half_asking', 'halfAsking'],
  ['from', 'from'],
  ['unit', 'units'],
])

/** Reports defects in the rows of a table. */
class RowChecker {
  readonly #file: string
  readonly #defects: Defect[]
  readonly #seen = new Map<string, number>()

  constructor(file: string, defects: Defect[]) {
    this.#file = file
    this.#defects = defects
  }

  report(line: number, message: string): void {
    this.#defects.push({ file: this.#file, line, message })
  }

  /** The folded word of a cell; undefined, with a defect, if it is not exactly one word. */
  word(cell: string, line: number): string | undefined {
    const [word, ...more] = words(cell)
    if (word !== undefined && more.length === 0) return word
    this.report(line, `"${cell}" must be one word`)
    return undefined
  }

  once(kind: string, word: string, line: number): void {
    const key = `${kind} ${word}`
    const first = this.#seen.get(key)
    if (first !== undefined) this.report(line, `"${word}" is already in line ${first}`)
    this.#seen.set(key, line)
  }
}

export function parseWordForms(text: string, defects: Defect[]): WordForms {
  const forms: WordForms = { spellings: [], plurals: [], whole: [] }
  const checker = new RowChecker(WORD_FORMS_FILE, defects)
  for (const row of parseTable(text, WORD_FORMS_FILE, ['kind', 'word', 'stem'] as const, defects)) {
    const { kind, line } = row
    const word = checker.word(row.word, line)
    const stem = checker.word(row.stem, line)
    if (!FORM_KINDS.includes(kind)) checker.report(line, `kind must be one of ${FORM_KINDS.join(', ')}`)
    if (word === undefined || stem === undefined) continue
    checker.once(kind, word, line)
    if (kind === 'whole' && stem !== word) checker.report(line, `a word that is not stemmed must be its own stem: ${word}`)
    if (kind === 'whole') forms.whole.push(word)
    else (kind === 'spelling' ? forms.spellings : forms.plurals).push([word, stem])
  }
  return forms
}

export function parseQueryWords(text: string, defects: Defect[]): QueryWords {
  const { linking, asking, halfAsking, from, units } = structuredClone(NO_WORDS)
  const lists: QueryWords = { linking, asking, halfAsking, from, units }
  const checker = new RowChecker(QUERY_WORDS_FILE, defects)
  for (const row of parseTable(text, QUERY_WORDS_FILE, ['kind', 'word'] as const, defects)) {
    const list = LIST_OF_KIND.get(row.kind)
    const word = checker.word(row.word, row.line)
    if (list === undefined) checker.report(row.line, `kind must be one of ${[...LIST_OF_KIND.keys()].join(', ')}`)
    if (list === undefined || word === undefined) continue
    checker.once(row.kind, word, row.line)
    lists[list].push(word)
  }
  return lists
}
