/** dataset/brands.csv: names of brands and product lines, with the codes of their goods. */
import { isCode } from '../../src/codes/code.js'
import { HEADING_DIGITS, SUBHEADING_DIGITS } from '../../src/codes/levels.js'
import { BRAND_KINDS, type Brand } from '../../src/snapshot/format.js'
import { words } from '../../src/text/fold.js'
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const BRANDS_FILE = 'brands.csv'
const CODE_DIGITS: readonly number[] = [HEADING_DIGITS, SUBHEADING_DIGITS]
/** Maximum number of codes: with more, a brand would not help to find a code. */
const CODES_MAX = 12
const WORDS_MAX = 6

export interface BrandRow extends Brand {
  name: string
  line: number
}

export function parseBrands(text: string, defects: Defect[]): BrandRow[] {
  const seen = new Map<string, number>()
  return parseTable(text, BRANDS_FILE, ['name', 'aliases', 'codes', 'note'] as const, defects).map(row => {
    const { name, line } = row
    const report = (message: string) => defects.push({ file: BRANDS_FILE, line, message })
    if (name.trim() === '') report('the name is missing')
    const spellings = [...new Set([name, ...listOf(row.aliases)].map(one => words(one).join(' ')))]
    for (const spelling of spellings) {
      const first = seen.get(spelling)
      if (spelling === '') report('a name has no letters')
      else if (spelling.split(' ').length > WORDS_MAX) report(`"${spelling}" has more than ${WORDS_MAX} words`)
      else if (first !== undefined) report(`"${spelling}" is already in line ${first}`)
      seen.set(spelling, line)
    }
    const codes = listOf(row.codes)
    if (codes.length === 0) report('the codes are missing')
    if (codes.length > CODES_MAX) report(`there are more than ${CODES_MAX} codes`)
    if (new Set(codes).size < codes.length) report('a code is given twice')
    const kind = BRAND_KINDS.find(one => one === row.note)
    if (kind === undefined) report(`the note is "${row.note}", not line, word or blank`)
    return { name, spellings, codes, kind: kind ?? '', line }
  })
}

export function checkBrands(brands: readonly BrandRow[], rows: readonly Row[]): Defect[] {
  const known = new Set(rows.map(({ hs_code }) => hs_code))
  return brands.flatMap(({ codes, line }) =>
    codes
      .filter(code => !isCode(code) || !CODE_DIGITS.includes(code.length) || !known.has(code))
      .map(code => ({ file: BRANDS_FILE, line, message: `${code} is not a heading or subheading of the dataset` })),
  )
}

const listOf = (cell: string): string[] =>
  cell
    .split(';')
    .map(one => one.trim())
    .filter(one => one !== '')
