/** Reads amounts as people write them. Values stay text, because a float would round large ones. */

import { asciiDigits } from '../../../codes/digits.js'
export type Reading =
  | { kind: 'empty' }
  | { kind: 'bad' }
  | { kind: 'amount'; value: string; currency: string | null }
  /** A point before three digits may group thousands or start decimals. Both readings are given in an unambiguous form. */
  | { kind: 'unclear'; grouped: string; decimal: string }

const BAD: Reading = { kind: 'bad' }

/** Invisible characters in copied text. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** Characters that can only separate thousands. */
const GROUP_SIGNS = /[٬’‘´`_]/gu
const PERCENT = /^[%٪]\s?|\s?[%٪]$/gu
const NUMBER_SIGNS = /^[\d.,٫' ]+$/u
const DIGITS = /^\d*$/
/** Digits before the first thousands separator. */
const FIRST_GROUP = /^[1-9]\d{0,2}$/
/** The end of an amount on an invoice, as in "500/-". */
const CLOSING = /\s?\/[-=]$/

/** Currencies that the pages offer. */
export const CURRENCIES = ['AED', 'SAR', 'QAR', 'KWD', 'BHD', 'OMR', 'USD', 'EUR', 'GBP', 'CNY', 'INR']

let isoCodes: readonly string[] | undefined
/** All currency codes, for invoices in currencies that the pages do not offer. */
export const allCurrencies = (): readonly string[] =>
  (isoCodes ??= [...new Set([...CURRENCIES, ...Intl.supportedValuesOf('currency')])])

/** Currency codes by name or symbol. Null if several currencies share the name: the chosen currency then stays. */
const CURRENCY_NAMES: Readonly<Record<string, string | null>> = {
  $: 'USD',
  us$: 'USD',
  دولار: 'USD',
  'دولار أمريكي': 'USD',
  '€': 'EUR',
  يورو: 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  rs: null,
  '¥': null,
  rmb: 'CNY',
  dh: 'AED',
  dhs: 'AED',
  'د.إ': 'AED',
  درهم: 'AED',
  'درهم إماراتي': 'AED',
  sr: 'SAR',
  'ر.س': 'SAR',
  'ريال سعودي': 'SAR',
  qr: 'QAR',
  'ر.ق': 'QAR',
  'ريال قطري': 'QAR',
  kd: 'KWD',
  'د.ك': 'KWD',
  'دينار كويتي': 'KWD',
  bd: 'BHD',
  'د.ب': 'BHD',
  'دينار بحريني': 'BHD',
  ro: 'OMR',
  'ر.ع': 'OMR',
  'ريال عماني': 'OMR',
  ريال: null,
  دينار: null,
}

function plainText(text: string): string {
  return asciiDigits(text).replace(INVISIBLE, '').replace(GROUP_SIGNS, "'").replace(/،/gu, ',').replace(/\s+/gu, ' ').trim()
}

const knownPlaces = new Map<string, number>()

/** Number of decimals of a currency: 2 for most, 3 for KWD, BHD and OMR. */
export function placesOf(currency: string): number {
  // cached, because creating a format is the slowest part of formatting an amount
  const known = knownPlaces.get(currency)
  if (known !== undefined) return known
  const found = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  knownPlaces.set(currency, found)
  return found
}

/** The digits of a whole number that is grouped by three, or by two as in 12,34,567; null if it is grouped in another way. */
function ungrouped(whole: string): string | null {
  const [separator] = /\D/.exec(whole) ?? []
  if (separator === undefined) return whole
  const [first = '', ...groups] = whole.split(separator)
  const isGrouped = FIRST_GROUP.test(first) && groups.every(group => DIGITS.test(group)) && groups.at(-1)?.length === 3
  const others = groups.slice(0, -1)
  const isIndian = separator === ',' && first.length <= 2 && others.every(group => group.length === 2)
  return isGrouped && (isIndian || others.every(group => group.length === 3)) ? first + groups.join('') : null
}

const withoutZeros = (whole: string) => whole.replace(/^0+(?=\d)/, '') || '0'

function decimalOf(whole: string, decimals: string): string | null {
  const digits = ungrouped(whole)
  if (digits === null || !DIGITS.test(decimals) || digits + decimals === '') return null
  return withoutZeros(digits) + (decimals === '' ? '' : `.${decimals}`)
}

interface Split {
  whole: string
  decimals: string
  isUnclear?: boolean
}

/**
 * Splits a number where its decimals begin. With two kinds of separators, the last one starts the decimals. A separator that
 * occurs twice separates groups. A single separator starts the decimals unless exactly three digits follow it. In that case a
 * comma separates thousands, as on these pages. A point then starts the decimals if the currency has three of them; otherwise
 * the point is ambiguous.
 */
function split(text: string, places: number, isPercent: boolean): Split {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','), text.lastIndexOf('٫'))
  if (at < 0) return { whole: text, decimals: '' }
  const sign = text[at] as string
  const [whole, decimals] = [text.slice(0, at), text.slice(at + 1)]
  if (whole.includes(sign)) return { whole: text, decimals: '' }
  const mayGroup = sign !== '٫' && !isPercent && decimals.length === 3 && FIRST_GROUP.test(whole)
  if (!mayGroup || (sign === '.' && places === 3)) return { whole, decimals }
  return sign === ',' ? { whole: whole + decimals, decimals: '' } : { whole, decimals, isUnclear: true }
}

interface Parts {
  before: string
  number: string
  after: string
}

/** Splits off the text around a number. A point before the digits is part of the number unless it ends a word: "Dhs.500". */
function parts(text: string): Parts | null {
  const first = text.search(/\d/)
  if (first < 0) return null
  let last = text.length
  while (!DIGITS.test(text[last - 1] as string)) last--
  const hasLeadingSign = /[.,٫]$/.test(text.slice(0, first)) && !/\p{L}.$/u.test(text.slice(0, first))
  const from = hasLeadingSign ? first - 1 : first
  const to = /^[.,٫]/.test(text.slice(last)) ? last + 1 : last
  return { before: text.slice(0, from), number: text.slice(from, to), after: text.slice(to) }
}

/** undefined: the text is not a currency; null: several currencies have this name; '': the text is blank. */
export function currencyOfName(name: string, known: readonly string[]): string | null | undefined {
  const short = name.trim().replace(/\.$/, '').toLowerCase()
  if (short === '') return ''
  if (Object.hasOwn(CURRENCY_NAMES, short)) return CURRENCY_NAMES[short]
  return known.find(one => one.toLowerCase() === short)
}

/** `currency`: used if the text names none. `known`: codes that the text may name. */
export function readAmount(text: string, currency: string, known: readonly string[]): Reading {
  const plain = plainText(text).replace(CLOSING, '')
  if (plain === '') return { kind: 'empty' }
  const found = parts(plain)
  if (found === null || !NUMBER_SIGNS.test(found.number)) return BAD
  const names = [currencyOfName(found.before, known), currencyOfName(found.after, known)]
  if (names.includes(undefined)) return BAD
  const [named = null, other] = names.filter(Boolean)
  if (other && other !== named) return BAD
  const { whole, decimals, isUnclear } = split(found.number, placesOf(named ?? currency), false)
  const value = decimalOf(whole, decimals)
  if (value === null) return BAD
  // a zero is appended, because a point before four digits can only start decimals
  const unit = named === null ? '' : ` ${named}`
  if (isUnclear) return { kind: 'unclear', grouped: `${whole},${decimals}${unit}`, decimal: `${whole}.${decimals}0${unit}` }
  return { kind: 'amount', value, currency: named }
}

/** Reads a percentage, which never has thousands separators; null if it is not one, '' for blank text. */
export function readPercent(text: string): string | null {
  const plain = plainText(text).replace(PERCENT, '')
  if (plain === '') return ''
  if (!NUMBER_SIGNS.test(plain)) return null
  const { whole, decimals } = split(plain, 0, true)
  return decimalOf(whole, decimals)
}

/** Rounds half up. */
export function rounded(literal: string, places: number): string {
  const [whole = '0', decimals = ''] = literal.split('.')
  let units = BigInt(whole + decimals.slice(0, places).padEnd(places, '0'))
  if ((decimals[places] ?? '0') >= '5') units += 1n
  const text = String(units).padStart(places + 1, '0')
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
}

/** For display, with thousands separators. */
export function grouped(literal: string): string {
  const [whole = '0', decimals] = literal.split('.')
  const shown = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? shown : `${shown}.${decimals}`
}

/** An amount with the decimals of its currency: `15.00 SAR`. */
export const inCurrency = (exact: string, currency: string) => `${grouped(rounded(exact, placesOf(currency)))} ${currency}`
