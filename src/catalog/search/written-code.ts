/** Queries that consist of a code only, in any common notation. */
import { fold } from '../../text/fold.js'

const DIGITS = /^[0-9]+$/
/** 8523.21, 8523 21 00 */
const DOTTED_CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/
/** "hs 8471.30", "HS8471", "chapter 64", "رمز 8471" */
const CODE_WORD =
  /^(?:hs|hts|gcc|codes(?!ubheading)|code|heading|subheading|chapter|tariff|number|no|رمز|كود|بند|فصل|رقم|التعرفه|تعرفه|الجمركي|جمركي|النظام|المنسق)[\s:#.-]*/
const SPACED_DIGITS = /^[0-9][0-9. ]+$/

/** One word at a time: as a single repeated pattern, "hscode" took exponential time. */
function stripCodeWords(text: string): string {
  let rest = text
  for (let word = CODE_WORD.exec(rest); word !== null; word = CODE_WORD.exec(rest)) rest = rest.slice(word[0].length)
  return rest
}

/** Its digits; undefined for any other query. */
export function codeIn(text: string): string | undefined {
  const folded = fold(text.trim())
  const last = folded.charCodeAt(folded.length - 1)
  if (!(last >= 48 && last <= 57)) return undefined
  if (DIGITS.test(folded)) return folded
  const rest = stripCodeWords(folded)
  const isCode = rest === folded ? DOTTED_CODE.test(rest) : SPACED_DIGITS.test(rest)
  return isCode ? rest.replace(/[. ]/g, '') : undefined
}
