/** One code among results, and the ways from it to the next. */
import { chapterOf } from '../../../codes/levels.js'
import { toCode } from '../data/address.js'
import type { Code, Step } from '../data/api.js'
import { withoutPadded } from '../data/padded.js'
import { h, markedPieces } from '../dom/dom.js'
import { pickButton } from '../dom/keep-buttons.js'
import { badge, code, codeLink, inLang, levelName, levelOf, ourWords, wayText } from '../dom/parts.js'
import { lang, other, t, theirs } from '../shared/language.js'
import type { Marker } from '../text/mark.js'
import { matched } from './matched.js'

export interface Result {
  element: HTMLElement
  /** Names a code that repeats this one with more digits. */
  addPadded: (hsCode: string) => void
}

export function result(one: Code, marker: Marker, typedDigits: string, isPicked: boolean): Result {
  const { hs_code, description } = one
  const path = withoutPadded(one.path ?? [])
  const also = h('p', { class: 'also' })
  const which = description[lang] ? lang : other
  const second = description[lang] ? theirs(description) : ''
  const typed = hs_code.startsWith(typedDigits) ? typedDigits.length : 0
  const element = h(
    'li',
    {},
    path.length > 0 && h('p', { class: 'above' }, h('span', { class: 'unseen' }, `${t.path}: `), wayText(path)),
    h(
      'a',
      { href: toCode(hs_code), class: 'hit' },
      code(hs_code, typed),
      h('span', { class: 'hit-words' }, ourWords(description, markedPieces(marker.pieces(description[which])))),
      ' ',
      h(
        'span',
        { class: 'hit-facts' },
        badge(one.tariff_rate, one.rate),
        ' ',
        h('span', { class: 'level' }, levelName(levelOf(one))),
      ),
    ),
    second !== '' && h('p', { class: 'second' }, inLang(description, other, markedPieces(marker.pieces(second)))),
    matched(one, marker),
    also,
    pickButton(hs_code, isPicked),
  )
  const addPadded = (hsCode: string) => also.append(also.textContent === '' ? t.alsoAs : '', ' ', codeLink(hsCode))
  return { element, addPadded }
}

/** The chapters of what is shown, in its order. */
export function chaptersOf(list: readonly Code[]): Step[] {
  const chapters = new Map<string, Step>()
  for (const { hs_code, description, path = [] } of list) {
    const chapter = chapterOf(hs_code)
    if (!chapters.has(chapter)) chapters.set(chapter, path[0] ?? { hs_code: chapter, description })
  }
  return [...chapters.values()]
}

/** Arrows walk through the results; up from the first, or Escape, leads back to the box. */
export function moveAmong(event: KeyboardEvent): void {
  const link = (event.target as Element).closest('a')
  if (!link) return
  const links = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('.hit')]
  const at = links.indexOf(link)
  const box = document.getElementById('q')
  const steps: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: links[at + 1] ?? link,
    ArrowUp: at === 0 ? box : links[at - 1],
    Home: links[0],
    End: links.at(-1),
    Escape: box,
  }
  const next = steps[event.key]
  if (!next) return
  event.preventDefault()
  next.focus()
}
