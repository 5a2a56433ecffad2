/** What rendered pages have in common, as src/web/app/dom makes it in the browser. */

import { type ComponentChildren, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Description, PathStep, RateOrigin } from '../../answers/shapes.js'
import { codeGroups } from '../../codes/display.js'
import { query } from '../app/data/query.js'
import { svg } from '../app/shell/frame.js'
import { type Language, type Strings, strings } from '../app/text/strings.js'
import { directionOf, fillText, rateKind } from '../app/text/written.js'
import { rateText, statusText } from '../app/ui/parts.js'
import { Surrounded, type Surroundings } from '../app/ui/surroundings.js'
import { Markup, tag } from './markup.js'

export const CHEVRON = new Markup(svg('chevron', 'M9 5l7 7-7 7'))
export const GO = new Markup(svg('go', 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5'))

export const leftToRight = (text: string) => tag('bdi', { dir: 'ltr' }, text)

/** As long as search engines and previews show. */
export const DESCRIPTION_CHARS = 300

/** Language and country of a page, and what its links take along. */
export class Look implements Surroundings {
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

  /** In this country, and in this language if the address names it. */
  to = (path: string, more: Readonly<Record<string, string>> = {}): string =>
    query(path, { ...more, country: more.country ?? this.country, lang: this.isLangChosen ? this.lang : null })

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

  badge(rate: number, origin?: RateOrigin): Markup {
    const status = statusText(this.t, origin)
    if (status !== null) return tag('span', { class: `badge badge-${origin?.status}` }, status)
    const shown = rateText(rate, origin)
    return tag(
      'span',
      { class: `badge badge-${rateKind(origin?.max ?? rate)}` },
      tag('span', { class: 'unseen' }, fillText(this.t.rate, { rate: shown })),
      tag('bdi', { 'aria-hidden': 'true', dir: 'ltr' }, shown),
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

export const renderIn = (look: Look, page: ComponentChildren) => new Markup(renderToString(h(Surrounded, { value: look }, page)))
