/** Reads decisions.csv, with errors that name file and line, and appends to it. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type DecisionRow, type DecisionTable, isGtin } from '../catalog/decisions.js'
import { digitsOf } from '../codes/digits.js'
import { isDay } from '../day.js'
import { OperatorError } from '../errors.js'
import { writeAtomic } from '../files/atomic-file.js'
import { FileLock } from '../files/file-lock.js'
import { CLASSIFY_CHARS_MAX } from '../limits.js'
import { COUNTRY_CODES, type CountryCode } from '../snapshot/country-format.js'
import { readCsv, type TableRow } from '../tables/csv.js'
import { csvCells } from '../tables/csv-text.js'

export const DECISION_COLUMNS = ['sku', 'gtin', 'text', 'code', 'country', 'who', 'day', 'why'] as const
type Column = (typeof DECISION_COLUMNS)[number]
type Cells = Readonly<Record<Column, string>>

/** This many decisions take about 100 MB of memory in each thread. */
export const DECISIONS_MAX = 200_000
const CHARS_MAX = 500
const DIGEST_CHARS = 8
/** The apostrophe before a text that a spreadsheet would otherwise run as a formula. */
const PROTECTED = /^'(?= *[=+\-@])/
const LOCK_WAIT_MS = 5_000

/** `where` is the start of an error: a file and a line, or nothing. */
export function readDecision(cells: Cells, where: string): DecisionRow {
  const refuse = (message: string): never => {
    throw new OperatorError(`${where}${message}`)
  }
  const country = cells.country.toUpperCase()
  const code = digitsOf(cells.code)
  if (cells.sku.trim() === '' && cells.gtin === '' && cells.text.trim() === '') refuse('one of sku, gtin and text is needed')
  if (cells.gtin !== '' && !isGtin(cells.gtin)) refuse(`gtin is "${cells.gtin}", which is not a GTIN with a correct check digit`)
  if (code === '') refuse(`code is "${cells.code}", which is not an HS code of 2 to 14 digits`)
  if (country !== '' && !(COUNTRY_CODES as readonly string[]).includes(country))
    refuse(`country is "${cells.country}"; it must be ${COUNTRY_CODES.join(', ')} or blank`)
  if (!isDay(cells.day)) refuse(`day is "${cells.day}"; it must be a day such as 2026-11-15`)
  if (cells.who.trim() === '') refuse('who is blank; it must name the person who decided')
  const long = DECISION_COLUMNS.find(name => [...cells[name]].length > (name === 'text' ? CLASSIFY_CHARS_MAX : CHARS_MAX))
  if (long !== undefined) refuse(`${long} has more than ${CHARS_MAX} characters`)
  return { ...cells, code, country: country as CountryCode | '' }
}

export async function readDecisions(file: string): Promise<DecisionTable> {
  if (!existsSync(file)) throw new OperatorError(`HSAPI_DECISIONS: ${file} does not exist`)
  let header: readonly string[] | undefined
  const rows: DecisionRow[] = []
  await readCsv(file, ({ line, cells }: TableRow) => {
    if (header === undefined) {
      header = cells.map(name => name.trim().toLowerCase())
      if (header.length === 1 && header[0]?.includes(';'))
        throw new OperatorError(`${file}:${line}: the columns are separated by semicolons; save the file with commas`)
      const missing = DECISION_COLUMNS.find(name => !header?.includes(name))
      if (missing !== undefined)
        throw new OperatorError(
          `${file}:${line}: the column ${missing} is missing; the header must have ${DECISION_COLUMNS.join()}`,
        )
      return
    }
    if (cells.length !== header.length)
      throw new OperatorError(`${file}:${line}: the row has ${cells.length} fields, the header ${header.length}`)
    if (rows.length === DECISIONS_MAX) throw new OperatorError(`${file}:${line}: more than ${DECISIONS_MAX} decisions`)
    const cellOf = (name: Column) => cells[header?.indexOf(name) ?? 0].replace(PROTECTED, '')
    const named = Object.fromEntries(DECISION_COLUMNS.map(name => [name, cellOf(name)])) as Cells
    rows.push(readDecision(named, `${file}:${line}: `))
  })
  if (header === undefined) throw new OperatorError(`${file}: the file has no header; it must be ${DECISION_COLUMNS.join()}`)
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, DIGEST_CHARS)
  return { rows, digest }
}

/** Appends under a lock, completely or not at all; creates the file if there is none. */
export async function appendDecision(file: string, cells: Cells): Promise<void> {
  const decision = readDecision(cells, '')
  await FileLock.during(`${file}.lock`, LOCK_WAIT_MS, `is writing ${file}`, async () => {
    let text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw new OperatorError(`${file}: ${error.message}`)
    })
    if (text === undefined || text === '') text = `${DECISION_COLUMNS.join()}\n`
    else await readDecisions(file)
    const [first = ''] = text.split(/\r?\n/, 1)
    // `trim` also removes a byte order mark
    const order = first.split(',').map(name => name.trim().toLowerCase())
    const row = csvCells(order.map(name => decision[name as Column] ?? ''))
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    await writeAtomic(file, `${text}${/[\r\n]$/.test(text) ? '' : newline}${row}${newline}`)
  })
}
