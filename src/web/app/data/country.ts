/**
 * The country whose rates the pages show. It comes from the address, from the last choice in this browser, or from the server's
 * default. '' is the common tariff.
 */
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

/** AED for the common tariff, which has no currency of its own. */
export const currencyOf = (code: string) => CURRENCY_OF[code] ?? 'AED'

/** Name of the common tariff in an address. It overrides the last choice in the browser that opens the address. */
export const COMMON = 'GCC'

/** Dispatched on the window when a country is chosen outside the header; the detail of the event is the country. */
export const COUNTRY_CHOSEN = 'hsapi-country-chosen'

/** Dispatched on the window when the answers are for another country than the pages assumed. */
export const COUNTRY_CHANGED = 'hsapi-country-changed'

/** If the browser forbids storage, the choice lasts as long as the page. */
let kept: string | null = null
try {
  kept = localStorage.getItem(KEPT)
} catch {}

/** Countries that the dataset does not have. */
const refused = new Set<string>()
/** The server's default country (HSAPI_COUNTRY). */
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

/** The country for addresses. The common tariff needs a name if this browser stores a choice, which would apply otherwise. */
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

/** Must be called if the dataset does not have the country. The pages then show the common tariff. */
export function refuseCountry(): void {
  refused.add(current)
  changed()
}

/** The last chosen country that is not in the dataset, for a note. */
export const lastRefused = () => [...refused].at(-1) ?? ''

interface Answered {
  rate?: { country?: string }
}

export function noteServerCountry(code: string): void {
  byServer = code
}

/** Reads the server's default country, if any, from an answer to a request without a country. */
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

/** Returns the address with this country. */
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
