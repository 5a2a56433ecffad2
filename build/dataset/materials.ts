/** dataset/materials.csv: for each material, the heading of articles of that material that no other heading covers. */
import type { Stemmer } from '../../src/text/terms.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const MATERIALS_FILE = 'materials.csv'

export interface MaterialRow {
  hs_code: string
  /** The material's names as terms of the index; names of several terms are reported and left out. */
  terms: string[]
  line: number
}

export function parseMaterials(text: string, defects: Defect[], stemmer: Stemmer): MaterialRow[] {
  const seen = new Map<string, number>()
  return parseTable(text, MATERIALS_FILE, ['hs_code', 'terms'] as const, defects).map(row => {
    const report = (message: string) => defects.push({ file: MATERIALS_FILE, line: row.line, message })
    const names = new Set<string>()
    for (const name of row.terms.split(';')) {
      const [term, ...more] = stemmer.terms(name)
      if (term === undefined) report('a name has no letters')
      else if (more.length > 0) report(`"${name.trim()}" has several words; a material must be one word`)
      else names.add(term)
    }
    for (const name of names) {
      const first = seen.get(name)
      if (first !== undefined) report(`"${name}" is already in line ${first}`)
      seen.set(name, row.line)
    }
    return { hs_code: row.hs_code, terms: [...names], line: row.line }
  })
}

export function checkMaterials(materials: readonly MaterialRow[], rows: readonly Row[]): Defect[] {
  const codes = new Set(rows.map(({ hs_code }) => hs_code))
  return materials
    .filter(({ hs_code }) => !codes.has(hs_code))
    .map(({ hs_code, line }) => ({
      file: MATERIALS_FILE,
      line,
      message: `the code ${hs_code} is not in the dataset`,
    }))
}

/** Terms of the index that name a material, in ascending order, and the record of each. */
export function buildMaterials(
  materials: readonly MaterialRow[],
  placeOf: (term: string) => number | undefined,
  recordOf: ReadonlyMap<string, number>,
) {
  const found = materials.flatMap(({ hs_code, terms }) => {
    const record = recordOf.get(hs_code)
    if (record === undefined) return []
    return terms.flatMap(term => {
      const place = placeOf(term)
      return place === undefined ? [] : [{ place, record }]
    })
  })
  found.sort((a, b) => a.place - b.place)
  return {
    materialTerm: Uint32Array.from(found, ({ place }) => place),
    materialRecord: Uint32Array.from(found, ({ record }) => record),
  }
}
