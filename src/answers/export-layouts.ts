/** Columns of the tables that other programs, such as Odoo, import: one entry per program. */
import { firstWords, lengthOf } from '../text/shortened.js'
import type { ExportRow, Language } from './shapes.js'

interface LayoutColumn {
  name: string
  kind: 'text' | 'code' | 'flag'
  /** Maximum number of code points that the program accepts; a longer text is shortened between words. */
  charsMax?: number
  value(row: ExportRow, language: Language): string | boolean
}

interface Layout {
  /** The program and model that import the table, shown in the help. */
  program: string
  columns: readonly LayoutColumn[]
}

const code = (row: ExportRow) => row.hs_code
const description = (row: ExportRow, language: Language) => row[`description_${language}`]

export const EXPORT_LAYOUTS = {
  odoo: {
    program: 'Odoo with product_harmonized_system of the OCA (hs.code)',
    columns: [
      { name: 'local_code', kind: 'code', value: code },
      { name: 'description', kind: 'text', charsMax: 100, value: description },
      { name: 'long_description', kind: 'text', value: description },
      { name: 'active', kind: 'flag', value: row => row.is_active },
    ],
  },
  erpnext: {
    program: 'ERPNext (Customs Tariff Number)',
    columns: [
      { name: 'tariff_number', kind: 'code', charsMax: 140, value: code },
      { name: 'description', kind: 'text', charsMax: 140, value: description },
    ],
  },
  'business-central': {
    program: 'Microsoft Dynamics 365 Business Central (Tariff Number)',
    columns: [
      { name: 'No.', kind: 'code', charsMax: 20, value: code },
      { name: 'Description', kind: 'text', charsMax: 100, value: description },
      { name: 'Supplementary Units', kind: 'flag', value: row => row.unit !== null && row.unit !== 'kg' },
    ],
  },
} as const satisfies Readonly<Record<string, Layout>>

export type LayoutName = keyof typeof EXPORT_LAYOUTS
export const LAYOUT_NAMES = Object.keys(EXPORT_LAYOUTS) as LayoutName[]

export const layoutOf = (name: LayoutName): Layout => EXPORT_LAYOUTS[name]

/** The cells of a row. A cell that cannot be shortened to the maximum length is '', and `tooLong` names its column. */
export function layoutCells(
  { columns }: Layout,
  row: ExportRow,
  language: Language,
): { cells: (string | boolean)[]; tooLong?: string } {
  let tooLong: string | undefined
  const cells = columns.map(({ name, kind, charsMax = Number.POSITIVE_INFINITY, value }) => {
    const cell = value(row, language)
    if (typeof cell !== 'string' || lengthOf(cell) <= charsMax) return cell
    const shortened = kind === 'text' ? firstWords(cell, charsMax) : ''
    if (shortened === '') tooLong ??= name
    return shortened
  })
  return { cells, ...(tooLong !== undefined && { tooLong }) }
}
