/** Whose rates the pages show: by the address, else by the last choice in this browser; '' is the common tariff. */
import { pathIn } from './first-paths.js'

const KEPT = 'hsapi-country'

const CURRENCY_OF: Readonly<Record<string, string>> = {
  SA: 'SAR',
  AE: 'AED',
  QA: 'QAR',
  KW: 'KWD',
  BH: 'BHD',
  OM: 'OMR',
}

/** Of a country; the common tariff has none of its own. */
export const currencyOf = (code: string) => CURRENCY_OF[code] ?? 'AED'

/** In an address: the common tariff, whatever the browser that opens it chose last. */
export const COMMON = 'GCC'

/** Dispatched at the window by a choice outside the header; its detail is the country. */
export const COUNTRY_CHOSEN = 'hsapi-country-chosen'

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
  const named = new URLSearchParams(search).get('country')
  const isCommon = named?.toUpperCase() === COMMON && byServer === ''
  current = isCommon ? '' : known(named) || known(kept) || byServer
}

/** How addresses name it; without a name, the last choice of this browser would apply. */
export const countryInAddress = () => (current === '' && known(kept) !== '' ? COMMON : current)

export const requestCountry = (code: string) => window.dispatchEvent(new CustomEvent(COUNTRY_CHOSEN, { detail: code }))

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

export function noteServerCountry(code: string): void {
  byServer = code
}

/** An answer to a question without a country tells whether the server has a default. */
export function noteCountryOf(data: unknown): void {
  if (current !== '') return
  const [first] = (Array.isArray(data) ? data : [data]) as (Answered | null)[]
  const code = first?.rate?.country ?? ''
  if (code === '') return
  noteServerCountry(code)
  current = code
  changed()
}

export const forCountry = (path: string) => pathIn(current, path)

/** `address` with this country and no other. */
export function withCountry(address: string, code = countryInAddress()): string {
  const [path = '', search = ''] = address.split('?')
  const parameters = new URLSearchParams(search)
  // rebuilding the address could change how other parts of it are encoded
  if ((parameters.get('country') ?? '') === code) return address
  if (code === '') parameters.delete('country')
  else parameters.set('country', code)
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
