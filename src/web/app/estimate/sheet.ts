/** The parts of a sheet to print. Each says everything in English and Arabic, whatever the page's language. Loaded when one is printed. */

import { facts } from '../data/facts.js'
import { type Child, fillText, h } from '../dom/dom.js'
import { inLang } from '../dom/parts.js'
import { today } from '../dom/print-note.js'
import type { Words } from '../shared/language.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { type Strings, strings } from '../text/strings.js'
import { type SheetStrings, sheetStrings } from './sheet-strings.js'

export const both = (pick: (words: Strings) => string): Words => ({ en: pick(strings.en), ar: pick(strings.ar) })
export const own = (pick: (words: SheetStrings) => string): Words => ({ en: pick(sheetStrings.en), ar: pick(sheetStrings.ar) })
export const filled = (words: Words, parts: Readonly<Record<string, string | Words>>): Words => {
  const inOne = (lang: 'en' | 'ar') =>
    fillText(
      words[lang],
      Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? part : part[lang]])),
    )
  return { en: inOne('en'), ar: inOne('ar') }
}

export const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

/** English above Arabic. */
export const stacked = (words: Words): Child => [
  h('div', { lang: 'en' }, words.en),
  words.ar !== words.en && h('div', { lang: 'ar', dir: 'rtl' }, words.ar),
]

/** Both in one line. */
export const inline = (words: Words): Child => [
  inLang(words, 'en'),
  words.ar !== '' && words.ar !== words.en && [' · ', inLang(words, 'ar')],
]

export const countryName = (code: string): Words => both(words => words.countries[code] ?? code)

const regions = { en: new Intl.DisplayNames('en', { type: 'region' }), ar: new Intl.DisplayNames('ar', { type: 'region' }) }
export const regionName = (code: string): Words => ({ en: regions.en.of(code) ?? code, ar: regions.ar.of(code) ?? code })

/** As the currency has it. */
export function money(exact: string, currency: string): HTMLElement {
  return leftToRight(grouped(rounded(exact, placesOf(currency))))
}

export interface Fact {
  label: Words
  value: Child
}

/** Label, value, and the label in Arabic at the other end, as customs forms have them. */
export function factTable(list: readonly (Fact | null)[]): HTMLElement {
  return h(
    'table',
    { class: 'sheet-facts' },
    h(
      'tbody',
      {},
      list.map(
        fact =>
          fact &&
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, inLang(fact.label, 'en')),
            h('td', {}, fact.value),
            h('th', { scope: 'row' }, inLang(fact.label, 'ar')),
          ),
      ),
    ),
  )
}

/** `figures` counts from which column on cells are amounts. */
export function amountTable(name: string, head: readonly Words[], figures: number, rows: readonly Child[][]): HTMLElement {
  const cell = (tag: 'td' | 'th', child: Child, at: number) =>
    h(tag, { class: at >= figures ? 'figure' : null, scope: tag === 'th' ? 'col' : null }, child)
  return h(
    'table',
    { class: `sheet-amounts ${name}` },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head.map((words, at) => cell('th', stacked(words), at)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map(row =>
        h(
          'tr',
          {},
          row.map((child, at) => cell('td', child, at)),
        ),
      ),
    ),
  )
}

/** Sums below a table; the last one is what counts. */
export function sumTable(rows: readonly { label: Words; amount: HTMLElement }[]): HTMLElement {
  return h('div', { class: 'sheet-sums' }, factTable(rows.map(({ label, amount }) => ({ label, value: amount }))))
}

/** Two columns, one for each language. */
export function sentences(title: Words, list: readonly Words[]): Child {
  if (list.length === 0) return null
  const column = (lang: 'en' | 'ar') =>
    h(
      'div',
      { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' },
      h('h2', {}, title[lang]),
      h(
        'ul',
        {},
        list.map(words => h('li', {}, words[lang] || words.en)),
      ),
    )
  return h('section', { class: 'sheet-sentences' }, column('en'), column('ar'))
}

/** Numbers what the charges name, each source once. */
export class Sources {
  readonly #list: string[] = []

  mark(source: string | null | undefined): Child {
    if (!source) return null
    if (!this.#list.includes(source)) this.#list.push(source)
    return h('sup', {}, `[${this.#list.indexOf(source) + 1}]`)
  }

  view(): Child {
    if (this.#list.length === 0) return null
    const { en, ar } = own(words => words.sources)
    return h(
      'section',
      { class: 'sheet-sources' },
      h('h2', {}, `${en} · `, h('span', { lang: 'ar' }, ar)),
      h(
        'ol',
        {},
        this.#list.map(source => h('li', {}, source)),
      ),
    )
  }
}

export async function sheet(title: Words, address: string, ...parts: Child[]): Promise<HTMLElement> {
  const { edition, version } = await facts()
  const data =
    version === ''
      ? null
      : filled(
          own(words => words.dataset),
          { edition, version },
        )
  return h(
    'article',
    { class: 'sheet', lang: 'en', dir: 'ltr' },
    h('header', {}, h('h1', {}, inLang(title, 'en'), inLang(title, 'ar'))),
    h('p', { class: 'sheet-estimate' }, stacked(own(words => words.estimate))),
    parts,
    factTable([
      { label: own(words => words.date), value: leftToRight(today()) },
      data && { label: own(words => words.data), value: inline(data) },
      { label: own(words => words.address), value: leftToRight(address) },
    ]),
  )
}
