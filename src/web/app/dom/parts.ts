/** Small things that every view shows: codes, rates, levels. */

import { codeGroups } from '../../../codes/display.js'
import { toCode } from '../data/address.js'
import type { RateOrigin } from '../data/api.js'
import { longestLine } from '../data/facts.js'
import { lang, other, ours, t, type Words } from '../shared/language.js'
import { rateKind, rateRange } from '../text/written.js'
import { type Child, fillText, h } from './dom.js'

/** A code for the eye: groups stand apart by style, not by characters, so that a copied one is plain digits. Always left to right. */
export function code(digits: string): HTMLElement {
  return h(
    'bdi',
    { class: 'code', dir: 'ltr' },
    codeGroups(digits).map(group => h('span', {}, group)),
  )
}

export function codeLink(digits: string): HTMLElement {
  return h('a', { href: toCode(digits) }, code(digits))
}

/** The range of the lines below a code where they differ; goods are declared on lines, not on the code itself. */
export function rateText(rate: number, origin?: RateOrigin): string {
  const { min, max } = origin ?? { min: rate, max: rate }
  return rateRange(min, max)
}

/** What is shown instead of a rate; null where there is one. */
export function statusText(origin?: RateOrigin): string | null {
  if (origin?.status === 'prohibited') return t.prohibited
  return origin?.status === 'unknown' ? t.unknownRate : null
}

/** Free, ordinary and high differ by weight and words, not by colour alone. */
export function badge(rate: number, origin?: RateOrigin): HTMLElement {
  const status = statusText(origin)
  if (status !== null) return h('span', { class: `badge badge-${origin?.status}` }, status)
  const highest = origin?.max ?? rate
  const shown = rateText(rate, origin)
  const spoken = fillText(t.rate, { rate: shown })
  return h(
    'span',
    { class: `badge badge-${rateKind(highest)}` },
    h('span', { class: 'unseen' }, spoken),
    h('bdi', { 'aria-hidden': 'true', dir: 'ltr' }, shown),
  )
}

export function levelName(level: number): string {
  if (level === longestLine()) return t.line
  return t.levels[level] ?? t.digits(level)
}

/** Words in a language that may not be the document's. */
export function inLang(words: Words, which: 'en' | 'ar', children?: Child): HTMLElement {
  return h('span', { lang: which, dir: which === 'ar' ? 'rtl' : 'ltr' }, children ?? words[which])
}

export const ourWords = (words: Words, children?: Child) => inLang(words, words[lang] ? lang : other, children ?? ours(words))
