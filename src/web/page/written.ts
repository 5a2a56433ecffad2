/** How codes and rates are written, in pages and in what the server renders of them. */

/** As customs papers space them: heading, subheading, regional, national. */
const GROUPS = [4, 2, 2, 2, 4]
const GROUPS_OF_TWELVE = [4, 2, 2, 4]

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

/** Made when the first figure is written: it takes 20 ms, which the start of a server would wait for. */
let number: Intl.NumberFormat | undefined

export function figure(n: number): string {
  number ??= new Intl.NumberFormat('en')
  return number.format(n)
}

export const rateRange = (min: number, max: number) => (min === max ? `${figure(min)} %` : `${figure(min)}–${figure(max)} %`)

/** Which look a rate has; `highest` of the lines below a code. */
export const rateKind = (highest: number) => (highest === 0 ? 'free' : highest > 5 ? 'high' : 'plain')
