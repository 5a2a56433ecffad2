/** Addresses of the pages, read and written. Every state that is worth sending to someone is one. */

import { readsLikeTitle } from '../text/title.js'
import { countryInAddress } from './country.js'
import { query } from './query.js'

/** What the calculator holds, by its name in the address. */
export const CALCULATION = ['value', 'currency', 'vat', 'freight', 'insurance', 'origin', 'quantity', 'sugar'] as const
export type Calculation = Readonly<Record<(typeof CALCULATION)[number], string>>

/** What narrows a search down; '' where nothing does. */
export interface SearchFilters {
  /** A chapter, or a longer code. */
  within: string
  level: string
  rate: string
}

export interface SearchRoute extends SearchFilters {
  page: 'search'
  q: string
  /** Answers to the questions about a title, see search/steps.ts. */
  steps: string
  /** The text is a title, whatever it looks like. */
  isTitle: boolean
}

/** What the address says of a shipment, see shipment/link.ts. */
export interface ShipmentRoute {
  page: 'shipment'
  parameters: Readonly<Record<string, string>>
}

export type Route =
  | SearchRoute
  | { page: 'record'; code: string; calculation: Calculation }
  | { page: 'browse'; code: string; section: string }
  | ShipmentRoute
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
  if (first === '' && second === '') {
    const steps = get('within')
    const isTitle = steps !== '' || get('as') === 'title'
    const filters = { within: get('in'), level: get('level'), rate: get('rate') }
    return { page: 'search', q: parameters.get('q') ?? '', ...filters, steps, isTitle }
  }
  if (first === 'code' && second !== '') return { page: 'record', code: second.trim(), calculation: all(CALCULATION) }
  if (first === 'browse') return { page: 'browse', code: second, section: get('section') }
  // addresses that were pages of their own
  if (first === 'classify' && second === '')
    return { page: 'search', q: get('text'), ...NO_FILTERS, steps: get('within'), isTitle: true }
  if (SHIPMENT_PATHS.includes(first) && second === '')
    return { page: 'shipment', parameters: Object.fromEntries([...parameters].filter(([name]) => !CHOICES.includes(name))) }
  if (first === 'compare' && second === '') return { page: 'compare', codes: get('codes') }
  return { page: 'lost' }
}

/** `check` and `invoice` were pages of their own. */
const SHIPMENT_PATHS = ['shipment', 'check', 'invoice']
const CHOICES = ['country', 'lang']

export const NO_FILTERS: SearchFilters = { within: '', level: '', rate: '' }

/** A title's answers belong to its text: without `steps` they are left out. */
export function toSearch(q: string, route: Partial<Omit<SearchRoute, 'q'>> = {}): string {
  const { within, level, rate, steps = '', isTitle = false } = route
  const as = isTitle && steps === '' && q !== '' && !readsLikeTitle(q) ? 'title' : ''
  return query('/', { q, in: within, level, rate, within: steps, as, ...choices() })
}
/** `calculation` where someone typed into it. */
export const toCode = (code: string, calculation: Partial<Calculation> = {}) =>
  query(`/code/${encodeURIComponent(code)}`, { ...calculation, ...choices() })
export const toBrowse = (code = '', section = '') =>
  query(code === '' ? '/browse' : `/browse/${encodeURIComponent(code)}`, { section, ...choices() })
/** Codes are proposed for the text, whatever it looks like. */
export const toClassify = (text: string) => toSearch(text, { isTitle: true })
export const toShipment = (parameters: ShipmentRoute['parameters'] = {}) => query('/shipment', { ...parameters, ...choices() })

/** The address of a route that was reached by the path of a page that is gone; null for any other. */
export function currentPath(route: Route, pathname: string): string | null {
  if (route.page === 'search' && pathname !== '/') return toSearch(route.q, route)
  return route.page === 'shipment' && pathname !== '/shipment' ? toShipment(route.parameters) : null
}

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
