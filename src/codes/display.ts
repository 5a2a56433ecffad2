/** Customs papers write the digits of a code in groups of these lengths. */
const GROUPS = [4, 2, 2, 2, 4]
const GROUPS_OF_TWELVE = [4, 2, 2, 4]

/** 852321000000 → 8523, 21, 00, 0000. */
export function codeGroups(digits: string): string[] {
  const groups: string[] = []
  let from = 0
  for (const length of digits.length === 12 ? GROUPS_OF_TWELVE : GROUPS) {
    if (from < digits.length) groups.push(digits.slice(from, from + length))
    from += length
  }
  if (from < digits.length) groups.push(digits.slice(from))
  return groups
}
