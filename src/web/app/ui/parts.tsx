/** Small parts that every page uses: codes, rates, words, icons. */
import type { ComponentChildren } from 'preact'
import type { Description, RateOrigin } from '../../../answers/shapes.js'
import { codeGroups } from '../../../codes/display.js'
import type { Piece } from '../text/mark.js'
import type { Language, Strings } from '../text/strings.js'
import { directionOf, fillText, rateKind, rateRange } from '../text/written.js'
import { languageOf, type Surroundings } from './surroundings.js'

/*
 * Plain functions, not components: a page has hundreds of these, and on the server a component takes several times as long as its
 * elements.
 */

/**
 * A code for display. Styles separate its groups, so that copying gives plain digits. Always left to right. The first `typed`
 * digits are marked.
 */
export function showCode(digits: string, typed = 0) {
  const groups = codeGroups(digits)
  let from = 0
  return (
    <bdi class="code" dir="ltr">
      {groups.length === 1
        ? showTyped(digits, typed)
        : groups.map(group => {
            const marked = typed - from
            from += group.length
            return <span key={from}>{showTyped(group, marked)}</span>
          })}
    </bdi>
  )
}

function showTyped(digits: string, typed: number): ComponentChildren {
  if (typed <= 0) return digits
  return [<mark key="typed">{digits.slice(0, typed)}</mark>, digits.slice(typed)]
}

export const showCodeLink = ({ to }: Surroundings, digits: string) => <a href={to(`/code/${digits}`)}>{showCode(digits)}</a>

/** A text with the words of the search marked. */
export const showMarks = (pieces: readonly Piece[]): ComponentChildren[] =>
  pieces.map(({ text, isMarked }, i) => (isMarked ? <mark key={i}>{text}</mark> : text))

export const leftToRight = (children: ComponentChildren) => <bdi dir="ltr">{children}</bdi>

/** A text in the page's language if it exists, otherwise in the other one. `children`: the same text with marked words. */
export function showWords(surroundings: Surroundings, text: Description, children?: ComponentChildren) {
  const shown = languageOf(surroundings, text)
  return showIn(shown, children ?? text[shown])
}

/** Wraps the given ranges of a text in elements. */
export function showRanges(text: string, ranges: readonly (readonly [from: number, to: number])[], Tag: 'b' | 'mark') {
  const pieces: ComponentChildren[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(text.slice(from, start), <Tag key={start}>{text.slice(start, end)}</Tag>)
    from = end
  }
  return [...pieces, text.slice(from)]
}

/** Text in a language that may differ from the page's. */
export const showIn = (lang: Language, children: ComponentChildren) => (
  <span lang={lang} dir={directionOf(lang)}>
    {children}
  </span>
)

export const statusText = (t: Strings, origin?: RateOrigin): string | null => {
  if (origin?.status === 'prohibited') return t.prohibited
  return origin?.status === 'unknown' ? t.unknownRate : null
}

/** A range if the lines below a code have different rates: goods are declared under a line, not under the code. */
export const rateText = (rate: number, origin?: RateOrigin) => rateRange(origin?.min ?? rate, origin?.max ?? rate)

/** Free, ordinary and high rates differ by font weight and text, not by colour alone. */
export function showBadge({ t }: Surroundings, rate: number, origin?: RateOrigin, isSame = false) {
  const status = statusText(t, origin)
  const same = isSame ? ' same' : ''
  if (status !== null) return <span class={`badge badge-${origin?.status}${same}`}>{status}</span>
  const shown = rateText(rate, origin)
  return (
    <span class={`badge badge-${rateKind(origin?.max ?? rate)}${same}`}>
      <span class="unseen">{fillText(t.rate, { rate: shown })}</span>
      <bdi aria-hidden="true" dir="ltr">
        {shown}
      </bdi>
    </span>
  )
}

export function levelName({ t, longestLine }: Surroundings, level: number): string {
  return level === longestLine ? t.line : (t.levels[level] ?? t.digits(level))
}

// regexp-ignore: dataset text, one sentence
const ADDRESS = /(https?:\/\/[^\s,;]*[\w/])/

/** Sources are in English; addresses in them are links. */
export const showSource = ({ lang, t }: Surroundings, source: string) => (
  <>
    <span lang="en" dir="auto">
      {source.split(ADDRESS).map((piece, i) => (i % 2 === 0 ? piece : <a href={piece}>{piece}</a>))}
    </span>
    {lang !== 'en' && <span class="hint"> {t.inEnglishOnly}</span>}
  </>
)

const PATHS = {
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  compare: 'M4 5h6.5v14H4zM13.5 5H20v14h-6.5z',
  go: 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5',
  star: 'M12 4.5l2.3 4.8 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L4.5 10l5.2-.7z',
  tree: 'M5 4v14h6M5 9h6M14 7h5v4h-5zM14 16h5v4h-5z',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
}
export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" class={`icon icon-${name}`} aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** Replaces each `{name}` of a sentence by an element. */
export function fill(sentence: string, parts: Readonly<Record<string, ComponentChildren>>): ComponentChildren[] {
  return sentence.split(/\{(\w{1,30})\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]))
}

/** A part of a page, with its heading. */
export function Part(props: { name: string; title: string; text?: string; children: ComponentChildren }) {
  const { name, title, text, children } = props
  return (
    <section class={`part part-${name}`} aria-labelledby={`part-${name}`}>
      <h2 id={`part-${name}`}>{title}</h2>
      {text !== undefined && <p class="hint">{text}</p>}
      {children}
    </section>
  )
}
