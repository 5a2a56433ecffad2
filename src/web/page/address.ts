/** Addresses of the pages, read and written. Every state that is worth sending to someone is one. */
import { query } from './api.js'

export type Route =
  | { page: 'search'; q: string; within: string; level: string }
  | { page: 'record'; code: string; value: string; currency: string; vat: string }
  | { page: 'browse'; code: string; section: string }
  | { page: 'check'; codes: string; edition: string }
  | { page: 'lost' }

/** A language that the address names goes on to the next one. */
function chosenLang(): string | null {
  return new URLSearchParams(location.search).get('lang')
}

export function read(pathname: string, search: string): Route {
  const parameters = new URLSearchParams(search)
  const get = (name: string) => parameters.get(name)?.trim() ?? ''
  const [, first = '', second = '', rest] = pathname.split('/').map(part => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  if (rest !== undefined) return { page: 'lost' }
  if (first === '' && second === '')
    return { page: 'search', q: parameters.get('q') ?? '', within: get('in'), level: get('level') }
  if (first === 'code' && second !== '')
    return {
      page: 'record',
      code: second.trim(),
      value: get('value'),
      currency: get('currency'),
      vat: get('vat'),
    }
  if (first === 'browse') return { page: 'browse', code: second, section: get('section') }
  if (first === 'check' && second === '') return { page: 'check', codes: get('codes'), edition: get('edition') }
  return { page: 'lost' }
}

export const toSearch = (q: string, within = '', level = '') => query('/', { q, in: within, level, lang: chosenLang() })
/** `calculation` is what the calculator holds, where someone typed into it. */
export const toCode = (code: string, calculation: Record<string, string> = {}) =>
  query(`/code/${encodeURIComponent(code)}`, { ...calculation, lang: chosenLang() })
export const toBrowse = (code = '', section = '') =>
  query(code === '' ? '/browse' : `/browse/${encodeURIComponent(code)}`, { section, lang: chosenLang() })
export const toCheck = (codes = '', edition = '') => query('/check', { codes, edition, lang: chosenLang() })

/** This very state in the other language. */
export function inLanguage(lang: string): string {
  const parameters = new URLSearchParams(location.search)
  parameters.set('lang', lang)
  return `${location.pathname}?${parameters}`
}
