/** Parts of a printed sheet, always in both English and Arabic. Loaded when a visitor prints one. */
import { type ComponentChildren, render, type VNode } from 'preact'
import type { Description } from '../../../answers/shapes.js'
import { facts } from '../data/facts.js'
import { grouped, placesOf, rounded } from '../text/amounts.js'
import { type Language, strings } from '../text/strings.js'
import { today } from '../text/today.js'
import { fillText } from '../text/written.js'
import { leftToRight, showIn } from '../ui/parts.js'
import { sheetStrings } from './sheet-strings.js'

type TextName<Words> = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** Selects a string in both languages: by its name, or by a function if it is nested. */
export const textsOf =
  <Words,>(table: Readonly<Record<Language, Words>>) =>
  (pick: TextName<Words> | ((words: Words) => string)): Description => {
    const text = (words: Words) => (typeof pick === 'function' ? pick(words) : String(words[pick]))
    return { en: text(table.en), ar: text(table.ar) }
  }

/** Texts of the pages, in both languages. */
export const both = textsOf(strings)
/** Texts of the sheet, in both languages. */
export const own = textsOf(sheetStrings)

export const filled = (words: Description, parts: Readonly<Record<string, string | Description>>): Description => {
  const inOne = (lang: 'en' | 'ar') =>
    fillText(
      words[lang],
      Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? part : part[lang]])),
    )
  return { en: inOne('en'), ar: inOne('ar') }
}

export { leftToRight }

/** English above Arabic. */
export const stacked = (words: Description) => (
  <>
    <div lang="en">{words.en}</div>
    {words.ar !== words.en && (
      <div lang="ar" dir="rtl">
        {words.ar}
      </div>
    )}
  </>
)

/** English and Arabic in one line. */
export const inline = (words: Description) => (
  <>
    {showIn('en', words.en)}
    {words.ar !== '' && words.ar !== words.en && <> · {showIn('ar', words.ar)}</>}
  </>
)

export const countryName = (code: string): Description => both(words => words.countries[code] ?? code)

const regions = { en: new Intl.DisplayNames('en', { type: 'region' }), ar: new Intl.DisplayNames('ar', { type: 'region' }) }
export const regionName = (code: string): Description => ({ en: regions.en.of(code) ?? code, ar: regions.ar.of(code) ?? code })

/** Rounded to the currency's decimals. */
export const money = (exact: string, currency: string) => leftToRight(grouped(rounded(exact, placesOf(currency))))

export interface Fact {
  label: Description
  value: ComponentChildren
}

/** English label, value and Arabic label in one line, as in customs forms. */
export const factTable = (list: readonly (Fact | null)[]) => (
  <table class="sheet-facts">
    <tbody>
      {list.map(
        fact =>
          fact && (
            <tr>
              <th scope="row">{showIn('en', fact.label.en)}</th>
              <td>{fact.value}</td>
              <th scope="row">{showIn('ar', fact.label.ar)}</th>
            </tr>
          ),
      )}
    </tbody>
  </table>
)

/** `figures`: index of the first column with amounts. */
export function amountTable(
  name: string,
  head: readonly Description[],
  figures: number,
  rows: readonly (readonly ComponentChildren[])[],
) {
  const classOf = (at: number) => (at >= figures ? 'figure' : undefined)
  return (
    <table class={`sheet-amounts ${name}`}>
      <thead>
        <tr>
          {head.map((words, at) => (
            <th class={classOf(at)} scope="col">
              {stacked(words)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr>
            {row.map((cell, at) => (
              <td class={classOf(at)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Sums below a table. The last one is the final amount. */
export const sumTable = (rows: readonly { label: Description; amount: ComponentChildren }[]) => (
  <div class="sheet-sums">{factTable(rows.map(({ label, amount }) => ({ label, value: amount })))}</div>
)

/** Two columns, one for each language. */
export function sentences(title: Description, list: readonly Description[]) {
  if (list.length === 0) return null
  const column = (lang: 'en' | 'ar') => (
    <div lang={lang} dir={lang === 'ar' ? 'rtl' : 'ltr'}>
      <h2>{title[lang]}</h2>
      <ul>
        {list.map(words => (
          <li>{words[lang] || words.en}</li>
        ))}
      </ul>
    </div>
  )
  return (
    <section class="sheet-sentences">
      {column('en')}
      {column('ar')}
    </section>
  )
}

/** Numbers the sources of the charges, each source once. */
export class Sources {
  readonly #list: string[] = []

  mark(source: string | null | undefined) {
    if (!source) return null
    if (!this.#list.includes(source)) this.#list.push(source)
    return <sup>[{this.#list.indexOf(source) + 1}]</sup>
  }

  view() {
    if (this.#list.length === 0) return null
    const { en, ar } = own('sources')
    return (
      <section class="sheet-sources">
        <h2>
          {en} · <span lang="ar">{ar}</span>
        </h2>
        <ol>
          {this.#list.map(source => (
            <li>{source}</li>
          ))}
        </ol>
      </section>
    )
  }
}

interface SheetHead {
  title: Description
  /** The address of the same estimate on the web. */
  address: string
  /** A data address; '' for none. */
  logo?: string
}

export async function sheet({ title, address, logo = '' }: SheetHead, ...parts: ComponentChildren[]): Promise<VNode> {
  const { edition, version } = await facts()
  const data = version === '' ? null : filled(own('dataset'), { edition, version })
  return (
    <article class="sheet" lang="en" dir="ltr">
      <header>
        <h1>
          {showIn('en', title.en)}
          {showIn('ar', title.ar)}
        </h1>
        {logo !== '' && (
          <p class="sheet-quote">
            <img src={logo} alt="" />
          </p>
        )}
      </header>
      <p class="sheet-estimate">{stacked(own('estimate'))}</p>
      {parts}
      {factTable([
        { label: own('date'), value: leftToRight(today()) },
        data && { label: own('data'), value: inline(data) },
        { label: own('address'), value: leftToRight(address) },
      ])}
    </article>
  )
}

/** Prints only the sheet, then restores the page. */
export async function printSheet(sheet: VNode): Promise<void> {
  const host = document.createElement('div')
  render(sheet, host)
  const element = host.firstElementChild as HTMLElement
  // an English page may not have loaded the Arabic font yet
  await document.fonts.load('1em Cairo', 'ر')
  document.querySelector('body > .sheet')?.remove()
  document.body.append(element)
  const root = document.documentElement
  root.dataset.print = 'sheet'
  const end = () => {
    element.remove()
    delete root.dataset.print
  }
  window.addEventListener('afterprint', end, { once: true })
  window.print()
}
