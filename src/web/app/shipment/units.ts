/**
 * Quantities in the units by which excise is charged, as invoices write them. Pieces are left out, because on an invoice they
 * may be packages.
 */
import { readAmount } from '../text/amounts.js'

const UNIT_WORDS: Readonly<Record<'l' | 'g', ReadonlySet<string>>> = {
  l: new Set('l lt ltr ltrs litre litres liter liters لتر لترا لترات اللتر باللتر اللترات باللترات'.split(' ')),
  g: new Set('g gm gr gram grams gramme grammes غ غم غرام غراما غرامات بالغرام جرام جرامات بالجرام'.split(' ')),
}
/** Words that a heading of quantities may contain in addition to the unit. */
const QUANTITY_WORDS = ['qty', 'quantity', 'total', 'in', 'كمية', 'الكمية', 'إجمالي']
const DIGIT = /\p{Nd}/u

const unitNamed = (word: string) => (['l', 'g'] as const).find(unit => UNIT_WORDS[unit].has(word.toLowerCase()))

/** Adds the unit in a heading such as "Qty (litres)" to a quantity that has none. */
export function withUnit(quantity: string, heading: string): string {
  const all = heading.toLowerCase().match(/\p{L}+/gu) ?? []
  const units = all.filter(word => !QUANTITY_WORDS.includes(word)).map(unitNamed)
  const isStated = units.length === 1 && units[0] !== undefined && DIGIT.test(quantity.at(-1) ?? '')
  return isStated ? `${quantity} ${units[0]}` : quantity
}

/** `792 l` if a quantity states a unit of excise; '' otherwise. */
export function measureIn(quantity: string): string {
  const text = quantity.normalize('NFKC')
  let end = text.length
  while (end > 0 && !DIGIT.test(text[end - 1] as string)) end--
  const [number, word] = [text.slice(0, end), text.slice(end).trim().replace(/\.$/, '')]
  const [unit, reading] = [unitNamed(word), readAmount(number, 'USD', [])]
  return unit !== undefined && reading.kind === 'amount' && reading.currency === null ? `${reading.value} ${unit}` : ''
}

/** A quantity without a unit as a number, so that the page can ask for the unit; null if the text is not a number. */
export function bareQuantity(quantity: string): string | null {
  const reading = readAmount(quantity, 'USD', [])
  return reading.kind === 'amount' && reading.currency === null ? reading.value : null
}

/** `792 l`: number and unit. */
export function splitMeasure(text: string): [number: string, unit: string] {
  const at = text.lastIndexOf(' ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
