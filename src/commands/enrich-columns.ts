/** The cells that `enrich` adds to each row for its code and for its words, and the summary of the results. */
import type { Catalog } from '../catalog/catalog.js'
import { isGtin } from '../catalog/decisions.js'
import { CLASSIFY_CHARS_MAX, ENRICH_CANDIDATES_MAX } from '../limits.js'
import { readTerms } from '../questions/classify.js'
import { readNextEdition } from '../questions/editions.js'
import { ENRICHED, ENRICHED_NEXT, Enricher } from '../questions/enrich.js'
import { type ProductIds, WordsEnricher, type WordsOptions, wordsCells } from '../questions/enrich-words.js'
import { readEdition } from '../questions/resolve.js'
import type { AddedColumn } from '../tables/table.js'
import { answerOrThrow, countryOf, numberOf } from './ask.js'
import type { Print, Values } from './command.js'
import { printTable } from './terminal.js'
import { wholeOf } from './values.js'

const KINDS: Readonly<Record<string, AddedColumn['kind']>> = {
  code: 'code',
  candidates: 'code',
  rate: 'number',
  codes: 'code',
  better_code: 'code',
  score: 'number',
}
/** Column names have this text before or after a name from `KINDS`. */
const PREFIX_OR_NUMBER = /^words_|_[0-9]$/g

/** The cells of a row that find a company's own decision; '' for a `gtin` that is not a GTIN. */
export function idsOf(sku: string, gtin: string): ProductIds {
  return { sku, gtin: isGtin(gtin.trim()) ? gtin.trim() : '' }
}

interface ColumnSet {
  columns: readonly AddedColumn[]
  printSummary(print: Print): void
}

interface CodeColumns extends ColumnSet {
  enrich(code: string): readonly string[]
}

interface WordColumns extends ColumnSet {
  /** `code`: the code of the row, or ''. */
  enrich(words: string, code: string, ids: ProductIds): readonly string[]
}

export function codeColumns(catalog: Catalog, values: Values, prefix: string): CodeColumns {
  const year = answerOrThrow(readEdition(catalog, String(values.edition ?? '')))
  const next = values.to === undefined ? undefined : answerOrThrow(readNextEdition(catalog, String(values.to)))
  const view = countryOf(values, catalog)
  const enricher = new Enricher(catalog, year, { fillLines: values.lines === true, withNext: next !== undefined, view })
  const own = ENRICHED.map(name => columnOf(prefix, name))
  const later =
    next === undefined ? [] : ENRICHED_NEXT.map(name => ({ ...columnOf(prefix, name), name: `${prefix}${next}_${name}` }))
  return {
    columns: [...own, ...later],
    enrich: code => enricher.enrich(code),
    printSummary: print => {
      printCounts(enricher.counts, print)
      if (next !== undefined) print(`HS ${next} changes the codes of ${enricher.changed} rows (provisional)`)
    },
  }
}

export function wordColumns(catalog: Catalog, values: Values, prefix: string): WordColumns {
  const options: WordsOptions = {
    level: answerOrThrow(readTerms(numberOf(values, 'level'))).level,
    candidates: wholeOf(values, 'candidates', 1, ENRICH_CANDIDATES_MAX, 1),
    withVerdict: values.column !== undefined,
    view: countryOf(values, catalog),
  }
  const enricher = new WordsEnricher(catalog, options)
  return {
    columns: wordsCells(options).map(name => columnOf(prefix, name)),
    enrich: (words, code, ids) => enricher.enrich(words, code === '' ? -1 : catalog.trie.find(code), ids),
    printSummary: print => {
      if (options.withVerdict) print('words:')
      printCounts(enricher.counts, print)
      if (options.withVerdict) print('codes compared with words:')
      printCounts(enricher.verdicts, print)
      const { cut } = enricher
      if (cut > 0)
        print(`${cut} ${cut === 1 ? 'text has' : 'texts have'} more than ${CLASSIFY_CHARS_MAX} characters; the rest was not read`)
    },
  }
}

function columnOf(prefix: string, name: string): AddedColumn {
  return { name: prefix + name, kind: KINDS[name.replace(PREFIX_OR_NUMBER, '')] ?? 'text' }
}

function printCounts(counts: ReadonlyMap<string, number>, print: Print): void {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const rows = sorted.map(([status, count]) => [`  ${status}`, String(count), ''])
  printTable([{}, { right: true }, {}], rows, print)
}
