/** Tables for people: columns that stay columns, whatever the letters. */

/** What a terminal acts upon instead of showing it: control characters, ends of lines, and changes of direction. */
export const STEERING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** A line for a terminal, whatever a file holds; JSON stays the same JSON. */
export function harmless(line: string): string {
  return line.replace(STEERING, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Marks stand on the letter before them, joiners are not seen. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu
const TWO_CELLS =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  const seen = text.replace(WITHOUT_WIDTH, '')
  return [...seen].length + (seen.match(TWO_CELLS)?.length ?? 0)
}

/** Lines of so many cells, broken between words; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const GAP = 2
/** Narrower than this a column of words is no help. */
const LAST_COLUMN_MIN = 20

export interface Column {
  title: string
  /** Numbers stand at the right. */
  right?: boolean
}

/**
 * Lines of a table. The last column holds the long words, Arabic among them: nothing stands behind it that its direction
 * could move, and it alone is broken into lines where the terminal is narrow.
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], terminal = stdoutWidth()): string[] {
  const titles = columns.map(({ title }) => title)
  const safe = rows.map(row => row.map(harmless))
  const all = titles.some(title => title !== '') ? [titles, ...safe] : safe
  const before = columns.slice(0, -1)
  const widths = before.map((_, i) => Math.max(...all.map(row => widthOf(row[i]))))
  const indent = widths.reduce((sum, width) => sum + width + GAP, 0)
  const room = terminal === undefined ? Number.POSITIVE_INFINITY : Math.max(terminal - indent, LAST_COLUMN_MIN)
  return all.flatMap((row, at) => {
    const start = before.map(({ right = false }, i) => {
      const text = row[i]
      const blanks = ' '.repeat(widths[i] - widthOf(text))
      return (right ? blanks + text : text + blanks) + ' '.repeat(GAP)
    })
    const [first = '', ...rest] = wrap(row[before.length], room)
    const lines = [start.join('') + first, ...rest.map(line => ' '.repeat(indent) + line)].map(line => line.trimEnd())
    return all.length > rows.length && at === 0 ? lines.map(bold) : lines
  })
}

/** Undefined where standard output is no terminal, or one that does not tell. */
function stdoutWidth(): number | undefined {
  const width = process.stdout.isTTY ? process.stdout.columns : 0
  return width === 0 ? undefined : width
}

/** No colours beyond this; none at all in a file, nor where NO_COLOR is set to anything. */
export function bold(text: string): string {
  const isWanted = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === ''
  return isWanted ? `\u001b[1m${text}\u001b[22m` : text
}
