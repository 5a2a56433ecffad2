/**
 * Hostile tables for `import` and `enrich`, as CSV and XLSX. The seed and the number determine a table, so any table can be
 * generated again on its own.
 */
import { LAYOUTS } from '../../dist/build/importers/import.js'
import { storedArchive } from '../../dist/src/tables/zip.js'
import { Random } from '../shared/random.mjs'
import { repeatedText } from '../shared/repeats.mjs'

const ROWS_MAX = 4
const CELL_CHARS_MAX = 80_000
/** More than a sheet may have, so that the limits are tested too. */
const MARKUP_CHARS_MAX = 2_000_000

const HEADERS = {
  gcc12: ['code12', 'text_ar', 'text_en', 'rate'],
  zatca: [
    'Harmonized Code',
    'Item Arabic Name',
    'Item English Name',
    'Arabic Duty Rate',
    'English Duty Rate',
    'Procedures',
    'Date',
  ],
  dubai: ['OldHSCode', 'NewHSCode', 'LongDescAr', 'LongDescEn', 'StatisticalQtyUnit', 'DutyPercentage'],
  'us-hts': ['HTS Number', 'Indent', 'Description', 'General Rate of Duty'],
  'eu-taric': ['goods_code', 'hier_pos', 'description', 'rate'],
  generic: ['hs_code', 'description_ar', 'description_en', 'rate'],
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORKBOOK = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="T" sheetId="1" r:id="rId1"/></sheets></workbook>`
const SHEET_OF_WORKBOOK = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`

function cellOf(random, { codes, phrases }) {
  const draw = random.next()
  if (draw < 0.4) return random.pick(codes).padEnd(12, '0')
  if (draw < 0.6) return random.pick(phrases)
  return repeatedText(random, draw < 0.7 ? 100 : CELL_CHARS_MAX)
}

function csvOf(random, rows) {
  // one in ten is written without quoting
  const isNaive = random.chance(0.1)
  const written = cell => (isNaive ? cell : `"${cell.replaceAll('"', '""')}"`)
  return Buffer.from(rows.map(cells => `${cells.map(written).join(',')}\n`).join(''))
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Malformed or oversized markup in a sheet: tags, attributes, comments and text, some of them unclosed. */
function markupOf(random) {
  const text = repeatedText(random, random.chance(0.5) ? 1_000 : MARKUP_CHARS_MAX)
  return random.pick([
    () => '',
    () => `<x ${text}/>`,
    () => `<x a="${text}"/>`,
    () => `<${text}>`,
    () => `<!--${text}-->`,
    () => `<row ${text}></row>`,
    () => escaped(text),
    () => text,
  ])()
}

function xlsxOf(random, rows) {
  const letters = 'ABCD'
  const cell = (text, row, column) => `<c r="${letters[column]}${row + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
  const lines = rows.map(
    (cells, row) => `<row r="${row + 1}">${cells.map((text, column) => cell(text, row, column)).join('')}</row>`,
  )
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}${markupOf(random)}</sheetData></worksheet>`
  const parts = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': SHEET_OF_WORKBOOK,
    'xl/worksheets/sheet1.xml': sheet,
  }
  const stored = Object.entries(parts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  return Buffer.from(storedArchive(stored))
}

/** @param {{codes: string[], phrases: string[]}} stock */
export function makeTable(seed, number, stock) {
  // the 1 makes this random sequence differ from that of makeCase in cases.mjs
  const random = new Random(seed, number, 1)
  const layout = random.pick([...LAYOUTS.keys()])
  const header = HEADERS[layout]
  const rows = Array.from({ length: random.between(1, ROWS_MAX) }, () => header.map(() => cellOf(random, stock)))
  const isSheet = random.chance(0.5)
  return {
    command: random.pick(['import', 'enrich']),
    layout,
    column: header[0],
    extension: isSheet ? 'xlsx' : 'csv',
    bytes: isSheet ? xlsxOf(random, [header, ...rows]) : csvOf(random, [header, ...rows]),
  }
}
