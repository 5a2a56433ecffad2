/** Legal notes, grouped by kind. */
import type { ComponentChildren } from 'preact'
import type { Note } from '../../../answers/shapes.js'
import { directionOf } from '../text/written.js'
import { fill, leftToRight, showCode } from './parts.js'
import { languageOf, type Surroundings, useSurroundings } from './surroundings.js'

/** Exclusions can rule out a code, so they start open unless there are more than OPEN_MAX. Other kinds start closed. */
const OPEN_MAX = 5
/** In the order in which they are shown. */
const KINDS = ['excludes', 'includes', 'defines', 'prefers', 'rule'] as const
const NUMBER = /^(?:(Chapter|Section) (\w{1,6}), (subheading note|note) (.{1,40})|General rule (.{1,40}))$/

/** Identifies a note. It includes the text, because several notes may have the same number. */
export const noteKey = ({ number, text }: Note) => number + text.en

export function NotesPlace({ notes, children }: { notes: readonly Note[]; children?: ComponentChildren }) {
  return (
    <div class="notes-place">
      {KINDS.map(kind => (
        <Group key={kind} kind={kind} notes={notes.filter(note => note.kind === kind)} />
      ))}
      {children}
    </div>
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

function item(surroundings: Surroundings, note: Note) {
  const { number, text, goes_to, certainty } = note
  const { t, to } = surroundings
  const shown = languageOf(surroundings, text)
  return (
    <li key={noteKey(note)}>
      <p lang={shown} dir={directionOf(shown)}>
        {text[shown]}
      </p>
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

/** "Chapter 85, note 1(a)" in the language of the page. */
function numberOf(t: Surroundings['t'], number: string): ComponentChildren {
  const [, owner, of = '', what, own = '', rule] = NUMBER.exec(number) ?? []
  if (rule !== undefined) return fill(t.noteRule, { number: leftToRight(rule) })
  if (owner === undefined) return leftToRight(number)
  const sentence = owner === 'Chapter' ? t.noteOfChapter : t.noteOfSection
  const note = what === 'note' ? t.note : t.subheadingNote
  return fill(sentence, { of, note, number: leftToRight(own) })
}
