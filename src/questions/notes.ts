import type { Catalog } from '../catalog/catalog.js'
import { unknownCode } from './codes.js'
import { invalidParameter, Refusal } from './refusal.js'

const CHAPTER = /^\d{2}$/
const SECTION = /^S\d{2}$/
const RULE =
  'must be a chapter of two digits, a section such as S16, or rules; the notes of a longer code come with include=notes'

/** Numbers of the notes of a chapter, a section or the general rules. */
export function notes(catalog: Catalog, scope: string): ArrayLike<number> | Refusal {
  if (CHAPTER.test(scope)) {
    const record = catalog.trie.find(scope)
    return record < 0 ? unknownCode(catalog, scope) : catalog.notes.ofChapter(record)
  }
  const found = catalog.notes.ofScope(scope)
  if (found !== undefined) return found
  if (SECTION.test(scope)) return new Refusal('notFound', `Section ${scope} is not in the dataset.`)
  return invalidParameter('scope', RULE)
}
