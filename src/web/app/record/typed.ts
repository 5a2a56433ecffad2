/** Amounts that were last calculated stay for the next code. */
import type { Calculation } from '../data/address.js'
import { currencyOf } from '../data/country.js'

const KEPT = 'hsapi-calculator'

const NOTHING: Calculation = {
  value: '1000',
  currency: '',
  vat: '',
  freight: '',
  insurance: '',
  origin: '',
  quantity: '',
  sugar: '',
}

let typed = { ...NOTHING, country: '' }
try {
  typed = { ...typed, ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') }
} catch {}

/** The VAT rate of one country is wrong for the next. Amounts keep their currency; before any was entered it is the country's. */
export function typedFor(code: string): Calculation {
  if (typed.country !== code) typed = { ...typed, country: code, vat: '' }
  return { ...typed, currency: typed.currency || currencyOf(code) }
}

/** Only what gave an estimate. Origin and quantity are of these goods alone. */
export function keepTyped(now: Calculation, country: string): void {
  typed = { ...now, origin: '', quantity: '', sugar: '', country }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(typed))
  } catch {}
}
