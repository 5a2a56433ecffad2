/** Whose rates the pages show: by the address, else by the last choice in this browser; '' is the common tariff. */

const KEPT = 'hsapi-country'

export const CURRENCY_OF: Readonly<Record<string, string>> = {
  SA: 'SAR',
  AE: 'AED',
  QA: 'QAR',
  KW: 'KWD',
  BH: 'BHD',
  OM: 'OMR',
}

/** Dispatched at the window when the answers belong to another country than the pages thought. */
export const COUNTRY_CHANGED = 'hsapi-country-changed'

/** A browser may forbid storage; the choice then lives as long as the page. */
let kept: string | null = null
try {
  kept = localStorage.getItem(KEPT)
} catch {}

/** Countries that the dataset does not have. */
const refused = new Set<string>()
/** What the server answers for where no country is named (HSAPI_COUNTRY). */
let byServer = ''
let current = ''

export const country = () => current
export const serverCountry = () => byServer

function known(text: string | null): string {
  const code = text?.toUpperCase() ?? ''
  return Object.hasOwn(CURRENCY_OF, code) && !refused.has(code) ? code : ''
}

export function readCountry(search: string): void {
  current = known(new URLSearchParams(search).get('country')) || known(kept) || byServer
}

export function chooseCountry(code: string): void {
  kept = code
  refused.clear()
  try {
    if (code === '') localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, code)
  } catch {}
}

const changed = () => window.dispatchEvent(new Event(COUNTRY_CHANGED))

/** The dataset has no such country: the common tariff is shown instead. */
export function refuseCountry(): void {
  refused.add(current)
  changed()
}

/** The last country that was chosen and is not in the dataset, for a note. */
export const lastRefused = () => [...refused].at(-1) ?? ''

interface Answered {
  rate?: { country?: string }
}

/** An answer to a question without a country tells whether the server has a default. */
export function noteServerCountry(data: unknown): void {
  if (current !== '') return
  const [first] = (Array.isArray(data) ? data : [data]) as (Answered | null)[]
  const code = first?.rate?.country ?? ''
  if (code === '') return
  byServer = code
  current = code
  changed()
}

/** Paths whose answers differ by country. */
const BY_COUNTRY = /^(?:hs-codes\/|search\?|tariff\/)/

export function forCountry(path: string): string {
  if (current === '' || !BY_COUNTRY.test(path)) return path
  return `${path}${path.includes('?') ? '&' : '?'}country=${current}`
}

/** `address` with this country and no other. */
export function withCountry(address: string, code = current): string {
  const [path = '', search = ''] = address.split('?')
  const parameters = new URLSearchParams(search)
  // rebuilding the address could change how other parts of it are encoded
  if ((parameters.get('country') ?? '') === code) return address
  if (code === '') parameters.delete('country')
  else parameters.set('country', code)
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
