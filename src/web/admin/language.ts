/** The sentences of this document's language, and how figures are written. */
import { type Child, h } from '../app/dom/dom.js'
import { adminStrings } from './strings.js'

export const lang = document.documentElement.lang === 'ar' ? 'ar' : 'en'
export const t = adminStrings[lang]

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
export const figure = (n: number) => number.format(n)

/** Left to right in both languages: digits, ids, days. */
export const ltr = (...children: Child[]) => h('bdi', { dir: 'ltr' }, children)

const MS = 1_000

export function duration(us: number | null): string {
  // beyond the largest bucket
  if (us === null) return '> 1 s'
  if (us >= 1_000_000) return `${figure(us / 1_000_000)} s`
  return us >= MS ? `${figure(us / MS)} ms` : `${figure(us)} µs`
}

/** 2026-11-17 15:04, UTC. */
export const moment = (iso: string) => new Date(iso).toISOString().slice(0, 16).replace('T', ' ')
