/** Keeps the last calculated amounts for the next code. */
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

/** Drops the VAT rate when the country changes. Amounts keep their currency; if none is set, it is the country's. */
export function typedFor(code: string): Calculation {
  if (typed.country !== code) typed = { ...typed, country: code, vat: '' }
  return { ...typed, currency: typed.currency || currencyOf(code) }
}

/**
 * Call this with values that led to an estimate. Origin, quantity and sugar apply only to these goods, so they are not kept.
 */
export function keepTyped(now: Calculation, country: string): void {
  typed = { ...now, origin: '', quantity: '', sugar: '', country }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(typed))
  } catch {}
}
