/** Legal notes that apply to a code. A chapter also shows those on its headings, on demand. */
import { useState } from 'preact/hooks'
import type { Note } from '../../../answers/shapes.js'
import { CHAPTER_DIGITS } from '../../../codes/levels.js'
import { NotesPlace, noteKey } from '../ui/notes.js'
import { Part } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { RecordActions, WholeRecord } from './data.js'

export function Notes({ record, loadAll }: { record: WholeRecord; loadAll: RecordActions['allNotes'] | undefined }) {
  const { t } = useSurroundings()
  const { hs_code, notes } = record
  const [all, setAll] = useState<readonly Note[]>()
  const isChapter = hs_code.length === CHAPTER_DIGITS
  if (notes.total === 0 && !isChapter) return null
  const known = new Set((all ?? []).map(noteKey))
  const shown = [...(all ?? []), ...notes.items.filter(note => !known.has(noteKey(note)))]
  return (
    <Part name="notes" title={t.notesTitle} text={t.notesText}>
      <NotesPlace notes={shown}>
        {isChapter && all === undefined && loadAll !== undefined && (
          <p class="more">
            <button
              type="button"
              class="button"
              onClick={event => loadAll(hs_code, event.currentTarget.parentElement as HTMLElement, setAll)}
            >
              {t.allNotes}
            </button>
          </p>
        )}
      </NotesPlace>
    </Part>
  )
}
