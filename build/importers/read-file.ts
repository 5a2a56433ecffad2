/** Reads a tariff file with a layout; refuses files that have another layout or cells it does not understand. */
import { OperatorError, UnmetError } from '../../src/errors.js'
import { type Progress, readTable } from '../../src/tables/table.js'
import { type ColumnMap, cellsByRole, emptyResult, type Layout, type LayoutResult, type TariffLine } from './layout.js'

const REFUSALS_SHOWN_MAX = 20

export interface FileToRead {
  file: string
  layout: Layout
  map: ColumnMap
  progress: Progress
}

export async function readTariffFile({
  file,
  layout,
  map,
  progress,
}: FileToRead): Promise<{ rowsRead: number; result: LayoutResult }> {
  const result = emptyResult()
  const reader = layout.read(result)
  const rowsRead = await readTable(file, progress, header => {
    const cellsOf = cellsByRole(header, layout, map, file)
    return row => reader.row(cellsOf(row))
  })
  reader.end()
  result.lines = withoutRepeated(result.lines, result)
  refuseUnreadableRows(file, result)
  if (result.entries.length === 0 || result.skipped.length > rowsRead / 2) {
    const example = result.skipped[0]
    throw new OperatorError(
      `${file}: this does not look like the layout ${layout.name}: ${result.skipped.length} of ${rowsRead} rows ` +
        `have no code in its form${example ? ` (line ${example.line}: ${example.why})` : ''}`,
    )
  }
  return { rowsRead, result }
}

/** A line that is repeated with the same duty is accepted; two different duties for a line are an error. */
function withoutRepeated(lines: TariffLine[], { refused }: LayoutResult): TariffLine[] {
  const first = new Map<string, TariffLine>()
  for (const line of lines) {
    const known = first.get(line.code)
    if (known === undefined) first.set(line.code, line)
    else if (known.rate !== line.rate || known.status !== line.status)
      refused.push({ line: line.line, why: `${line.code} has another duty at line ${known.line}` })
  }
  return [...first.values()]
}

function refuseUnreadableRows(file: string, { refused }: LayoutResult): void {
  if (refused.length === 0) return
  const shown = refused
    .sort((a, b) => a.line - b.line)
    .slice(0, REFUSALS_SHOWN_MAX)
    .map(({ line, why }) => `${file}:${line}: ${why}`)
  if (refused.length > shown.length) shown.push(`… and ${refused.length - shown.length} more`)
  throw new UnmetError(`${shown.join('\n')}\n${file}: nothing was written`)
}
