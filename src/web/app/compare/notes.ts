/** Legal notes on the page that compares codes, grouped by what they do, as src/web/app/record/notes.tsx shows them. */
import type { Note } from '../../../answers/shapes.js'
import { toCode } from '../data/address.js'
import { type Child, fill, h } from '../dom/dom.js'
import { code, ourWords } from '../dom/parts.js'
import { t } from '../shared/language.js'

/** Exclusions decide: they are open at first unless there are more than this. Other kinds are closed. */
const OPEN_MAX = 5
/** In the order in which they are shown. */
const KINDS = ['excludes', 'includes', 'defines', 'prefers', 'rule'] as const
const NUMBER = /^(?:(Chapter|Section) (\w{1,6}), (subheading note|note) (.{1,40})|General rule (.{1,40}))$/

const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

/** "Chapter 85, note 1(a)" in the words of the page. */
function numberOf(number: string): Child {
  const [, home, of = '', what, own = '', rule] = NUMBER.exec(number) ?? []
  if (rule !== undefined) return fill(t.noteRule, { number: leftToRight(rule) })
  if (home === undefined) return leftToRight(number)
  const sentence = home === 'Chapter' ? t.noteOfChapter : t.noteOfSection
  const note = what === 'note' ? t.note : t.subheadingNote
  return fill(sentence, { of: leftToRight(of), note, number: leftToRight(own) })
}

function item({ number, text, goes_to, certainty }: Note): HTMLElement {
  return h(
    'li',
    {},
    h('p', {}, ourWords(text)),
    goes_to.length > 0 &&
      h(
        'p',
        { class: 'goes-to' },
        h('span', { class: 'unseen' }, t.noteGoesTo),
        goes_to.map(one => h('a', { class: 'chip', href: toCode(one) }, code(one))),
      ),
    h('p', { class: 'note-number' }, numberOf(number), certainty !== 'published' && ` · ${t.noteCertainty[certainty]}`),
  )
}

function group(kind: (typeof KINDS)[number], notes: readonly Note[]): Child {
  const own = notes.filter(note => note.kind === kind)
  if (own.length === 0) return null
  return h(
    'details',
    { class: `notes-group notes-${kind}`, open: kind === 'excludes' && own.length <= OPEN_MAX },
    h('summary', {}, t.noteKinds[kind], ' ', h('span', { class: 'hint' }, `(${own.length})`)),
    h('ul', { class: 'notes' }, own.map(item)),
  )
}

export const noteGroups = (list: readonly Note[]): Child[] => KINDS.map(kind => group(kind, list))
