/** Turns an official tariff file into a dataset directory that `check` and `build` accept. */

import { digitsOf } from '../../src/codes/digits.js'
import { OperatorError } from '../../src/errors.js'
import { readCsv } from '../../src/tables/csv.js'
import type { Manifest } from '../dataset/manifest.js'
import { dubai } from './dubai.js'
import { euTaric } from './eu-taric.js'
import { gcc12 } from './gcc12.js'
import { generic } from './generic.js'
import { cutText, type Entry, LANGUAGE_NAMES, type Language, type Layout, type LayoutResult, readRate } from './layout.js'
import { countLines, type LineCounts } from './list-lines.js'
import { prohibitionTables } from './prohibitions.js'
import { type FileToRead, readTariffFile } from './read-file.js'
import { makeSelfContained } from './self-contained.js'
import { usHts } from './us-hts.js'
import { requireEmptyTarget, writeDataset } from './write.js'
import { zatca } from './zatca.js'

export const LAYOUTS: ReadonlyMap<string, Layout> = new Map(
  [gcc12, zatca, dubai, usHts, euTaric, generic].map(layout => [layout.name, layout]),
)

export interface Title {
  en: string
  ar: string
}

/** The title of a code, if known. */
export type Titles = (code: string) => Title | undefined

export interface ImportOptions extends FileToRead {
  ratesFile: string | undefined
  defaultRate: number
  /** Languages that the file may lack. */
  allowMissing: Language[]
  selfContained: boolean
  edition: string
  vatRate: number
  out: string
  /** Day of the list, if the file does not have it. */
  date: string | undefined
  /** Loads titles from another dataset; called only if the file lacks some. */
  titles: () => Promise<Titles>
}

export interface ImportSummary {
  rowsRead: number
  codesByLevel: Map<number, number>
  skipped: { line: number; why: string }[]
  oddRates: { line: number; why: string }[]
  /** Texts that were cut because they are too long. */
  cut: { line: number; why: string }[]
  /** Number of lines whose rate the file does not give. */
  defaulted: number
  completed: number
  /** Codes above the lines, with titles borrowed from another dataset. */
  added: string[]
  /** Only from the layouts of a single country, such as zatca. */
  lines: LineCounts | undefined
  titles: number
}

function dropDuplicates(entries: Entry[], result: LayoutResult): Entry[] {
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const known = first.get(entry.code)
    if (known === undefined) first.set(entry.code, entry)
    else result.skipped.push({ line: entry.line, why: `${entry.code} is already at line ${known.line}` })
  }
  return [...first.values()]
}

async function readRates(file: string): Promise<Map<string, string>> {
  const rates = new Map<string, string>()
  let first = true
  try {
    await readCsv(file, ({ line, cells: [code = '', text = ''] }) => {
      const digits = digitsOf(code)
      const rate = readRate(text)
      if (digits !== '' && rate !== undefined && rate !== '') rates.set(digits, rate)
      else if (!first) throw new OperatorError(`${file}:${line}: the row is not a code and a percentage: ${code}, ${text}`)
      first = false
    })
  } catch (error) {
    throw new OperatorError(`--rates ${(error as Error).message}`)
  }
  return rates
}

/**
 * Adds the codes above those of the file. Files start with headings or lines, but a dataset needs chapters. Their titles come
 * from another dataset.
 */
async function addCodesAbove(entries: Entry[], { layout, titles }: ImportOptions): Promise<string[]> {
  const lengths = [2, ...(layout.lacksDigits ?? [])]
  const needed = new Set<string>()
  const present = new Set<string>()
  for (const { code } of entries) {
    if (lengths.includes(code.length)) present.add(code)
    for (const digits of lengths) if (digits < code.length) needed.add(code.slice(0, digits))
  }
  const missing = [...needed].filter(code => !present.has(code)).sort()
  if (missing.length === 0) return missing
  const titleOf = await titles()
  const added: string[] = []
  for (const code of missing) {
    // a chapter must exist, so its number is enough as a title
    const title = titleOf(code) ?? (code.length === 2 ? { en: `Chapter ${code}`, ar: `الفصل ${code}` } : undefined)
    if (title === undefined) continue
    entries.push({ line: 0, code, ...title, contextEn: [], contextAr: [], rate: '' })
    added.push(code)
  }
  return added
}

function requireLanguages(entries: Entry[], options: ImportOptions): Language[] {
  const lacking: Language[] = []
  for (const language of ['en', 'ar'] as const) {
    const without = entries.filter(entry => entry[language] === '')
    if (without.length === 0) continue
    if (!options.allowMissing.includes(language)) {
      const name = LANGUAGE_NAMES[language]
      const where = without.length === entries.length ? 'has no' : `has ${without.length} rows without`
      const line = without[0]?.line
      throw new OperatorError(
        `${options.file}: the file ${where} ${name} text${line ? ` (first at line ${line})` : ''}; ` +
          `use --allow-missing ${language} to import it anyway`,
      )
    }
    lacking.push(language)
  }
  return lacking
}

export async function importFile(options: ImportOptions): Promise<ImportSummary> {
  const { layout } = options
  await requireEmptyTarget(options.out)
  const { rowsRead, result } = await readTariffFile(options)
  const entries = dropDuplicates(result.entries, result)
  const rates = options.ratesFile === undefined ? new Map<string, string>() : await readRates(options.ratesFile)
  const lacking = requireLanguages(entries, options)
  const tables = prohibitionTables(result.lines, entries, options)
  const added = await addCodesAbove(entries, options)
  const completed = options.selfContained ? makeSelfContained(entries) : 0
  for (const entry of entries) {
    entry.rate = rates.get(entry.code) ?? entry.rate
    // a completed text may have become too long
    entry.en = cutText(entry.en, 'en', entry.line, result)
    entry.ar = cutText(entry.ar, 'ar', entry.line, result)
  }
  entries.sort((a, b) => (a.code < b.code ? -1 : 1))
  const defaulted = defaultRates(entries, String(options.defaultRate))
  const manifest: Manifest = {
    edition: options.edition,
    vat_rate: options.vatRate,
    line_digits: layout.lineDigits,
    ...(lacking.length > 0 ? { missing_languages: lacking } : {}),
  }
  await writeDataset(options.out, manifest, entries, tables)
  const codesByLevel = new Map<number, number>()
  for (const { code } of entries) codesByLevel.set(code.length, (codesByLevel.get(code.length) ?? 0) + 1)
  return {
    rowsRead,
    codesByLevel: new Map([...codesByLevel].sort(([a], [b]) => a - b)),
    skipped: result.skipped,
    oddRates: result.oddRates,
    cut: result.cut,
    defaulted,
    completed,
    added,
    lines: layout.country === undefined ? undefined : countLines(result.lines),
    titles: result.titles,
  }
}

/** Gives chapters without a rate the default rate. Returns how many codes without subdivisions inherit it. */
function defaultRates(sorted: Entry[], rate: string): number {
  /** The codes above the current one, each with its own or inherited rate. */
  const above: { code: string; rate: string }[] = []
  let defaulted = 0
  sorted.forEach((entry, i) => {
    while (above.length > 0 && !entry.code.startsWith(above.at(-1)?.code as string)) above.pop()
    const effective = entry.rate === '' ? (above.at(-1)?.rate ?? '') : entry.rate
    above.push({ code: entry.code, rate: effective })
    const divided = sorted[i + 1]?.code.startsWith(entry.code) ?? false
    if (!divided && effective === '') defaulted++
    if (entry.code.length === 2 && entry.rate === '') entry.rate = rate
  })
  return defaulted
}
