/** The currency that a table states outside its amounts: in a column of its own, or in the heading of the values. */
import { allCurrencies, CURRENCIES, currencyOfName, readAmount } from '../text/amounts.js'

const HEADING_WORD = /[^\s()[\]{}/:;,_-]+/gu
/** "the", "in" and "in the" before the Arabic name of a currency. */
const ARABIC_PREFIX = /^(?:بال|ال|ب(?=دولار|درهم|يورو))/u
const UPPER_CASE_CODE = /^[A-Z]{3}$/

/** In lower case, many codes are also words: "all", "top", "try". */
const codeOf = (name: string) => currencyOfName(name, UPPER_CASE_CODE.test(name) ? allCurrencies() : CURRENCIES)

/** `USD` for "Value (USD)" and "القيمة بالدولار"; null if a heading names no currency, several, or an ambiguous one. */
export function currencyInHeading(heading: string): string | null {
  const words = (heading.match(HEADING_WORD) ?? []).map(word => word.replace(ARABIC_PREFIX, ''))
  const named = new Set(words.flatMap((word, at) => codeOf(`${word} ${words[at + 1] ?? ''}`) || codeOf(word) || []))
  const [only = null, second] = named
  return second === undefined ? only : null
}

/** A value without a currency gets the currency of its row, else the currency of its heading: `500 USD`. */
export function withCurrency(value: string, heading: string, cell: string): string {
  const code = currencyOfName(cell, allCurrencies()) || (cell.trim() === '' ? currencyInHeading(heading) : null)
  if (!code) return value
  const reading = readAmount(value, code, allCurrencies())
  const isBare =
    reading.kind === 'unclear' ? !/\p{L}|\p{Sc}/u.test(value) : reading.kind === 'amount' && reading.currency === null
  return isBare ? `${value} ${code}` : value
}
