/** Distinguishes codes from other text: in a query, in a search box, in a cell of a table. */
import { CODE_DIGITS_MAX, CODE_DIGITS_MIN } from '../limits.js'
import { fold } from '../text/fold.js'
import { asciiDigits } from './digits.js'
import { HEADING_DIGITS } from './levels.js'
import { isScientific } from './readings.js'

const DIGITS = /^[0-9]+$/
/** A code with separators: 8523.21, 8523 21 00. */
const DOTTED_CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/
/** The words before a code: "hs 8471.30", "H.S. Code: 8471", "chapter 64", "رمز 8471". */
const CODE_WORD =
  /^(?:h\.?s\.?n?|hts|gcc|codes(?!ubheading)|code|heading|subheading|chapter|tariff|رمز|الرمز|كود|بند|البند|فصل|الفصل|التعرف[هة]|تعرف[هة]|الجمركي|جمركي|النظام|المنسق)[\s:#.-]*/iu
/** "hs no. 8471" is a code, but "no. 8471" in a table may be a row number. */
const NUMBER_WORD = /^(?:number|no|رقم)[\s:#.-]*/iu
const SPACED_DIGITS = /^[0-9][0-9. ]+$/
/** A code in a cell. A comma or a sign is not accepted, because it means that the cell has an amount. */
const CELL_CODE = /^['"]?[0-9][0-9.\s\-/]*[0-9]['"]?$/u
/** While a code is typed, its last character may be a separator. */
const UNFINISHED = /[.-]$/

/** Removes one word at a time: a single repeated pattern took exponential time on "hscode". */
function withoutWords(text: string, patterns: readonly RegExp[]): string {
  let rest = text
  for (;;) {
    const found = patterns.map(pattern => pattern.exec(rest)?.[0].length ?? 0).find(length => length > 0)
    if (found === undefined) return rest
    rest = rest.slice(found)
  }
}

/** The digits of a query that is only a code, in any common notation; undefined for any other query. */
export function codeInQuery(text: string): string | undefined {
  const folded = asciiDigits(fold(text.trim()))
  const last = folded.charCodeAt(folded.length - 1)
  if (!(last >= 48 && last <= 57)) return undefined
  if (DIGITS.test(folded)) return folded
  const rest = withoutWords(folded, [CODE_WORD, NUMBER_WORD])
  const isCode = rest === folded ? DOTTED_CODE.test(rest) : SPACED_DIGITS.test(rest)
  return isCode ? rest.replace(/[. ]/g, '') : undefined
}

/**
 * Like `codeInQuery`, but for a code that is still being typed; '' if the text is not a code. Also accepts ٫, which Arabic
 * keyboards type instead of the point.
 */
export const codeTyped = (text: string): string => codeInQuery(text.trim().replace(UNFINISHED, '').replaceAll('٫', '.')) ?? ''

/** Whether the digits can be a complete code. Two digits cannot, because they may be the start of a longer code. */
export const isWholeCode = (digits: string): boolean =>
  digits.length >= HEADING_DIGITS && digits.length <= CODE_DIGITS_MAX && digits.length % 2 === 0

/** A cell without the words before its code: "HS 8471.30" → "8471.30". */
export function codeInCell(cell: string): string {
  const text = cell.trim()
  const rest = withoutWords(text, [CODE_WORD])
  const afterNumber = rest === text ? rest : withoutWords(rest, [CODE_WORD, NUMBER_WORD])
  return /^\p{Nd}/u.test(afterNumber) ? afterNumber : text
}

/** Whether a cell contains a code, not an amount or words. Scientific notation counts as a code, so that it can be reported. */
export function looksLikeCode(cell: string): boolean {
  const text = asciiDigits(codeInCell(cell))
  if (isScientific(text)) return true
  const digits = text.replace(/\D/g, '').length
  return CELL_CODE.test(text) && digits >= CODE_DIGITS_MIN && digits <= CODE_DIGITS_MAX
}
