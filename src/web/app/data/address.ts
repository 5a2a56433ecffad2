/** Addresses of the pages, read and written. Every state that is worth sending to someone is one. */

import { countryInAddress } from './country.js'
import { query } from './query.js'

/** What the calculator holds, by its name in the address. */
export const CALCULATION = ['value', 'currency', 'vat', 'freight', 'insurance', 'origin', 'quantity', 'sugar'] as const
export type Calculation = Readonly<Record<(typeof CALCULATION)[number], string>>

/** What the invoice page holds, by its name in the address. */
export const INVOICE = ['rows', 'currency', 'vat', 'freight', 'insurance', 'origin'] as const
export type InvoiceTerms = Readonly<Record<(typeof INVOICE)[number], string>>

export type Route =
  | { page: 'search'; q: string; within: string; level: string; rate: string }
  | { page: 'record'; code: string; calculation: Calculation }
  | { page: 'browse'; code: string; section: string }
  | { page: 'check'; codes: string; edition: string }
  | { page: 'classify'; text: string; within: string }
  | { page: 'invoice'; terms: InvoiceTerms }
  | { page: 'compare'; codes: string }
  | { page: 'lost' }

/** What goes on to the next address: the country, and a language that the address names. */
const choices = () => ({ country: countryInAddress(), lang: new URLSearchParams(location.search).get('lang') })

/** The address of a page in this country and language; `parameters` may name another country. */
export const to = (path: string, parameters: Readonly<Record<string, string>> = {}) =>
  query(path, { ...parameters, ...choices(), ...(parameters.country !== undefined && { country: parameters.country }) })

export function read(pathname: string, search: string): Route {
  const parameters = new URLSearchParams(search)
  const get = (name: string) => parameters.get(name)?.trim() ?? ''
  const all = <Name extends string>(names: readonly Name[]) =>
    Object.fromEntries(names.map(name => [name, get(name)])) as Record<Name, string>
  const [, first = '', second = '', rest] = pathname.split('/').map(part => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  if (rest !== undefined) return { page: 'lost' }
  if (first === '' && second === '')
    return { page: 'search', q: parameters.get('q') ?? '', within: get('in'), level: get('level'), rate: get('rate') }
  if (first === 'code' && second !== '') return { page: 'record', code: second.trim(), calculation: all(CALCULATION) }
  if (first === 'browse') return { page: 'browse', code: second, section: get('section') }
  if (first === 'check' && second === '') return { page: 'check', codes: get('codes'), edition: get('edition') }
  if (first === 'classify' && second === '') return { page: 'classify', text: get('text'), within: get('within') }
  if (first === 'invoice' && second === '') return { page: 'invoice', terms: all(INVOICE) }
  if (first === 'compare' && second === '') return { page: 'compare', codes: get('codes') }
  return { page: 'lost' }
}

export const toSearch = (q: string, within = '', level = '', rate = '') =>
  query('/', { q, in: within, level, rate, ...choices() })
/** `calculation` where someone typed into it. */
export const toCode = (code: string, calculation: Partial<Calculation> = {}) =>
  query(`/code/${encodeURIComponent(code)}`, { ...calculation, ...choices() })
export const toBrowse = (code = '', section = '') =>
  query(code === '' ? '/browse' : `/browse/${encodeURIComponent(code)}`, { section, ...choices() })
/** `within`: the answers that were given, see views/classify-steps.ts. */
export const toClassify = (text = '', within = '') => query('/classify', { text, within, ...choices() })
export const toCheck = (codes = '', edition = '') => query('/check', { codes, edition, ...choices() })

export const toInvoice = (terms: Partial<InvoiceTerms> = {}) => query('/invoice', { ...terms, ...choices() })

/** This very state for another country. VAT is its own; amounts keep their currency. */
export function inCountry(code: string): string {
  const parameters = new URLSearchParams(location.search)
  for (const name of ['country', 'vat']) parameters.delete(name)
  if (code !== '') parameters.set('country', code)
  return query(location.pathname, Object.fromEntries(parameters))
}

/** This very state in the other language. */
export function inLanguage(lang: string): string {
  const parameters = new URLSearchParams(location.search)
  parameters.set('lang', lang)
  return `${location.pathname}?${parameters}`
}
