/** Fineness of yarns in decitex, from the counts of the trade, and the number of their plies: "Ne 30/2", "Nm 2/48", "150D". */
import { fold } from '../../text/fold.js'
import { exactly, PLIES, type Range } from './range.js'

const DECITEX = 'decitex'
/** Ne and Nm are lengths per weight: decitex is the constant divided by the count. Denier and tex are weights per length. */
const DECITEX_OF_NE_1 = 5905.4
const DECITEX_OF_NM_1 = 10_000
const DECITEX_PER_DENIER = 10 / 9
const DECITEX_PER_TEX = 10

// regexp-ignore: linear, a list of plain words
const YARN = new RegExp(`(?<!\\p{L})(?:yarns?|threads?|filaments?|${fold('(?:ال)?(?:خيط|خيوط|غزل|غزول)')})(?!\\p{L})`, 'u')
const NUMBER = '(\\d{1,4}(?:\\.\\d{1,2})?)'
// regexp-ignore: linear, four digits at most, then one of a list of plain words
const WEIGHT = new RegExp(
  `(?<![\\p{L}\\p{N}.,])${NUMBER}\\s?(?:(d|den|denier|${fold('دنير|دينير')})|(tex|${fold('تكس')}))(?!\\p{L})`,
  'gu',
)
// regexp-ignore: linear, one of a list of plain words, two marks and eight digits at most
const COUNT = new RegExp(
  `(?<![\\p{L}])(?:(ne|nec|${fold('نمرة')})|(nm))[ .:]{0,2}${NUMBER}(?:/(\\d{1,4}))?(?![\\p{L}\\p{N}])`,
  'gu',
)
/** "30s", "30s/2", "30/2": the number of a cotton yarn in Ne, with its plies. */
const COTTON = /(?<![\p{L}\p{N}.,/])(\d{1,3})(?:s(?:\/(\d))?|\/(\d))(?![\p{L}\p{N}%/])/gu
// regexp-ignore: linear, a digit or a plain word, then a plain word
const PLY = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(\\d)|(two|double)|(three))[ -]?(?:ply|plied|${fold('طبقات|طبقة')})(?!\\p{L})`,
  'gu',
)
const PLIES_MAX = 9

/** `text`: folded. Only texts about yarn have yarn counts: the "600D" of a bag does not affect its code. */
export function yarnMeasuresIn(text: string): Range[] {
  const found: Range[] = []
  if (!YARN.test(text)) return found
  const take = (decitex: number, plies: number | undefined) => {
    found.push(exactly(DECITEX, decitex))
    if (plies !== undefined && plies > 0 && plies <= PLIES_MAX) found.push(exactly(PLIES, plies))
  }
  for (const [, number, denier] of text.matchAll(WEIGHT))
    take(Number(number) * (denier === undefined ? DECITEX_PER_TEX : DECITEX_PER_DENIER), undefined)
  for (const [, ne, , first, second] of text.matchAll(COUNT)) {
    const numbers = second === undefined ? [Number(first)] : [Number(first), Number(second)]
    // the plies are the smaller number, in "Ne 30/2" the second and in "Nm 2/48" the first
    const count = Math.max(...numbers)
    if (count > 0)
      take(
        (ne === undefined ? DECITEX_OF_NM_1 : DECITEX_OF_NE_1) / count,
        second === undefined ? undefined : Math.min(...numbers),
      )
  }
  if (found.length === 0)
    for (const [, count, afterS, plies = afterS] of text.matchAll(COTTON))
      if (Number(count) > 0) take(DECITEX_OF_NE_1 / Number(count), plies === undefined ? undefined : Number(plies))
  for (const [, digit, two] of text.matchAll(PLY)) found.push(exactly(PLIES, Number(digit ?? (two === undefined ? 3 : 2))))
  return found
}
