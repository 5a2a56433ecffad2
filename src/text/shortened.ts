/** Shortens texts to the length of a field, between words. */

/** Words that cannot end a text. */
const LINKING = new Set(
  (
    'a an and as at but by for from if in into its not of on only or other per such together fitted mainly solely than that the their to under up which with ' +
    'without whether also including excluding except over above below more less least most e.g. ' +
    'أو و من في على عن إلى مع بدون دون بلا عدا غير ما لا مثل حتى أي التي الذي كان كانت وإن بما سواء بين ذات ذو لم فوق تحت أقل أكثر'
  ).split(' '),
)
const ARABIC = /^\p{Script=Arabic}/u
const OPENING = '([{"\'«“'
const MARKS = ' \u00a0,;:،؛.–—-/&+([{"\'«“'
/** The first part of "3- or 4-thread". */
const SUSPENDED = /\S[-–]$/
/** "40 MW or less" does not end with a linking word. */
const LIMIT = / (?:(?:or|and) (?:less|more|over|under|above|below)|أو (?:أقل|أكثر))$/
const LIMIT_WORDS = 4
/** Characters that end a clause. */
const CLAUSE = ',;:،؛('

/** The number of code points. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** The first words of a text, in at most `charsMax` code points; '' if its first word is longer. */
export function firstWords(text: string, charsMax: number): string {
  if (lengthOf(text) <= charsMax) return text
  const points = [...text]
  let end = charsMax
  while (end > 0 && points[end] !== ' ') end--
  return withoutLooseEnd(points.slice(0, end).join(''))
}

/** The first clause of a text if it fits and has at least `charsMin` code points, otherwise its first words. */
export function firstClause(text: string, charsMax: number, charsMin: number): string {
  let depth = 0
  let length = 0
  let best = ''
  let taken = ''
  for (const point of text) {
    if (length > charsMax) break
    if (depth === 0 && CLAUSE.includes(point) && length >= charsMin) best = withoutLooseEnd(taken)
    if (point === '(') depth++
    if (point === ')') depth--
    taken += point
    length++
  }
  return lengthOf(best) >= charsMin ? best : firstWords(text, charsMax)
}

/** A phrase may also end before these words, although they are not linking words. */
const PARTICIPLE = /(?:ed|ing)$|^put$/
const MEASURE_GOES_ON = /^(?:or|and) (?:less|more|over|under|above|below|wider|longer|thicker|heavier)(?![\p{L}])/u
const PREPOSITIONS = new Set(
  'of in for with from by to on at as than without containing having من في على عن إلى مع بدون بلا ذات ذو'.split(' '),
)

/**
 * The beginning of a text, as `firstClause` or `firstWords` returned it, up to the end of a phrase: "fabrics of synthetic" for
 * "fabrics of synthetic fibres" becomes "fabrics". '' if no phrase ends in it.
 */
export function wholePhrases(text: string, beginning: string): string {
  if (beginning === '' || beginning.length === text.length || endsPhrase(beginning, text.slice(beginning.length)))
    return beginning
  const words = beginning.split(' ')
  let end = words.length - 1
  while (end > 0 && !PREPOSITIONS.has(words[end].toLowerCase())) end--
  return withoutLooseEnd(words.slice(0, end).join(' '))
}

function endsPhrase(beginning: string, rest: string): boolean {
  if (rest[0] !== ' ') return CLAUSE.includes(rest[0]) || rest[0] === '.'
  const following = rest.trimStart()
  if (MEASURE_GOES_ON.test(following)) return false
  const next = following.split(' ', 1)[0]
  const last = beginning.slice(beginning.lastIndexOf(' ') + 1)
  if (CLAUSE.includes(next[0]) || LINKING.has(next.toLowerCase())) return true
  if (!ARABIC.test(next)) return PARTICIPLE.test(next)
  // a noun without an article belongs to a following noun that has an article; adjectives may be left out
  return !next.startsWith('ال') || last.startsWith('ال')
}

/** Removes punctuation, linking words and unclosed brackets at the end. */
export function withoutLooseEnd(text: string): string {
  let kept = text
  for (;;) {
    kept = kept.trimEnd()
    if (SUSPENDED.test(kept)) kept = kept.slice(0, Math.max(0, kept.lastIndexOf(' ')))
    let end = kept.length
    while (end > 0 && MARKS.includes(kept[end - 1])) end--
    kept = kept.slice(0, end)
    const open = openBracket(kept)
    if (open >= 0) {
      kept = kept.slice(0, open)
      continue
    }
    if (LIMIT.test(kept) && /\d/.test(kept.split(' ').slice(-LIMIT_WORDS).join(' '))) return kept
    const space = kept.lastIndexOf(' ')
    const last = kept.slice(space + 1).toLowerCase()
    if (!LINKING.has(last)) return kept
    kept = kept.slice(0, Math.max(0, space))
    if (kept === '') return ''
  }
}

/** The index of the first bracket that is not closed, or -1. */
function openBracket(text: string): number {
  const open: number[] = []
  for (let i = 0; i < text.length; i++) {
    if (OPENING.startsWith(text[i])) open.push(i)
    else if (text[i] === ')') open.pop()
  }
  return open[0] ?? -1
}
