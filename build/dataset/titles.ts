/** dataset/titles/NN.csv: product titles as people write them, each with its subheading. They train the classifier. */
import type { Defect } from './defect.js'
import type { Row } from './rows.js'
import { parseTable } from './table.js'

export const TITLES = 'titles/'
const CODE_DIGITS = 6
const TITLE_CHARS_MAX = 500

export interface TitleRow {
  hs_code: string
  title: string
  file: string
  line: number
}

export function parseTitles(text: string, file: string, defects: Defect[]): TitleRow[] {
  return parseTable(text, file, ['hs_code', 'title'] as const, defects).map(({ hs_code, title, line }) => {
    const report = (message: string) => defects.push({ file, line, message })
    if (title.trim() === '') report('the title is missing')
    if (title.length > TITLE_CHARS_MAX) report(`the title is longer than ${TITLE_CHARS_MAX} characters`)
    return { hs_code, title, file, line }
  })
}

export function checkTitles(titles: readonly TitleRow[], rows: readonly Row[]): Defect[] {
  const codes = new Set(rows.map(({ hs_code }) => hs_code).filter(code => code.length === CODE_DIGITS))
  const seen = new Map<string, TitleRow>()
  const defects: Defect[] = []
  for (const row of titles) {
    const { hs_code, title, file, line } = row
    if (!codes.has(hs_code)) defects.push({ file, line, message: `${hs_code} is not a subheading of the dataset` })
    const first = seen.get(title)
    if (first !== undefined) defects.push({ file, line, message: `the title is already in ${first.file}:${first.line}` })
    else seen.set(title, row)
  }
  return defects
}
