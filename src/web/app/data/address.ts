/** Reads and writes addresses of the pages. Every state that a visitor may want to send to someone has an address. */

import { readsLikeTitle } from '../text/title.js'
import { countryInAddress } from './country.js'
import { query } from './query.js'

/** The calculator's fields, by parameter name. */
export const CALCULATION = ['value', 'currency', 'vat', 'freight', 'insurance', 'origin', 'quantity', 'sugar'] as const
export type Calculation = Readonly<Record<(typeof CALCULATION)[number], string>>

/** The filters of a search; '' for no filter. */
export interface SearchFilters {
  /** A chapter, or a longer code. */
  within: string
  level: string
  rate: string
}

export interface SearchRoute extends SearchFilters {
  page: 'search'
  q: string
  /** Answers to the questions about a title; see search/steps.ts. */
  steps: string
  /** Treats the text as a title even if it does not look like one. */
  isTitle: boolean
}

/** The shipment in the address; see shipment/link.ts. */
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

/** Parameters that links keep: the country, and the language if the address names one. */
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
  // former pages
  if (first === 'classify' && second === '')
    return { page: 'search', q: get('text'), ...NO_FILTERS, steps: get('within'), isTitle: true }
  if (SHIPMENT_PATHS.includes(first) && second === '')
    return { page: 'shipment', parameters: Object.fromEntries([...parameters].filter(([name]) => !CHOICES.includes(name))) }
  if (first === 'compare' && second === '') return { page: 'compare', codes: get('codes') }
  return { page: 'lost' }
}

/** `check` and `invoice` are former pages. */
const SHIPMENT_PATHS = ['shipment', 'check', 'invoice']
const CHOICES = ['country', 'lang']

export const NO_FILTERS: SearchFilters = { within: '', level: '', rate: '' }

/** The address of a search. `steps` belong to one title, so a search for a new text starts without them. */
export function toSearch(q: string, route: Partial<Omit<SearchRoute, 'q'>> = {}): string {
  const { within, level, rate, steps = '', isTitle = false } = route
  const as = isTitle && steps === '' && q !== '' && !readsLikeTitle(q) ? 'title' : ''
  return query('/', { q, in: within, level, rate, within: steps, as, ...choices() })
}
/** `calculation`: set if the visitor has typed into the calculator. */
export const toCode = (code: string, calculation: Partial<Calculation> = {}) =>
  query(`/code/${encodeURIComponent(code)}`, { ...calculation, ...choices() })
export const toBrowse = (code = '', section = '') =>
  query(code === '' ? '/browse' : `/browse/${encodeURIComponent(code)}`, { section, ...choices() })
/** The address that proposes codes for the text even if it does not look like a title. */
export const toClassify = (text: string) => toSearch(text, { isTitle: true })
export const toShipment = (parameters: ShipmentRoute['parameters'] = {}) => query('/shipment', { ...parameters, ...choices() })

/** The new address for a route with the path of a former page; null for any other route. */
export function currentPath(route: Route, pathname: string): string | null {
  if (route.page === 'search' && pathname !== '/') return toSearch(route.q, route)
  return route.page === 'shipment' && pathname !== '/shipment' ? toShipment(route.parameters) : null
}

/** The current address with another country. Drops the VAT rate, which depends on the country; amounts keep their currency. */
export function inCountry(code: string): string {
  const parameters = new URLSearchParams(location.search)
  for (const name of ['country', 'vat']) parameters.delete(name)
  if (code !== '') parameters.set('country', code)
  return query(location.pathname, Object.fromEntries(parameters))
}

/** The current address in the other language. */
export function inLanguage(lang: string): string {
  const parameters = new URLSearchParams(location.search)
  parameters.set('lang', lang)
  return `${location.pathname}?${parameters}`
}
