/** Shared parts of rendered pages. */

import { type ComponentChildren, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { query } from '../app/data/query.js'
import { type Language, type Strings, strings } from '../app/text/strings.js'
import { Surrounded, type Surroundings } from '../app/ui/surroundings.js'

/** Maximum length of a description: search engines and previews show no more. */
export const DESCRIPTION_CHARS = 300

/** Language and country of a page, and links that keep them. */
export class Look implements Surroundings {
  readonly t: Strings
  readonly other: Language
  /** The parameters at the end of most links; they are the same for hundreds of links on a page. */
  readonly #choices: string

  constructor(
    readonly lang: Language,
    /** Whether the address names the language. */
    private readonly isLangChosen: boolean,
    /** The country whose rates are shown; '' for the common tariff. */
    readonly country: string,
    /** Whether the address names the country. */
    private readonly isCountryChosen: boolean,
    readonly longestLine: number,
  ) {
    this.t = strings[lang]
    this.other = lang === 'ar' ? 'en' : 'ar'
    this.#choices = query('', { country, lang: isLangChosen ? lang : null })
  }

  private get chosenCountry(): string {
    return this.isCountryChosen ? this.country : ''
  }

  get key(): string {
    return [this.lang, this.isLangChosen, this.country, this.isCountryChosen].join()
  }

  /** A link that keeps the country. It keeps the language only if the current address names one. */
  to = (path: string, more?: Readonly<Record<string, string>>): string =>
    more === undefined
      ? path + this.#choices
      : query(path, { ...more, country: more.country ?? this.country, lang: this.isLangChosen ? this.lang : null })

  /** The canonical address of a page. If `lang` is null, the address has no language, so that Accept-Language decides. */
  address(path: string, lang: Language | null = this.lang): string {
    return query(path, { country: this.chosenCountry, lang })
  }
}

/** A view to insert into the document. */
export interface RenderedView {
  title: string
  description: string
  /** HTML. */
  main: string
}

export const renderIn = (look: Look, page: ComponentChildren) => renderToString(h(Surrounded, { value: look }, page))
