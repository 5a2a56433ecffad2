/** Shortens texts to the length of a field, between words. */

/** Words that cannot end a text. */
const LINKING = new Set(
  (
    'a an and as at but by for from if in into its not of on only or other per such than that the their to under up which with ' +
    'without whether also including excluding except over above below more less least most e.g. ' +
    'أو و من في على عن إلى مع بدون دون بلا عدا غير ما لا مثل حتى أي التي الذي كان كانت وإن سواء بين ذات ذو لم فوق تحت أقل أكثر'
  ).split(' '),
)
const OPENING = '([{"\'«“'
const MARKS = ' \u00a0,;:،؛.–—-/&+([{"\'«“'
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

/** Removes punctuation, linking words and unclosed brackets at the end. */
export function withoutLooseEnd(text: string): string {
  let kept = text
  for (;;) {
    let end = kept.length
    while (end > 0 && MARKS.includes(kept[end - 1])) end--
    kept = kept.slice(0, end)
    const open = openBracket(kept)
    if (open >= 0) {
      kept = kept.slice(0, open)
      continue
    }
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
