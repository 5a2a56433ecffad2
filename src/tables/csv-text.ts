/** Cells → CSV. Whatever a cell holds, a reader gets it back as it was. */

/** By separator: what can stand in quotes alone. Either sign of a line's end is one to some reader. */
const SPECIAL: Readonly<Record<string, RegExp>> = { ',': /[",\r\n]/, ';': /[";\r\n]/, '\t': /["\t\r\n]/ }

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** `separator` is a comma, a semicolon or a tab. */
export function csvCells(cells: readonly string[], separator = ','): string {
  const special = SPECIAL[separator] as RegExp
  let line = ''
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] as string
    if (i > 0) line += separator
    line += special.test(cell) ? quoted(cell) : cell
  }
  return line
}
