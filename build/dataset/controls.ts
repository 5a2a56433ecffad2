/**
 * dataset/controls.csv: which goods may not be imported, or only with a permit or a certificate. Reasons and sources repeat, so
 * rows refer to control-reasons.csv and control-sources.csv. A control also holds for the codes below its prefix.
 */

import { padded } from '../../src/codes/levels.js'
import { isDay } from '../../src/day.js'
import {
  CONTROL_CERTAINTIES,
  CONTROL_KINDS,
  CONTROL_SCOPES,
  type Control,
  type ControlReason,
} from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { checkBothLanguages } from './both-languages.js'
import { KeyedLists } from './code-pairs.js'
import type { Defect } from './defect.js'
import type { Manifest } from './manifest.js'
import { undividedCodes } from './parents.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const CONTROLS_FILE = 'controls.csv'
export const CONTROL_REASONS_FILE = 'control-reasons.csv'
export const CONTROL_SOURCES_FILE = 'control-sources.csv'

const COLUMNS = ['scope', 'prefix', 'kind', 'authority', 'reason', 'source', 'date', 'certainty'] as const

export type ControlRow = Record<(typeof COLUMNS)[number], string> & { line: number }

/** `reason` and `source` are the keys that rows refer to. */
export interface ReasonRow extends ControlReason {
  reason: string
  line: number
}

export interface SourceRow {
  source: string
  text: string
  line: number
}

export function parseControls(text: string, defects: Defect[]): ControlRow[] {
  const rows = parseTable(text, CONTROLS_FILE, COLUMNS, defects)
  const seen = new Map<string, number>()
  for (const { scope, prefix, kind, authority, reason, date, certainty, line } of rows) {
    const report = (message: string) => defects.push({ file: CONTROLS_FILE, line, message })
    const known = (name: string, value: string, values: readonly string[]) => {
      if (!values.includes(value)) report(`the ${name} is "${value}", not one of ${values.join(', ')}`)
    }
    known('scope', scope, CONTROL_SCOPES)
    known('kind', kind, CONTROL_KINDS)
    known('certainty', certainty, CONTROL_CERTAINTIES)
    if (!isDay(date)) report(`the date "${date}" is not a date such as 2026-11-15`)
    const control = [scope, prefix, kind, authority, reason].join()
    const first = seen.get(control)
    if (first !== undefined) report(`the control is already at line ${first}`)
    seen.set(control, line)
  }
  return rows
}

export function parseControlReasons(text: string, defects: Defect[]): ReasonRow[] {
  const rows = parseTable(text, CONTROL_REASONS_FILE, ['reason', 'en', 'ar'] as const, defects)
  for (const { en, ar, line } of rows)
    checkBothLanguages('reason', en, ar, message => defects.push({ file: CONTROL_REASONS_FILE, line, message }))
  return rows
}

export function parseControlSources(text: string, defects: Defect[]): SourceRow[] {
  const rows = parseTable(text, CONTROL_SOURCES_FILE, ['source', 'text'] as const, defects)
  for (const row of rows)
    if (row.text.trim() === '') defects.push({ file: CONTROL_SOURCES_FILE, line: row.line, message: 'the text is missing' })
  return rows
}

export interface ControlTables {
  controls: readonly ControlRow[]
  reasons: readonly ReasonRow[]
  sources: readonly SourceRow[]
}

export function checkControls({ controls, reasons, sources }: ControlTables, rows: readonly Row[], manifest: Manifest): Defect[] {
  const defects: Defect[] = []
  const codes = existingCodes(rows, manifest.line_digits)
  for (const { prefix, line } of controls)
    if (!codes.has(prefix)) defects.push({ file: CONTROLS_FILE, line, message: `${prefix} is not a code of the dataset` })
  const reasonKeys = reasons.map(({ reason, line }) => ({ key: reason, line }))
  const sourceKeys = sources.map(({ source, line }) => ({ key: source, line }))
  return [
    ...defects,
    ...checkKeys('reason', controls, reasonKeys, CONTROL_REASONS_FILE),
    ...checkKeys('source', controls, sourceKeys, CONTROL_SOURCES_FILE),
  ]
}

/** The codes of the rows, and the padded lines that the build adds to undivided codes. */
function existingCodes(rows: readonly Row[], lineDigits: readonly number[]): Set<string> {
  const codes = new Set(rows.map(({ hs_code }) => hs_code))
  for (const hs_code of undividedCodes(rows)) {
    for (const digits of lineDigits) if (digits > hs_code.length) codes.add(padded(hs_code, digits))
  }
  return codes
}

/** Checks that every key that controls refer to is defined once, and that every defined key is used. */
function checkKeys(
  column: 'reason' | 'source',
  controls: readonly ControlRow[],
  defined: readonly { key: string; line: number }[],
  file: string,
): Defect[] {
  const defects: Defect[] = []
  const used = new Set(controls.map(row => row[column]))
  const known = new Set<string>()
  for (const { key, line } of defined) {
    if (known.has(key)) defects.push({ file, line, message: `the ${column} ${key} is listed twice` })
    else if (!used.has(key)) defects.push({ file, line, message: `no control has the ${column} ${key}` })
    known.add(key)
  }
  for (const row of controls)
    if (!known.has(row[column]))
      defects.push({ file: CONTROLS_FILE, line: row.line, message: `the ${column} "${row[column]}" is not in ${file}` })
  return defects
}

export interface BuiltControls {
  /** Each distinct control once. */
  controls: Control[]
  controlReasons: ControlReason[]
  controlSources: string[]
  columns: Pick<Columns, 'controlRecord' | 'controlAt' | 'control'>
}

/** The controls of each record that has some of its own, in the order of the file. */
export function buildControls(
  { controls: rows, reasons, sources }: ControlTables,
  recordOf: ReadonlyMap<string, number>,
): BuiltControls {
  const controls: Control[] = []
  const places = new Map<string, number>()
  const byRecord = new Map<number, number[]>()
  for (const { prefix, line: _, ...row } of rows) {
    const key = Object.values(row).join('\n')
    const place = places.get(key) ?? controls.push(controlOf(row, reasons, sources)) - 1
    places.set(key, place)
    const record = recordOf.get(prefix) as number
    byRecord.set(record, [...(byRecord.get(record) ?? []), place])
  }
  const lists = new KeyedLists()
  for (const [record, own] of [...byRecord].sort(([a], [b]) => a - b)) lists.push(record, own)
  return {
    controls,
    controlReasons: reasons.map(({ en, ar }) => ({ en, ar })),
    controlSources: sources.map(({ text }) => text),
    columns: {
      controlRecord: Uint32Array.from(lists.keys),
      controlAt: lists.starts(),
      control: Uint16Array.from(lists.values),
    },
  }
}

function controlOf(
  { scope, kind, authority, reason, source, date, certainty }: Omit<ControlRow, 'prefix' | 'line'>,
  reasons: readonly ReasonRow[],
  sources: readonly SourceRow[],
): Control {
  return {
    scope: scope as Control['scope'],
    kind: kind as Control['kind'],
    authority,
    reason: reasons.findIndex(row => row.reason === reason),
    source: sources.findIndex(row => row.source === source),
    date,
    certainty: certainty as Control['certainty'],
  }
}
