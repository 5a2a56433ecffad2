/** Legal notes that apply to a code, grouped by what they do. A chapter also shows those on its headings, on demand. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Note } from '../../../answers/shapes.js'
import { CHAPTER_DIGITS } from '../../../codes/levels.js'
import { fill, leftToRight, Part, showCode, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings } from '../ui/surroundings.js'
import type { RecordActions, WholeRecord } from './data.js'

/** Exclusions decide: they are open at first unless there are more than this. Other kinds are closed. */
const OPEN_MAX = 5
/** In the order in which they are shown. */
const KINDS = ['excludes', 'includes', 'defines', 'prefers', 'rule'] as const
const NUMBER = /^(?:(Chapter|Section) (\w{1,6}), (subheading note|note) (.{1,40})|General rule (.{1,40}))$/

export function Notes({ record, loadAll }: { record: WholeRecord; loadAll: RecordActions['allNotes'] | undefined }) {
  const { t } = useSurroundings()
  const { hs_code, notes } = record
  const [all, setAll] = useState<readonly Note[]>()
  const isChapter = hs_code.length === CHAPTER_DIGITS
  if (notes.total === 0 && !isChapter) return null
  const known = new Set((all ?? []).map(({ number, text }) => number + text.en))
  const shown = [...(all ?? []), ...notes.items.filter(({ number, text }) => !known.has(number + text.en))]
  return (
    <Part name="notes" title={t.notesTitle} text={t.notesText}>
      <div class="notes-place">
        {KINDS.map(kind => (
          <Group key={kind} kind={kind} notes={shown.filter(note => note.kind === kind)} />
        ))}
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
      </div>
    </Part>
  )
}

function Group({ kind, notes }: { kind: (typeof KINDS)[number]; notes: readonly Note[] }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  if (notes.length === 0) return null
  return (
    <details class={`notes-group notes-${kind}`} open={kind === 'excludes' && notes.length <= OPEN_MAX}>
      <summary>
        {t.noteKinds[kind]} <span class="hint">{`(${notes.length})`}</span>
      </summary>
      <ul class="notes">{notes.map(note => item(surroundings, note))}</ul>
    </details>
  )
}

function item(surroundings: Surroundings, { number, text, goes_to, certainty }: Note) {
  const { t, to } = surroundings
  return (
    <li key={number + text.en}>
      <p>{showWords(surroundings, text)}</p>
      {goes_to.length > 0 && (
        <p class="goes-to">
          <span class="unseen">{t.noteGoesTo}</span>
          {goes_to.map(one => (
            <a key={one} class="chip" href={to(`/code/${one}`)}>
              {showCode(one)}
            </a>
          ))}
        </p>
      )}
      <p class="note-number">
        {numberOf(t, number)}
        {certainty !== 'published' && ` · ${t.noteCertainty[certainty]}`}
      </p>
    </li>
  )
}

/** "Chapter 85, note 1(a)" in the words of the page. */
function numberOf(t: Surroundings['t'], number: string): ComponentChildren {
  const [, home, of = '', what, own = '', rule] = NUMBER.exec(number) ?? []
  if (rule !== undefined) return fill(t.noteRule, { number: leftToRight(rule) })
  if (home === undefined) return leftToRight(number)
  const sentence = home === 'Chapter' ? t.noteOfChapter : t.noteOfSection
  const note = what === 'note' ? t.note : t.subheadingNote
  return fill(sentence, { of: leftToRight(of), note, number: leftToRight(own) })
}
