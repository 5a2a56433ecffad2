/** Notes and pointers of a code, in short form. */
import type { Description, Note } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import { AGENT_NOTES_MAX, AGENT_SEE_ALSO_MAX } from '../limits.js'
import { type CodeFields, codeFields, line, short, type Wording, worded } from './answer.js'

const NOTE_CHARS = 180
const TARGET_CHARS = 60

export interface NoteFields {
  number: string
  kind: Note['kind']
  text: string
  goes_to: readonly string[]
  certainty: Note['certainty']
}

interface PointerFields extends CodeFields {
  what: string
}

const readNote = ({ notes }: Catalog, note: number): Note => JSON.parse(notes.text(note))

export function noteFields(catalog: Catalog, note: number, wording: Wording, charsMax = Infinity): NoteFields {
  const { number, kind, text, goes_to, certainty } = readNote(catalog, note)
  return { number, kind, text: short(worded(text, wording), charsMax), goes_to, certainty }
}

/** The notes that affect a code, nearest scope first. */
export function touchingNotes(catalog: Catalog, record: number, wording: Wording): { items: NoteFields[]; total: number } {
  const found = catalog.notes.touching(record)
  return {
    items: found.slice(0, AGENT_NOTES_MAX).map(note => noteFields(catalog, note, wording, NOTE_CHARS)),
    total: found.length,
  }
}

export function noteLine({ number, kind, text, goes_to }: NoteFields): string {
  const codes = goes_to.join(', ')
  if (kind === 'excludes') return `not here: ${text}${codes === '' ? '' : ` Goes to ${codes}.`} (${number})`
  return `${kind}: ${text}${codes === '' ? '' : ` See ${codes}.`} (${number})`
}

export function seeAlsoFields(catalog: Catalog, record: number, wording: Wording): { items: PointerFields[]; total: number } {
  const found = catalog.pointers.of(record)
  const items = found.slice(0, AGENT_SEE_ALSO_MAX).map((pointer): PointerFields => {
    const { what }: { what: Description } = JSON.parse(`${catalog.pointers.text(pointer)}}`)
    return { what: worded(what, wording), ...codeFields(catalog, catalog.pointers.target(pointer), wording, TARGET_CHARS) }
  })
  return { items, total: found.length }
}

export function seeAlsoLine({ what, ...code }: PointerFields): string {
  return `not here: ${what} → ${line(code)}`
}
