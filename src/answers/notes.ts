/** Notes and pointers, in the form that HTTP, library and agents return. */
import type { Catalog } from '../catalog/catalog.js'
import { SEE_ALSO_MAX } from '../limits.js'

/** JSON of the first `max` items (all if undefined) and of the number of all items. */
function cutList(found: readonly number[], max: number | undefined, toJson: (item: number) => string): string {
  return `{"items":[${found.slice(0, max).map(toJson).join()}],"total":${found.length}}`
}

export function touchingNotesJson({ notes }: Catalog, record: number, max?: number): string {
  return cutList(notes.touching(record), max, note => notes.text(note))
}

export function seeAlsoJson({ pointers, records }: Catalog, record: number): string {
  return cutList(pointers.of(record), SEE_ALSO_MAX, pointer => {
    const target = records.headText(pointers.target(pointer))
    return `${pointers.text(pointer)},${target.slice(1)}}`
  })
}

export function scopeNotesJson({ notes }: Catalog, scope: string, noteNumbers: ArrayLike<number>): string {
  return `{"scope":${JSON.stringify(scope)},"notes":[${Array.from(noteNumbers, note => notes.text(note)).join()}]}`
}
