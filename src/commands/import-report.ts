import { escapeControls } from '../control-characters.js'
import type { Print } from './command.js'

const LINES_SHOWN_MAX = 10

export function printLines(title: string, lines: { line: number; why: string }[], print: Print): void {
  if (lines.length === 0) return
  print(`${title}: ${lines.length}`)
  for (const { line, why } of lines.slice(0, LINES_SHOWN_MAX)) print(`  line ${line}: ${escapeControls(why)}`)
  if (lines.length > LINES_SHOWN_MAX) print(`  … and ${lines.length - LINES_SHOWN_MAX} more`)
}
