/** Typos: a letter replaced, missing or added, two neighbours swapped, a letter doubled or a double letter missing. */

/** Whether `a` may be a misspelling of `b`. Any number of wrongly doubled letters counts as one typo. */
export function isMistyped(a: string, b: string, typos: number): boolean {
  return isWithin(a, b, typos) || (typos > 0 && isSameUndoubled(a, b))
}

/** Whether at most `typos` edits turn the rest of `a` into the rest of `b`. */
export function isWithin(a: string, b: string, typos: number, i = 0, j = 0): boolean {
  let x = i
  let y = j
  while (x < a.length && y < b.length && a[x] === b[y]) {
    x++
    y++
  }
  if (x === a.length && y === b.length) return true
  if (typos === 0) return false
  const left = typos - 1
  const isSwapped = x + 1 < a.length && a[x] === b[y + 1] && a[x + 1] === b[y]
  return (
    isWithin(a, b, left, x + 1, y + 1) ||
    isWithin(a, b, left, x + 1, y) ||
    isWithin(a, b, left, x, y + 1) ||
    (isSwapped && isWithin(a, b, left, x + 2, y + 2))
  )
}

/** Whether words are equal except for doubled letters: broccoli and brocolli. */
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
