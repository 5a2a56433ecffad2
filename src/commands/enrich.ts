import { escapeControls } from '../control-characters.js'
import { OperatorError } from '../errors.js'
import { CLASSIFY_CHARS_MAX, CLASSIFY_LEVEL_DEFAULT, CLASSIFY_LEVELS, ENRICH_CANDIDATES_MAX } from '../limits.js'
import { ENRICHED } from '../questions/enrich.js'
import { SEPARATORS } from '../tables/dialect.js'
import { extendTable } from '../tables/extend.js'
import { fillTable } from '../tables/fill.js'
import type { AddedColumn } from '../tables/table.js'
import { COUNTRY_FLAGS, COUNTRY_HELP, openCatalog, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { codeColumns, idsOf, wordColumns } from './enrich-columns.js'
import { INTO_FIELDS, IntoFiller } from './enrich-into.js'
import { interruption } from './interruption.js'
import { progressBar } from './progress.js'
import { required } from './values.js'

const PREFIX = 'hs_'
const CODE_CELL = ENRICHED.indexOf('code')

/** Flags that need --column, and flags that need --words. */
const FLAGS_OF_COLUMN = { column: ['edition', 'to', 'lines'], words: ['candidates', 'level'] } as const

function separatorOf(values: Values): string | undefined {
  if (values.separator === undefined) return undefined
  const found = Object.entries(SEPARATORS).find(pair => pair.includes(String(values.separator)))
  if (found !== undefined) return found[0]
  throw new OperatorError(`--separator is "${values.separator}"; it must be a comma, a semicolon or the word tab`)
}

const folded = (name: string) => name.trim().toLowerCase()

/** Finds a column by its name, or by its number, which starts at 1. */
function columnIn(header: readonly string[], wanted: string, file: string): number {
  const named = header.flatMap((name, i) => (folded(name) === folded(wanted) ? [i] : []))
  if (named.length > 1)
    throw new OperatorError(
      `${file}: ${named.length} columns are called "${wanted}"; give the number of the column, counted from 1`,
    )
  if (named.length === 1) return named[0]
  const number = /^[1-9][0-9]{0,4}$/.test(wanted) ? Number(wanted) : 0
  if (number >= 1 && number <= header.length) return number - 1
  throw new OperatorError(
    `${file}: there is no column "${wanted}"; there are ${header.map(name => `"${escapeControls(name)}"`).join(', ')}`,
  )
}

function refuseExistingColumns(header: readonly string[], columns: readonly AddedColumn[], file: string): void {
  const taken = columns.find(({ name }) => header.some(known => folded(known) === folded(name)))
  if (taken !== undefined)
    throw new OperatorError(`${file}: there already is a column "${taken.name}"; choose other names with --prefix`)
}

/** Refuses a command with neither --column nor --words, and flags that need the one that is missing. */
function refuseFlags(values: Values): void {
  if (values.column === undefined && values.words === undefined)
    throw new OperatorError(
      '--column or --words is missing: the column with the codes or the words, by its name or its number, counted from 1',
    )
  for (const [column, names] of Object.entries(FLAGS_OF_COLUMN)) {
    const alone = values[column] === undefined ? names.find(name => values[name] !== undefined) : undefined
    if (alone !== undefined) throw new OperatorError(`--${alone} needs --${column}`)
  }
  const id = ['sku', 'gtin'].find(name => values[name] !== undefined)
  if (id !== undefined && values.words === undefined && values.into === undefined)
    throw new OperatorError(`--${id} needs --words or --into`)
}

const WITH_INTO = ['overwrite', 'origin', 'lang', 'short-max']
const WITHOUT_INTO = ['to', 'lines', 'candidates', 'excel']

function refuseFlagsOfInto(values: Values): void {
  const alone = (values.into === undefined ? WITH_INTO : WITHOUT_INTO).find(name => values[name] !== undefined)
  if (alone !== undefined)
    throw new OperatorError(`--${alone} ${values.into === undefined ? 'needs' : 'cannot be combined with'} --into`)
}

/** Fills columns that the file already has instead of adding columns. */
async function fillInto(values: Values, file: string, out: string, print: Print): Promise<void> {
  const catalog = await openCatalog(values)
  const filler = new IntoFiller(catalog, values, String(values.prefix ?? PREFIX))
  const bar = progressBar(file)
  const rows = await fillTable({
    file,
    out,
    separator: separatorOf(values),
    force: values.force === true,
    progress: (part, count) => bar.draw(part, `${count} rows`),
    signal: interruption(out),
    begin: header => {
      const filling = filler.begin(wanted => columnIn(header, wanted, file))
      refuseExistingColumns(
        header,
        filling.added.map(name => ({ name, kind: 'text' })),
        file,
      )
      return filling
    },
  }).finally(bar.clear)
  print(`${out}: ${rows} rows`)
  filler.printSummary(print)
}

const HELP = `Usage: hsapi enrich FILE --column NAME --out FILE [options]
       hsapi enrich FILE --words NAME [--column NAME] --out FILE [options]
       hsapi enrich FILE --words NAME --into FIELD=COLUMN,… --out FILE [options]

Reads the codes in a column of a CSV or XLSX file (first sheet) and writes the table again with six more columns:
hs_status, hs_code, hs_description_en, hs_description_ar, hs_rate and hs_candidates. Rows whose code cannot be read are
counted in the summary and are not an error. The input is never changed; the output is written completely or not at all.

With --words, also proposes a code for the words of each row, as classify does: hs_words_status, hs_words_code,
hs_words_description_en, hs_words_description_ar, hs_words_rate, hs_words_score, hs_words_question_en and
hs_words_question_ar. Only the first ${CLASSIFY_CHARS_MAX} characters of a text are read. With --column as well, hs_verdict says whether
words and code agree (agrees, doubtful or contradicts), and hs_better_code has a code that fits better.

With --into, fills columns that the CSV file already has and keeps every other byte of it: quotes, line ends and order stay. A cell
that is not blank is kept. Two columns are added: hs_status and hs_certainty (0 to 1, for a proposal). A code is filled if --column
has a code that can be read, or if the status of the words is clear or choose.

  --into LIST      FIELD=COLUMN, separated by commas; fields: ${INTO_FIELDS.join(', ')}
  --overwrite      with --into: also replace cells that are not blank
  --origin CC      with --into origin=COLUMN: the country that blank cells get
  --lang en|ar     with --into: language of short and description (en)
  --short-max N    with --into: maximum characters of short (35)
  --column NAME    the column of codes, by its header (letter case does not matter) or its number from 1
  --words NAME     the column of words, by its header or its number
  --sku NAME, --gtin NAME
                   with --words or --into: columns that find your own decisions (HSAPI_DECISIONS); the status is then decided
  --candidates N   with --words: number of codes for each row, 1 to ${ENRICH_CANDIDATES_MAX} (1); the second is hs_words_code_2 and so on
  --level N        with --words: digits of the proposed codes: ${CLASSIFY_LEVELS.join(', ')} (${CLASSIFY_LEVEL_DEFAULT})
  --out FILE       the file to write: .csv or .xlsx, independent of the input
  --edition YEAR   the edition of the codes in the file: 2022, 2017, 2012, 2007, 2002 or 1996 (the dataset's own)
  --to 2028        add hs_2028_change (none, scope, moved or split) and hs_2028_codes, what the code becomes in HS 2028; both are
                   blank for codes of fewer than six digits. Provisional
  --lines          if a code has only one line below it, write that line
  --excel          CSV for Excel: a byte-order mark first, and a tab before each added code, in quotes, so that Excel keeps it
                   as text with its zeros, and ' before added text that it would run as a formula. Not needed for XLSX
  --prefix TEXT    prefix of the added columns' names (hs_)
  --separator S    comma, semicolon or tab, if the header does not show it
  --force          replace FILE if it exists
  ${COUNTRY_HELP}; decisions for the country also apply
  ${SNAPSHOT_HELP}`

export const enrichCommand: Command = {
  help: HELP,
  flags: {
    ...SNAPSHOT_FLAG,
    ...COUNTRY_FLAGS,
    column: text,
    words: text,
    out: text,
    edition: text,
    to: text,
    lines: flag,
    candidates: text,
    level: text,
    excel: flag,
    prefix: text,
    separator: text,
    into: text,
    sku: text,
    gtin: text,
    overwrite: flag,
    origin: text,
    lang: text,
    'short-max': text,
    force: flag,
  },
  words: ['FILE'],
  run: async (values, [file], print) => {
    refuseFlags(values)
    refuseFlagsOfInto(values)
    const out = required(values, 'out', 'the file to write, .csv or .xlsx')
    if (values.into !== undefined) return fillInto(values, file, out, print)
    const separator = separatorOf(values)
    const prefix = String(values.prefix ?? PREFIX)
    const catalog = await openCatalog(values)
    const codes = values.column === undefined ? undefined : codeColumns(catalog, values, prefix)
    const words = values.words === undefined ? undefined : wordColumns(catalog, values, prefix)
    const columns = [...(codes?.columns ?? []), ...(words?.columns ?? [])]
    const bar = progressBar(file)
    const rows = await extendTable({
      file,
      out,
      separator,
      forExcel: values.excel === true,
      force: values.force === true,
      isSlow: words !== undefined,
      progress: (part, count) => bar.draw(part, `${count} rows`),
      signal: interruption(out),
      begin: header => {
        const [column, wordsColumn, sku, gtin] = [values.column, values.words, values.sku, values.gtin].map(wanted =>
          wanted === undefined ? -1 : columnIn(header, String(wanted), file),
        )
        const cellOr = (cellAt: (index: number) => string, index: number) => (index < 0 ? '' : cellAt(index))
        refuseExistingColumns(header, columns, file)
        return {
          columns,
          fill: cellAt => {
            const own = codes?.enrich(cellAt(column)) ?? []
            if (words === undefined) return own
            const ids = idsOf(cellOr(cellAt, sku), cellOr(cellAt, gtin))
            return [...own, ...words.enrich(cellAt(wordsColumn), own[CODE_CELL] ?? '', ids)]
          },
        }
      },
    }).finally(bar.clear)
    print(`${out}: ${rows} rows`)
    codes?.printSummary(print)
    words?.printSummary(print)
  },
}
