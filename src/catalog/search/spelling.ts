/** Typing mistakes: a letter replaced, left out or added, two neighbours swapped, letters doubled or not. */

/** Whether `b` may be meant by someone who typed `a`. Letters that are only doubled wrongly are one mistake, however many. */
export function isMistyped(a: string, b: string, mistakes: number): boolean {
  return isWithin(a, b, mistakes) || (mistakes > 0 && isSameUndoubled(a, b))
}

/** Whether `mistakes` edits turn `a`, from `i` on, into `b`, from `j` on. */
export function isWithin(a: string, b: string, mistakes: number, i = 0, j = 0): boolean {
  let x = i
  let y = j
  while (x < a.length && y < b.length && a[x] === b[y]) {
    x++
    y++
  }
  if (x === a.length && y === b.length) return true
  if (mistakes === 0) return false
  const left = mistakes - 1
  const isSwapped = x + 1 < a.length && a[x] === b[y + 1] && a[x + 1] === b[y]
  return (
    isWithin(a, b, left, x + 1, y + 1) ||
    isWithin(a, b, left, x + 1, y) ||
    isWithin(a, b, left, x, y + 1) ||
    (isSwapped && isWithin(a, b, left, x + 2, y + 2))
  )
}

/** Whether two words are the same but for letters that one of them doubles: broccoli and brocolli. */
function isSameUndoubled(a: string, b: string): boolean {
  let x = 0
  let y = 0
  while (x < a.length && y < b.length && a[x] === b[y]) {
    const letter = a[x]
    while (a[x] === letter) x++
    while (b[y] === letter) y++
  }
  return x === a.length && y === b.length
}
