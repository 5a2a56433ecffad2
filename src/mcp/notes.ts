/** Notes and pointers of a code, few and short. */
import type { Description, Note } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import { AGENT_NOTES_MAX, AGENT_SEE_ALSO_MAX } from '../limits.js'
import { type CodeFields, codeFields, line, type Wording } from './answer.js'

interface NoteFields {
  number: string
  kind: Note['kind']
  text: string
  goes_to: readonly string[]
  certainty: Note['certainty']
}

interface PointerFields extends CodeFields {
  what: string
}

const worded = ({ en, ar }: Description, wording: Wording): string => {
  if (wording === 'both') return `${en} · ${ar}`
  return wording === 'ar' ? ar : en
}

export function noteFields({ notes }: Catalog, record: number, wording: Wording): { items: NoteFields[]; total: number } {
  const found = notes.touching(record)
  const items = found.slice(0, AGENT_NOTES_MAX).map((note): NoteFields => {
    const { number, kind, text, goes_to, certainty }: Note = JSON.parse(notes.text(note))
    return { number, kind, text: worded(text, wording), goes_to, certainty }
  })
  return { items, total: found.length }
}

export function noteLine({ number, kind, text, goes_to }: NoteFields): string {
  return `${number}, ${kind}: ${text}${goes_to.length === 0 ? '' : ` See ${goes_to.join(', ')}.`}`
}

export function seeAlsoFields(catalog: Catalog, record: number, wording: Wording): { items: PointerFields[]; total: number } {
  const found = catalog.pointers.of(record)
  const items = found.slice(0, AGENT_SEE_ALSO_MAX).map((pointer): PointerFields => {
    const { what }: { what: Description } = JSON.parse(`${catalog.pointers.text(pointer)}}`)
    return { what: worded(what, wording), ...codeFields(catalog, catalog.pointers.target(pointer), wording) }
  })
  return { items, total: found.length }
}

export function seeAlsoLine({ what, ...code }: PointerFields): string {
  return `not here: ${what} → ${line(code)}`
}
