/** Finds legal notes: those that affect a code, and those of a chapter, a section or the general rules. */
import { chapterOf } from '../codes/levels.js'
import type { Section } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'
import { sectionScope } from '../snapshot/section-scope.js'
import { indexIn } from './editions.js'
import type { Records } from './records.js'
import { utf8Text } from './utf8.js'

const RULES_SCOPE = 'rules'

export class Notes {
  /** Keys of the sections and of the general rules in the columns; they follow the keys of the records. */
  readonly #keys = new Map<string, number>()
  /** By chapter: the key of its section. */
  readonly #sectionOf = new Map<string, number>()

  constructor(
    private readonly columns: Columns,
    private readonly records: Records,
    sections: readonly Section[],
  ) {
    const first = columns.level.length
    sections.forEach(({ section, chapters }, i) => {
      this.#keys.set(sectionScope(section), first + i)
      for (const chapter of chapters) this.#sectionOf.set(chapter, first + i)
    })
    this.#keys.set(RULES_SCOPE, first + sections.length)
  }

  /** Numbers of the notes that affect a record: its own and those of the codes above it and of its section. */
  touching(record: number): number[] {
    const { parent, noteScope, noteScopeAt, noteInScope } = this.columns
    const found = new Set<number>()
    const addScope = (key: number) => {
      for (const note of listOf(noteScope, noteScopeAt, noteInScope, key)) found.add(note)
    }
    for (let at = record; at >= 0; at = parent[at]) addScope(at)
    const section = this.#sectionOf.get(chapterOf(this.records.code(record)))
    if (section !== undefined) addScope(section)
    return [...found]
  }

  /** Numbers of the notes listed for a chapter; the notes on the chapter itself come first. */
  ofChapter(record: number): ArrayLike<number> {
    return this.#listed(record)
  }

  /** Numbers of the notes listed for a section such as S16, or for `rules`; undefined for any other scope. */
  ofScope(scope: string): ArrayLike<number> | undefined {
    const key = this.#keys.get(scope)
    return key === undefined ? undefined : this.#listed(key)
  }

  #listed(key: number): ArrayLike<number> {
    const { noteList, noteListAt, noteInList } = this.columns
    return listOf(noteList, noteListAt, noteInList, key)
  }

  get count(): number {
    return this.columns.noteOffset.length - 1
  }

  /** A note as JSON. */
  text(note: number): string {
    const { noteArena, noteOffset } = this.columns
    return utf8Text(noteArena.subarray(noteOffset[note], noteOffset[note + 1] - 1))
  }
}

function listOf(keys: Uint32Array, starts: Uint32Array, values: Uint32Array, key: number): Uint32Array {
  const found = indexIn(keys, key, 0, keys.length)
  return found < 0 ? values.subarray(0, 0) : values.subarray(starts[found], starts[found + 1])
}
