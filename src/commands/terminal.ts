/** Prints text for terminals: without control characters, and in aligned tables. */
import { escapeControls } from '../control-characters.js'
import type { Print } from './command.js'

/** Combining marks and joiners, which take no column on a terminal. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu

export function widthOf(text: string): number {
  const visible = text.replace(ZERO_WIDTH, '')
  return [...visible].length + (visible.match(DOUBLE_WIDTH)?.length ?? 0)
}

/** Breaks a text between words; a word that is too long gets its own line. */
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
/** Minimum width of the last column when it is wrapped. */
const LAST_COLUMN_MIN = 20

export interface Column {
  title?: string
  right?: boolean
}

export function printTable(columns: readonly Column[], rows: readonly (readonly string[])[], print: Print): void {
  for (const line of table(columns, rows)) print(line)
}

/** Wraps only the last column, which contains long text. Right-to-left text there cannot disturb other columns. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], terminal = stdoutWidth()): string[] {
  const titles = columns.map(({ title = '' }) => title)
  const safe = rows.map(row => row.map(escapeControls))
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

/** Returns the width of the terminal; undefined if standard output is not one. */
function stdoutWidth(): number | undefined {
  const width = process.stdout.isTTY ? process.stdout.columns : 0
  return width === 0 ? undefined : width
}

/** Makes text bold, but only on a terminal, and not if NO_COLOR is set. */
export function bold(text: string): string {
  const isWanted = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === ''
  return isWanted ? `\u001b[1m${text}\u001b[22m` : text
}
