/** dataset/units.csv and unit-names.csv: the unit of quantity that a declaration uses, by subheading. */
import { SUBHEADING_DIGITS, subheadingOf } from '../../src/codes/levels.js'
import type { Unit } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { checkBothLanguages } from './both-languages.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const UNITS_FILE = 'units.csv'
export const UNIT_NAMES_FILE = 'unit-names.csv'
/** UN/ECE Recommendation 20: two or three capitals or digits. */
const UNECE_CODE = /^[A-Z0-9]{2,3}$/
/** Most certain first. */
const CERTAINTIES: readonly string[] = ['published', 'assumed'] satisfies Unit['certainty'][]

export interface UnitRow {
  /** A subheading. */
  code: string
  unit: string
  certainty: Unit['certainty']
  line: number
}

export interface UnitName {
  unit: string
  en: string
  ar: string
  /** Code of UN/ECE Recommendation 20; '' if the unit has none. */
  unece: string
  line: number
}

export function parseUnits(text: string, defects: Defect[]): UnitRow[] {
  const rows = parseTable(text, UNITS_FILE, ['hs_code', 'unit', 'certainty'] as const, defects)
  const seen = new Map<string, number>()
  return rows.map(({ hs_code: code, unit, certainty, line }) => {
    const report = (message: string) => defects.push({ file: UNITS_FILE, line, message })
    const first = seen.get(code)
    if (first !== undefined) report(`${code} already has a unit at line ${first}`)
    seen.set(code, line)
    if (!CERTAINTIES.includes(certainty)) report(`the certainty is "${certainty}", not one of ${CERTAINTIES.join(', ')}`)
    return { code, unit, certainty: certainty as Unit['certainty'], line }
  })
}

export function parseUnitNames(text: string, defects: Defect[]): UnitName[] {
  const rows = parseTable(text, UNIT_NAMES_FILE, ['unit', 'en', 'ar', 'unece'] as const, defects)
  const seen = new Set<string>()
  for (const { unit, en, ar, unece, line } of rows) {
    const report = (message: string) => defects.push({ file: UNIT_NAMES_FILE, line, message })
    if (seen.has(unit)) report(`the unit ${unit} is named twice`)
    seen.add(unit)
    checkBothLanguages('name', en, ar, report)
    if (unece !== '' && !UNECE_CODE.test(unece)) report(`the code "${unece}" is not one of UN/ECE Recommendation 20`)
  }
  return rows
}

export function checkUnits(units: readonly UnitRow[], names: readonly UnitName[], rows: readonly Row[]): Defect[] {
  const defects: Defect[] = []
  const subheadings = new Set(rows.map(row => row.hs_code).filter(code => code.length === SUBHEADING_DIGITS))
  const named = new Set(names.map(({ unit }) => unit))
  const used = new Set<string>()
  for (const { code, unit, line } of units) {
    const report = (message: string) => defects.push({ file: UNITS_FILE, line, message })
    used.add(unit)
    if (!subheadings.has(code)) report(`${code} is not a subheading of the dataset`)
    if (!named.has(unit)) report(`the unit "${unit}" has no name in ${UNIT_NAMES_FILE}`)
  }
  for (const { unit, line } of names)
    if (!used.has(unit)) defects.push({ file: UNIT_NAMES_FILE, line, message: `no code has the unit "${unit}"` })
  return defects
}

/** The fields of a record that `buildUnits` needs; children come after their parent. */
interface Member {
  code: string
  firstChild: number
  childCount: number
}

/**
 * Distinct pairs of unit and certainty, and for each record the number of its pair (from 1; 0 for none). Lines have the unit of
 * their subheading. A shorter code has a unit only if all codes below have the same one; it gets the lowest certainty of these
 * codes.
 */
export function buildUnits(
  rows: readonly UnitRow[],
  names: readonly UnitName[],
  records: readonly Member[],
): { units: Unit[]; unit: Columns['unit'] } {
  const units = distinctUnits(rows, names)
  const placeOf = ({ unit, certainty }: UnitRow) =>
    units.findIndex(other => other.code === unit && other.certainty === certainty) + 1
  const placeByCode = new Map(rows.map(row => [row.code, placeOf(row)]))
  const unit = new Uint8Array(records.length)
  for (let i = records.length - 1; i >= 0; i--) {
    const { code, firstChild, childCount } = records[i]
    if (code.length >= SUBHEADING_DIGITS) unit[i] = placeByCode.get(subheadingOf(code)) ?? 0
    else unit[i] = agreed(unit.subarray(firstChild, firstChild + childCount), units)
  }
  return { units, unit }
}

/** Sorted by certainty within a unit: a higher number is less certain. */
function distinctUnits(rows: readonly UnitRow[], names: readonly UnitName[]): Unit[] {
  const used = new Set(rows.map(({ unit, certainty }) => `${unit} ${certainty}`))
  return names.flatMap(({ unit, en, ar, unece }) =>
    (CERTAINTIES as Unit['certainty'][])
      .filter(certainty => used.has(`${unit} ${certainty}`))
      .map(certainty => ({ code: unit, en, ar, unece: unece || null, certainty })),
  )
}

function agreed(places: Uint8Array, units: readonly Unit[]): number {
  if (places.includes(0)) return 0
  const codes = new Set(Array.from(places, place => units[place - 1].code))
  return codes.size === 1 ? Math.max(...places) : 0
}
