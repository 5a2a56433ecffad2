/** Writes an Excel file with one sheet. Loaded when the visitor exports one. */
import { strToU8, zipSync } from 'fflate'

/** Text stays text, including digits with leading zeros. */
export type Cell = string | number

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const SCHEMAS = 'http://schemas.openxmlformats.org'
const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`
const RELATIONS = `${SCHEMAS}/officeDocument/2006/relationships`
const PACKAGE = `${SCHEMAS}/package/2006`
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Limit of the format. */
const CELL_CHARS_MAX = 32_767
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** The second cell style has the format "@": text that stays text when the cell is edited. */
const STYLES = `<styleSheet xmlns="${MAIN}">
<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
</styleSheet>`

const escaped = (text: string) =>
  text.slice(0, CELL_CHARS_MAX).replace(NOT_XML, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A, B, … Z, AA, … */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last
}

function cell(value: Cell, row: number, column: number): string {
  const place = `${columnName(column)}${row + 1}`
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`
  if (value === '') return ''
  return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

function sheet(rows: readonly (readonly Cell[])[], isRightToLeft: boolean): string {
  const lines = rows.map((cells, row) => `<row r="${row + 1}">${cells.map((value, at) => cell(value, row, at)).join('')}</row>`)
  const view = `<sheetView workbookViewId="0"${isRightToLeft ? ' rightToLeft="1"' : ''}/>`
  return `<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
const relations = (...all: string[]) => `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${TYPES}.${type}+xml"/>`

export function workbook(rows: readonly (readonly Cell[])[], isRightToLeft: boolean): Uint8Array<ArrayBuffer> {
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/worksheets/sheet1.xml', 'worksheet')}${override('/xl/styles.xml', 'styles')}</Types>`,
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="HS codes" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('rId2', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': sheet(rows, isRightToLeft),
  }
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(HEAD + text)])
  return zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>
}
