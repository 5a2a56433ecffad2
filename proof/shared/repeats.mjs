/** Texts that make a careless regular expression backtrack: many repetitions, then an end that does not match. */

/** Text that this program's regular expressions look for: words for a code, digits, separators, letters. */
const PIECES = [
  ...['hscode', 'hs', 'code', 'codes', 'heading', 'no.', 'رمز', 'التعرفه', 'غيرها'],
  ...['0', '1', '12 ', '8471.', '0.0', '1e', '٨', 'a', 'ab', 'Aa-', 'ا', 'ـ', 'é'],
  ...[' ', ': ', '.', '-', ',', ';', '(', ')', "'", '"', '/', '*', '%', '=', '\t', '\u200f', '&'],
]
const ENDS = ['', 'x', 'x1', '1', ' 1', '!', 'ا']

/** @param {import('./random.mjs').Random} random */
export function repeatedText(random, charsMax) {
  const piece = random.chance(0.5) ? random.pick(PIECES) : random.pick(PIECES) + random.pick(PIECES)
  const end = random.pick(ENDS)
  const timesMax = Math.max(1, Math.floor((charsMax - end.length) / piece.length))
  return piece.repeat(random.chance(0.5) ? timesMax : random.between(1, timesMax)) + end
}
