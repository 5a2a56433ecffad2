/** Reads the calculator's fields and builds the request. The API calculates; this file does not. */
import { ISO_COUNTRIES } from '../../../questions/iso-countries.js'
import { CALCULATION, type Calculation } from '../data/address.js'
import { query } from '../data/query.js'
import type { Needs } from '../estimate/shipment.js'
import { CURRENCIES, grouped, type Reading, readAmount, readPercent } from '../text/amounts.js'

const CURRENCY = /^[a-z]{3}$/i
const VAT = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/

export type FieldName = keyof Calculation

/** The facts that decide which fields and currencies the calculator offers. */
export interface Form {
  /** '' for the common tariff. */
  country: string
  needs: Needs
  /** Currencies in the list. */
  known: readonly string[]
}

/** Name of the string with the error message for a field. */
type Complaint = 'calcBad' | 'calcBadVat' | 'calcBadSugar' | 'calcBadOrigin'
export type Complaints = Readonly<Partial<Record<FieldName, Complaint>>>

export type Unclear = Extract<Reading, { kind: 'unclear' }> & { name: FieldName }

export type Verdict =
  | { kind: 'empty' }
  | { kind: 'wrong'; complaints: Complaints; unclear: Unclear | undefined }
  | { kind: 'question'; path: string }

/** Values from the address (`asked`) take precedence over the last typed ones (`before`). */
export function firstTyped(asked: Calculation, before: Calculation): Calculation {
  const texts = CALCULATION.map(name => [name, asked[name] || before[name]])
  const typed = Object.fromEntries(texts) as Calculation
  const origin = typed.origin.toUpperCase()
  return {
    ...typed,
    currency: CURRENCY.test(asked.currency) ? asked.currency.toUpperCase() : before.currency,
    origin: ISO_COUNTRIES.has(origin) ? origin : '',
  }
}

export const currenciesWith = (currency: string) => (CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES])

/** Selects the currency that the amount names, if any. */
export function withNamedCurrency(typed: Calculation, known: readonly string[]): Calculation {
  const reading = readAmount(typed.value, typed.currency, known)
  return reading.kind === 'amount' && reading.currency !== null ? { ...typed, currency: reading.currency } : typed
}

/** A currency chosen from the list replaces one that the amount names. */
export function withChosenCurrency(typed: Calculation, currency: string, known: readonly string[]): Calculation {
  const reading = readAmount(typed.value, currency, known)
  const isNamed = reading.kind === 'amount' && reading.currency !== null
  return { ...typed, currency, value: isNamed ? grouped(reading.value) : typed.value }
}

/** Clears the fields that are not shown. The common tariff has three fields; excise may need quantity and sugar. */
export function shownOf(typed: Calculation, { country, needs }: Form): Calculation {
  const hidden: Partial<Calculation> = {
    ...(country === '' && { freight: '', insurance: '', origin: '' }),
    ...((country === '' || needs.unit === '') && { quantity: '' }),
    ...((country === '' || !needs.sugar) && { sugar: '' }),
  }
  return { ...typed, ...hidden }
}

export function readCalculation(code: string, all: Calculation, form: Form): Verdict {
  const { country, needs, known } = form
  const typed = shownOf(all, form)
  const complaints: Partial<Record<FieldName, Complaint>> = {}
  let unclear: Unclear | undefined
  const isWrong = () => unclear !== undefined || Object.keys(complaints).length > 0
  const amount = (name: FieldName): string => {
    const reading = readAmount(typed[name], typed.currency, known)
    if (reading.kind === 'unclear') unclear ??= { ...reading, name }
    const isOther = reading.kind === 'amount' && (reading.currency ?? typed.currency) !== typed.currency
    if (reading.kind === 'bad' || isOther) complaints[name] = 'calcBad'
    return reading.kind === 'amount' ? reading.value : ''
  }
  const percent = (name: FieldName, complaint: Complaint, shape?: RegExp): string => {
    const read = readPercent(typed[name])
    if (read === null || (shape !== undefined && !shape.test(read || '0'))) complaints[name] = complaint
    return read ?? ''
  }
  const value = amount('value')
  if (isWrong()) return { kind: 'wrong', complaints, unclear }
  if (value === '') return { kind: 'empty' }
  const vat = percent('vat', 'calcBadVat', VAT)
  const [freight, insurance, quantity] = [amount('freight'), amount('insurance'), amount('quantity')]
  const sugar = percent('sugar', 'calcBadSugar')
  if (isWrong()) return { kind: 'wrong', complaints, unclear }
  const path = query('tariff/calculate', {
    hs_code: code,
    value,
    currency: typed.currency,
    vat_rate: vat || (country === '' ? '0' : ''),
    include: 'exact',
    freight,
    insurance,
    origin: typed.origin,
    quantity,
    unit: quantity === '' ? '' : needs.unit,
    sugar,
  })
  return { kind: 'question', path }
}

/** The messages, by the parameter that the API refused. */
const REFUSED: Readonly<Record<string, Complaints>> = {
  vat_rate: { vat: 'calcBadVat' },
  freight: { freight: 'calcBad' },
  insurance: { insurance: 'calcBad' },
  origin: { origin: 'calcBadOrigin' },
  quantity: { quantity: 'calcBad' },
  unit: { quantity: 'calcBad' },
  sugar: { sugar: 'calcBadSugar' },
  currency: { currency: 'calcBad' },
}

export const complaintsOf = (parameter: string): Complaints => REFUSED[parameter] ?? { value: 'calcBad' }
