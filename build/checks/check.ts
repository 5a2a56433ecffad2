/** Checks rows and reports every defect at once, so that one run shows everything to fix. */

import { isCode } from '../../src/codes/code.js'
import { chapterOf } from '../../src/codes/levels.js'
import { checkAttributes } from '../dataset/attributes.js'
import { checkBrands } from '../dataset/brands.js'
import { checkChanges, checkNewestRelease } from '../dataset/changes.js'
import { checkControls } from '../dataset/controls.js'
import type { Defect } from '../dataset/defect.js'
import { checkEditions, EDITIONS_FILE } from '../dataset/editions.js'
import type { Manifest } from '../dataset/manifest.js'
import { checkMaterials } from '../dataset/materials.js'
import { checkNextEdition, NEXT_EDITION_FILE } from '../dataset/next-edition.js'
import { checkNotes, NOTES_FILE } from '../dataset/notes.js'
import { longestLines } from '../dataset/parents.js'
import { checkPointers, POINTERS_FILE } from '../dataset/pointers.js'
import { checkRateSources, RATE_SOURCES_FILE } from '../dataset/rate-sources.js'
import type { Dataset } from '../dataset/read.js'
import type { Row } from '../dataset/rows.js'
import { checkSections, SECTIONS_FILE } from '../dataset/sections.js'
import { findStrayCharacter, STRAY_CHARACTER } from '../dataset/stray-characters.js'
import { checkTitles } from '../dataset/titles.js'
import { checkUnits, UNITS_FILE } from '../dataset/units.js'
import { CodeList, checkCountries } from './countries.js'
import { checkExcludedKeywords } from './excluded-keywords.js'
import { checkHouseRules } from './house-rules.js'
import { checkHouseStyle } from './house-style.js'

const RATE = /^\d{1,4}(\.\d{1,4})?$/
/** Longer than any description in an official tariff. Limits the size of a record in an answer. */
export const DESCRIPTION_CHARS_MAX = 1000

function checkRow(row: Row, manifest: Manifest, report: (message: string) => void): void {
  if (!isCode(row.hs_code)) {
    report(`"${row.hs_code}" is not an HS code: 2 to 14 digits without dots or spaces`)
  } else if (!row.file.endsWith(`/${chapterOf(row.hs_code)}.csv`)) {
    report(`${row.hs_code} belongs in chapters/${chapterOf(row.hs_code)}.csv`)
  }
  const mayMiss = manifest.missing_languages ?? []
  if (row.description_en.trim() === '' && !mayMiss.includes('en')) report('the English description is missing')
  if (row.description_ar.trim() === '' && !mayMiss.includes('ar')) report('the Arabic description is missing')
  if (row.tariff_rate !== '' && !RATE.test(row.tariff_rate)) {
    report(`the rate "${row.tariff_rate}" is not a percentage such as 5 or 6.5`)
  }
  if (!['', 'true', 'false'].includes(row.is_active)) report(`is_active is "${row.is_active}", not true, false or blank`)
  for (const name of ['description_en', 'description_ar', 'keywords_en', 'keywords_ar'] as const) {
    const text = row[name]
    const stray = findStrayCharacter(text, STRAY_CHARACTER)
    if (stray !== undefined) report(`${name} has ${stray}`)
    if (name.startsWith('description') && text.length > DESCRIPTION_CHARS_MAX) {
      report(`${name} is longer than ${DESCRIPTION_CHARS_MAX} characters`)
    }
    if (name.startsWith('keywords') && text.split(';').some(one => one.length > DESCRIPTION_CHARS_MAX)) {
      report(`${name} has a phrase of more than ${DESCRIPTION_CHARS_MAX} characters`)
    }
    if (text !== text.trim()) report(`${name} begins or ends with a space`)
  }
}

/** Checks the tables in addition to the chapter files. Our own dataset must have all of them. */
function checkTables(dataset: Dataset): Defect[] {
  const {
    rows,
    manifest,
    rateSources,
    sections,
    editions,
    nextEdition,
    materials,
    units,
    unitNames = [],
    notes,
    pointers,
  } = dataset
  const defects: Defect[] = []
  const missing = (file: string) => defects.push({ file, line: 1, message: 'the file is missing' })
  if (rateSources !== undefined) defects.push(...checkRateSources(rateSources, rows))
  else if (manifest.house_style === true) missing(RATE_SOURCES_FILE)
  if (sections !== undefined) defects.push(...checkSections(sections, rows))
  else if (manifest.house_style === true) missing(SECTIONS_FILE)
  if (editions !== undefined) defects.push(...checkEditions(editions, rows))
  else if (manifest.house_style === true) missing(EDITIONS_FILE)
  if (nextEdition !== undefined) defects.push(...checkNextEdition(nextEdition, rows))
  else if (manifest.house_style === true) missing(NEXT_EDITION_FILE)
  if (units !== undefined) defects.push(...checkUnits(units, unitNames, rows))
  else if (manifest.house_style === true) missing(UNITS_FILE)
  if (notes !== undefined) defects.push(...checkNotes(notes, rows, sections))
  else if (manifest.house_style === true) missing(NOTES_FILE)
  if (pointers !== undefined) defects.push(...checkPointers(pointers, rows))
  else if (manifest.house_style === true) missing(POINTERS_FILE)
  defects.push(...checkChanges(dataset.releases ?? [], dataset.changes ?? []))
  defects.push(...checkControls(dataset.controlTables, rows, manifest))
  if (materials !== undefined) defects.push(...checkMaterials(materials, rows))
  defects.push(...checkAttributes(dataset.attributes ?? [], dataset.attributeValues ?? [], rows))
  defects.push(...checkBrands(dataset.brands ?? [], rows))
  defects.push(...checkTitles(dataset.titles ?? [], rows))
  if (dataset.countries !== undefined)
    defects.push(...checkCountries(dataset.countries, new CodeList(longestLines(rows, manifest.line_digits))))
  return defects
}

/** Finds defects that stop the build or would make an answer wrong. */
export function checkCompilable(dataset: Dataset): Defect[] {
  const { rows, manifest, defects: found } = dataset
  const defects = [...found]
  const byCode = new Map<string, Row>()
  for (const row of rows) {
    const report = (message: string) => defects.push({ file: row.file, line: row.line, message })
    checkRow(row, manifest, report)
    const first = byCode.get(row.hs_code)
    if (first === undefined) byCode.set(row.hs_code, row)
    else report(`${row.hs_code} is already at ${first.file}:${first.line}`)
  }
  for (const row of byCode.values()) {
    const code = row.hs_code
    if (!isCode(code)) continue
    const report = (message: string) => defects.push({ file: row.file, line: row.line, message })
    let parent = ''
    let rated = row.tariff_rate !== ''
    for (let n = 2; n < code.length; n++) {
      const ancestor = byCode.get(code.slice(0, n))
      if (ancestor === undefined) continue
      parent = ancestor.hs_code
      rated ||= ancestor.tariff_rate !== ''
    }
    if (code.length > 2 && parent === '') report(`${code} is an orphan: no shorter code of its chapter exists`)
    else if (!rated) report(`${code} has no rate, and none to inherit from a shorter code`)
  }
  return inOrder([...defects, ...checkTables(dataset)])
}

/** Runs all checks. House rules run only for our own dataset: they take as long as compiling and do not affect answers. */
export function checkDataset(dataset: Dataset): Defect[] {
  const { rows, manifest } = dataset
  const defects = checkCompilable(dataset)
  if (manifest.house_style !== true) return defects
  // house rules rely on valid codes and rates
  const rules = defects.length === 0 ? checkHouseRules(dataset) : []
  const newest = checkNewestRelease(dataset.releases, manifest.version)
  return inOrder([...defects, ...rules, ...newest, ...checkHouseStyle(rows, manifest), ...checkExcludedKeywords(dataset)])
}

function inOrder(defects: Defect[]): Defect[] {
  return defects.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
}
