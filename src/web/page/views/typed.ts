/** What was typed into the calculator last stays for the next code. */
import type { Calculation } from '../address.js'
import { CURRENCY_OF } from '../country.js'

const KEPT = 'hsapi-calculator'

const NOTHING: Calculation = {
  value: '1000',
  currency: 'AED',
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

/** Currency and VAT of one country are wrong for the next. */
export function typedFor(code: string): Calculation {
  if (typed.country !== code) typed = { ...typed, country: code, currency: CURRENCY_OF[code] ?? NOTHING.currency, vat: '' }
  return typed
}

/** A quantity is of these goods alone. */
export function keepTyped(now: Calculation, country: string): void {
  typed = { ...now, quantity: '', sugar: '', country }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(typed))
  } catch {}
}
