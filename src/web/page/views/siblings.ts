/** The codes of the same parent beside each other; the words that tell them apart stand out. */
import { toCode } from '../address.js'
import type { Answer } from '../answer.js'
import { ask, type Code, type Section } from '../api.js'
import { type Child, h, replace } from '../dom.js'
import { CHAPTERS_PATH, childrenPath } from '../first-paths.js'
import { lang, other, t, type Words } from '../language.js'
import { badge, code, inLang, rateText, statusText } from '../parts.js'
import { Slot, skeleton } from '../slot.js'
import { button } from '../states.js'
import { type Range, tellApart } from '../tell-apart.js'

const SHOWN_FIRST = 8
type Sibling = Pick<Code, 'hs_code' | 'description' | 'rate'> & { tariff_rate: number | null }

const shownLang = (words: Words) => (words[lang] ? lang : other)

/** What tells it apart in <b>, the rest as it is. */
function distinct(text: string, ranges: readonly Range[]): Child[] {
  const pieces: Child[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(text.slice(from, start), h('b', {}, text.slice(start, end)))
    from = end
  }
  pieces.push(text.slice(from))
  return pieces
}

/** Chapters have no parent: their section's chapters are beside them. */
async function askSiblings(one: Code, signal: AbortSignal): Promise<Answer<Sibling[]>> {
  const parent = one.path?.at(-1)
  if (parent !== undefined) {
    const pages: Sibling[] = []
    for (;;) {
      const answer = await ask<Sibling[]>(childrenPath(parent.hs_code, pages.length), { signal })
      if (answer.kind !== 'ok') return answer
      pages.push(...answer.data)
      if (pages.length >= answer.meta.total || answer.data.length === 0) return { ...answer, data: pages }
    }
  }
  const answer = await ask<Section[]>(CHAPTERS_PATH, { signal })
  if (answer.kind !== 'ok') return answer
  const section = answer.data.find(({ chapters }) => chapters.some(({ hs_code }) => hs_code === one.hs_code))
  return { ...answer, data: (section?.chapters ?? []).map(chapter => ({ ...chapter, tariff_rate: null })) }
}

export function siblings(one: Code) {
  const element = h('div', { class: 'siblings-place' })
  const slot = new Slot(element)

  const card = (sibling: Sibling, ranges: readonly Range[], isRateSame: boolean, isLate: boolean) => {
    const which = shownLang(sibling.description)
    const isHere = sibling.hs_code === one.hs_code
    const rate = sibling.tariff_rate === null ? null : badge(sibling.tariff_rate, sibling.rate)
    if (rate && isRateSame) rate.classList.add('same')
    return h(
      'li',
      { class: isHere ? 'here' : null, 'data-late': isLate },
      h(
        'a',
        { href: toCode(sibling.hs_code), 'aria-current': isHere ? 'true' : null },
        h('span', { class: 'sibling-head' }, code(sibling.hs_code), rate),
        inLang(sibling.description, which, distinct(sibling.description[which], ranges)),
        isHere && h('span', { class: 'here-sign' }, t.here),
      ),
    )
  }

  const draw = (list: Sibling[]) => {
    if (list.length === 0) return replace(element)
    const texts = list.map(({ description }) => description[shownLang(description)])
    const ranges = tellApart(texts, one.hs_code.length > 4)
    const isRateSame =
      new Set(list.map(({ tariff_rate, rate }) => statusText(rate) ?? rateText(tariff_rate ?? 0, rate))).size === 1
    // the neighbours on both sides come first where there are many
    const here = Math.max(
      0,
      list.findIndex(({ hs_code }) => hs_code === one.hs_code),
    )
    const from = Math.max(0, Math.min(here - SHOWN_FIRST / 2, list.length - SHOWN_FIRST))
    const isLate = (at: number) => at < from || at >= from + SHOWN_FIRST
    const grid = h(
      'ul',
      { class: 'siblings' },
      list.map((sibling, at) => card(sibling, ranges[at] ?? [], isRateSame, isLate(at))),
    )
    const more = h('div', { class: 'more' })
    const showAll = () => {
      grid.classList.add('all')
      replace(more)
    }
    if (list.length > SHOWN_FIRST) more.append(button(t.showAll(list.length), showAll))
    replace(element, grid, more)
  }

  return {
    element,
    load: () => slot.load({ ask: signal => askSiblings(one, signal), show: draw, waiting: () => skeleton(3) }),
    leave: () => slot.stop(),
  }
}
