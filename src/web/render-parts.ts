/** What rendered pages have in common, as src/web/page/parts.ts and dom.ts make it in the browser. */

import type { Description, HsRecord, ListedRecord, LookupExtras, PathStep, RateOrigin } from '../answers/shapes.js'
import { codeGroups } from '../codes/display.js'
import { fillText, Markup, tag } from './markup.js'
import { svg } from './page/frame.js'
import { query } from './page/query.js'
import { type Language, type Strings, strings } from './page/strings.js'
import { rateKind, rateRange } from './page/written.js'

export const CHEVRON = new Markup(svg('chevron', 'M9 5l7 7-7 7'))
export const GO = new Markup(svg('go', 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5'))
export const TREE = new Markup(svg('tree', 'M5 4v14h6M5 9h6M14 7h5v4h-5zM14 16h5v4h-5z'))

export const directionOf = (lang: Language) => (lang === 'ar' ? 'rtl' : 'ltr')
export const leftToRight = (text: string) => tag('bdi', { dir: 'ltr' }, text)

/** Of a lookup with all that the page asks for. */
export type WholeRecord = HsRecord & LookupExtras

/** As long as search engines and previews show. */
const DESCRIPTION_CHARS = 300
export const cut = (text: string, chars = DESCRIPTION_CHARS) =>
  text.length <= chars ? text : `${[...text.slice(0, chars)].slice(0, -1).join('')}…`

/** Language and country of a page, and what its links take along. */
export class Look {
  readonly t: Strings
  readonly other: Language

  constructor(
    readonly lang: Language,
    /** Whether the address names the language. */
    private readonly isLangChosen: boolean,
    /** Whose rates are shown; '' for the common tariff. */
    readonly country: string,
    /** Whether the address names the country. */
    private readonly isCountryChosen: boolean,
    readonly longestLine: number,
  ) {
    this.t = strings[lang]
    this.other = lang === 'ar' ? 'en' : 'ar'
  }

  private get chosenCountry(): string {
    return this.isCountryChosen ? this.country : ''
  }

  get key(): string {
    return [this.lang, this.isLangChosen, this.country, this.isCountryChosen].join()
  }

  /** An address in this language and country, as far as this one names them. */
  to(path: string, more: Readonly<Record<string, string>> = {}): string {
    return query(path, { ...more, country: this.chosenCountry, lang: this.isLangChosen ? this.lang : null })
  }

  /** The one address of a page in a language; null for the address that is negotiated. */
  address(path: string, lang: Language | null = this.lang): string {
    return query(path, { country: this.chosenCountry, lang })
  }

  toCode = (code: string) => this.to(`/code/${code}`)
  toBranch = (code: string) => this.to(`/browse/${code}`)

  words(text: Description): string {
    return text[this.lang] || text[this.other]
  }

  ourWords(text: Description): Markup {
    const lang = text[this.lang] ? this.lang : this.other
    return tag('span', { lang, dir: directionOf(lang) }, text[lang])
  }

  code(digits: string): Markup {
    return tag(
      'bdi',
      { class: 'code', dir: 'ltr' },
      codeGroups(digits).map(group => tag('span', {}, group)),
    )
  }

  codeLink(digits: string): Markup {
    return tag('a', { href: this.toCode(digits) }, this.code(digits))
  }

  statusText(origin?: RateOrigin): string | null {
    if (origin?.status === 'prohibited') return this.t.prohibited
    return origin?.status === 'unknown' ? this.t.unknownRate : null
  }

  rateText(rate: number, origin?: RateOrigin): string {
    return this.statusText(origin) ?? rateRange(origin?.min ?? rate, origin?.max ?? rate)
  }

  badge(rate: number, origin?: RateOrigin): Markup {
    const status = this.statusText(origin)
    if (status !== null) return tag('span', { class: `badge badge-${origin?.status}` }, status)
    const shown = this.rateText(rate, origin)
    return tag(
      'span',
      { class: `badge badge-${rateKind(origin?.max ?? rate)}` },
      tag('span', { class: 'unseen' }, fillText(this.t.rate, { rate: shown })),
      tag('bdi', { 'aria-hidden': 'true', dir: 'ltr' }, shown),
    )
  }

  levelName(digits: number): string {
    if (digits === this.longestLine) return this.t.line
    return this.t.levels[digits] ?? this.t.digits(digits)
  }

  codeRow({ hs_code, description, tariff_rate, rate, is_active }: ListedRecord): Markup {
    return tag(
      'li',
      {},
      tag(
        'a',
        { href: this.toCode(hs_code) },
        this.code(hs_code),
        tag('span', {}, this.ourWords(description), !is_active && ` (${this.t.inactive})`),
      ),
      this.badge(tariff_rate, rate),
    )
  }

  pathText(path: readonly PathStep[]): string {
    return path.map(({ hs_code, description }) => `${hs_code} ${this.words(description)}`).join(' › ')
  }
}

/** One view, to be put into the document. */
export interface RenderedView {
  title: string
  description: string
  main: Markup
}
