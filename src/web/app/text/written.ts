/** Formats figures and rates, in the browser and on the server. */

/** Created on first use: it takes 20 ms, which would delay the start of the server. */
let number: Intl.NumberFormat | undefined

export function figure(n: number): string {
  number ??= new Intl.NumberFormat('en')
  return number.format(n)
}

export const rateRange = (min: number, max: number) => (min === max ? `${figure(min)} %` : `${figure(min)}–${figure(max)} %`)

/** The style of a rate. `highest`: the highest rate of the lines below a code. */
export const rateKind = (highest: number) => (highest === 0 ? 'free' : highest > 5 ? 'high' : 'plain')

/** Replaces each `{name}` of a sentence by a text. */
export function fillText(sentence: string, parts: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w{1,30})\}/g, (_, name: string) => String(parts[name] ?? ''))
}

export const cut = (text: string, chars: number) =>
  text.length <= chars ? text : `${[...text.slice(0, chars)].slice(0, -1).join('')}…`

export const directionOf = (lang: 'en' | 'ar') => (lang === 'ar' ? 'rtl' : 'ltr')
