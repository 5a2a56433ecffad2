/** Converts a shipment to address parameters and back. Also reads the addresses of the former check and invoice pages. */
import { EMPTY, NO_TEXT, newRow } from './reduce.js'
import type { Choice, Field, Row, RowText, Shipment } from './state.js'

/** Maximum length of an address; mail programs may break longer ones. */
const ADDRESS_MAX = 1200
const ROWS_MAX = 500
/** Ends of cells and rows: characters that are not percent-encoded. */
const CELL_END = '_'
const ROW_END = '*'
/** The order of a row's cells; the first six are the same as on the former invoice page. A chosen code follows. */
const CELLS: readonly Field[] = ['code', 'value', 'quantity', 'origin', 'sugar', 'measure', 'words', 'sku']
const TERMS = ['currency', 'vat', 'freight', 'insurance', 'origin', 'edition'] as const

export type Parameters = Readonly<Record<string, string>>

const ESCAPES: Readonly<Record<string, string>> = { '~': '~t', _: '~u', '*': '~s' }
const SIGNS: Readonly<Record<string, string>> = { '~t': '~', '~u': '_', '~s': '*' }
const escaped = (text: string) => text.trim().replace(/[~_*]/g, sign => ESCAPES[sign] as string)
const plain = (text: string) => text.replace(/~[tus]/g, found => SIGNS[found] as string).trim()

function packRow({ text, choice }: Row): string {
  const cells = [...CELLS.map(field => escaped(text[field])), choice?.code ?? '', choice?.by === 'line' ? 'line' : '']
  while (cells.at(-1) === '') cells.pop()
  return cells.join(CELL_END)
}

/** Null if there are no rows, or too many for an address. */
export function pack(state: Shipment): Parameters | null {
  if (state.rows.length === 0 || state.rows.length > ROWS_MAX) return null
  const terms = TERMS.map(name => [name, state.terms[name].trim()] as const).filter(([, text]) => text !== '')
  const parameters = { rows: state.rows.map(packRow).join(ROW_END), ...Object.fromEntries(terms) }
  return new URLSearchParams(parameters).toString().length <= ADDRESS_MAX ? parameters : null
}

/** A choice without description and rate: they are requested when the link is opened. */
const choiceOf = (code: string, instead: string, isLine: boolean): Choice => ({
  code,
  description: { en: '', ar: '' },
  rate: null,
  by: isLine ? 'line' : 'proposal',
  instead,
})

function unpackRow(packed: string, id: number): Row {
  const cells = packed.split(CELL_END)
  const texts = Object.fromEntries(CELLS.map((field, at) => [field, plain(cells[at] ?? '')])) as Partial<RowText>
  const row = newRow(id, null, { ...NO_TEXT, ...texts })
  const code = cells[CELLS.length] ?? ''
  return /^\d{2,14}$/.test(code) ? { ...row, choice: choiceOf(code, row.text.code, cells[CELLS.length + 1] === 'line') } : row
}

/** Null if the address has no rows. The country is not read here, because the page already knows it. */
export function unpack({ rows = '', codes = '', ...others }: Parameters): Shipment | null {
  const listed = codes.split(',').map(code => code.trim())
  const made =
    rows !== ''
      ? rows
          .split(ROW_END)
          .slice(0, ROWS_MAX)
          .map((row, at) => unpackRow(row, at + 1))
      : listed.filter(code => code !== '').map((code, at) => newRow(at + 1, null, { ...NO_TEXT, code }))
  if (made.length === 0) return null
  const terms = Object.fromEntries(TERMS.map(name => [name, others[name]?.trim() ?? '']))
  return { ...EMPTY, rows: made, nextId: made.length + 1, terms: { ...EMPTY.terms, ...terms }, isLink: true }
}
