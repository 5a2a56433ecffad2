/** Legal notes that apply to a code. A chapter also shows, on demand, the notes on its headings. */
import { useState } from 'preact/hooks'
import type { Note } from '../../../answers/shapes.js'
import { CHAPTER_DIGITS } from '../../../codes/levels.js'
import { NotesPlace, noteKey } from '../ui/notes.js'
import { Part } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { RecordActions, WholeRecord } from './data.js'

interface Props {
  record: WholeRecord
  loadButton: RecordActions['notesButton'] | undefined
}

export function Notes({ record, loadButton }: Props) {
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
        {isChapter && all === undefined && loadButton !== undefined && <div class="load-more">{loadButton(hs_code, setAll)}</div>}
      </NotesPlace>
    </Part>
  )
}
