/** Notes and pointers as rendered bytes, and the columns that lead to them. */
import { CHAPTER_DIGITS, chapterOf } from '../../src/codes/levels.js'
import type { Section } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { sectionScope } from '../../src/snapshot/section-scope.js'
import { KeyedLists } from '../dataset/code-pairs.js'
import { type NoteRow, RULES_SCOPE } from '../dataset/notes.js'
import type { PointerRow } from '../dataset/pointers.js'
import { ByteColumn } from './byte-column.js'

const CHAPTER_NOTE = /^Chapter (\d{1,2}),/
const SECTION_NOTE = /^Section ([IVX]+),/

export type NoteColumns = Pick<
  Columns,
  'noteArena' | 'noteOffset' | 'noteScope' | 'noteScopeAt' | 'noteInScope' | 'noteList' | 'noteListAt' | 'noteInList'
>

export function buildNotes(
  notes: readonly NoteRow[],
  recordOf: ReadonlyMap<string, number>,
  sections: readonly Pick<Section, 'section'>[],
): NoteColumns {
  const keyOf = new Map(recordOf)
  for (const { section } of sections) keyOf.set(sectionScope(section), keyOf.size)
  keyOf.set(RULES_SCOPE, keyOf.size)
  const arena = new ByteColumn()
  const offset = [0]
  const inScope = new Map<number, number[]>()
  const own = new Map<number, number[]>()
  const others = new Map<number, number[]>()
  notes.forEach((note, i) => {
    const { scopes, kind, number, en, ar, goesTo, certainty } = note
    const text = { scope: scopes.join(', '), kind, number, text: { en, ar }, goes_to: goesTo, certainty }
    arena.pushText(`${JSON.stringify(text)},`)
    offset.push(arena.length)
    for (const scope of scopes) add(inScope, keyOf.get(scope) as number, i)
    const ownScope = scopeFromNumber(note)
    const ownKey = keyOf.get(ownScope)
    if (ownKey !== undefined) add(own, ownKey, i)
    for (const list of new Set(scopes.map(listOf))) if (list !== ownScope) add(others, keyOf.get(list) as number, i)
  })
  const lists = new Map([...new Set([...own.keys(), ...others.keys()])].map(key => [key, listed(own, others, key)]))
  const byScope = inOrder(inScope)
  const byList = inOrder(lists)
  return {
    noteArena: arena.column(),
    noteOffset: Uint32Array.from(offset),
    noteScope: Uint32Array.from(byScope.keys),
    noteScopeAt: byScope.starts(),
    noteInScope: Uint32Array.from(byScope.values),
    noteList: Uint32Array.from(byList.keys),
    noteListAt: byList.starts(),
    noteInList: Uint32Array.from(byList.values),
  }
}

/** The chapter or section that the note belongs to, from its number; '' for other notes. */
function scopeFromNumber({ number }: NoteRow): string {
  const [, chapter] = CHAPTER_NOTE.exec(number) ?? []
  if (chapter !== undefined) return chapter.padStart(CHAPTER_DIGITS, '0')
  const [, section] = SECTION_NOTE.exec(number) ?? []
  return section === undefined ? '' : sectionScope(section)
}

/** The list of a scope: for a code, the list of its chapter. */
function listOf(scope: string): string {
  return /^\d/.test(scope) ? chapterOf(scope) : scope
}

const listed = (own: Map<number, number[]>, others: Map<number, number[]>, key: number) => [
  ...(own.get(key) ?? []),
  ...(others.get(key) ?? []),
]

function add(lists: Map<number, number[]>, key: number, value: number): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

function inOrder(lists: ReadonlyMap<number, readonly number[]>): KeyedLists {
  const ordered = new KeyedLists()
  for (const [key, values] of [...lists].sort(([a], [b]) => a - b)) ordered.push(key, values)
  return ordered
}

export type PointerColumns = Pick<
  Columns,
  | 'pointerArena'
  | 'pointerOffset'
  | 'pointerFrom'
  | 'pointerTo'
  | 'pointerWordsAt'
  | 'pointerWord'
  | 'pointerWordKey'
  | 'pointerWordsOf'
>

/** The part of the search index that looks up the words of pointers. */
export interface PointerTerms {
  /** Indices of a text's words in the vocabulary. */
  termsOf(text: string): number[]
  /** Number of records that have the term. */
  frequency(term: number): number
}

/** Pointers are sorted by the record that they start from. Pointers from the same record keep the order of the file. */
export function buildPointers(
  pointers: readonly PointerRow[],
  recordOf: ReadonlyMap<string, number>,
  index: PointerTerms,
): PointerColumns {
  const ordered = pointers.map(pointer => ({ ...pointer, record: recordOf.get(pointer.from) as number }))
  ordered.sort((a, b) => a.record - b.record || a.line - b.line)
  const arena = new ByteColumn()
  const offset = [0]
  for (const { en, ar } of ordered) {
    arena.pushText(JSON.stringify({ what: { en, ar } }).slice(0, -1))
    offset.push(arena.length)
  }
  return {
    pointerArena: arena.column(),
    pointerOffset: Uint32Array.from(offset),
    pointerFrom: Uint32Array.from(ordered, ({ record }) => record),
    pointerTo: Uint32Array.from(ordered, ({ to }) => recordOf.get(to) as number),
    ...pointerWords(
      ordered.flatMap(({ en, ar }) => [en, ar]),
      index,
    ),
  }
}

function pointerWords(texts: readonly string[], { termsOf, frequency }: PointerTerms) {
  const words = new KeyedLists()
  const keys: { key: number; text: number }[] = []
  texts.forEach((one, text) => {
    const terms = [...new Set(termsOf(one))].sort((a, b) => frequency(a) - frequency(b))
    words.push(text, terms)
    if (terms.length > 0) keys.push({ key: terms[0], text })
  })
  keys.sort((a, b) => a.key - b.key || a.text - b.text)
  return {
    pointerWordsAt: words.starts(),
    pointerWord: Uint32Array.from(words.values),
    pointerWordKey: Uint32Array.from(keys, ({ key }) => key),
    pointerWordsOf: Uint32Array.from(keys, ({ text }) => text),
  }
}
