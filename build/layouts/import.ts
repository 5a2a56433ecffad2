/** An official tariff file → a dataset directory that `check` and `build` accept. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { OperatorError } from '../../src/errors.js'
import { makeDirectory } from '../../src/files/atomic-file.js'
import { isCode } from '../../src/hs-code.js'
import { DESCRIPTION_CHARS_MAX } from '../check.js'
import { COLUMNS, type Manifest } from '../read.js'
import { euTaric } from './eu-taric.js'
import { gcc12 } from './gcc12.js'
import { generic } from './generic.js'
import {
  type ColumnMap,
  cellsByRole,
  type Entry,
  type Layout,
  type LayoutResult,
  readRate,
} from './layout.js'
import { makeSelfContained } from './self-contained.js'
import { type Progress, readTable } from './table.js'
import { usHts } from './us-hts.js'

export const LAYOUTS: Record<string, Layout> = Object.fromEntries(
  [gcc12, usHts, euTaric, generic].map(layout => [layout.name, layout]),
)

export type Language = 'en' | 'ar'

export interface ImportOptions {
  file: string
  layout: Layout
  map: ColumnMap
  ratesFile: string | undefined
  defaultRate: number
  /** Languages that the file may lack. */
  allowMissing: Language[]
  selfContained: boolean
  edition: string
  vatRate: number
  out: string
  /** Where chapter titles come from when the file has none: a dataset directory. */
  titles: string
  progress: Progress
}

export interface ImportSummary {
  rowsRead: number
  codesByLevel: Map<number, number>
  skipped: { line: number; why: string }[]
  oddRates: { line: number; why: string }[]
  /** Lines whose rate the file does not give. */
  defaulted: number
  completed: number
  chaptersAdded: string[]
}

function dropDuplicates(entries: Entry[], result: LayoutResult): Entry[] {
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const known = first.get(entry.code)
    if (known === undefined) first.set(entry.code, entry)
    else result.skipped.push({ line: entry.line, why: `${entry.code} stands already at line ${known.line}` })
  }
  return [...first.values()]
}

async function readRates(file: string): Promise<Map<string, string>> {
  let rows: string[][]
  try {
    rows = parse(await readFile(file, 'utf8'), {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
    })
  } catch (error) {
    throw new OperatorError(`--rates ${file}: ${(error as Error).message}`)
  }
  const rates = new Map<string, string>()
  rows.forEach(([code = '', text = ''], i) => {
    const digits = code.replace(/[.\s]/g, '')
    const rate = readRate(text)
    if (isCode(digits) && rate !== undefined && rate !== '') rates.set(digits, rate)
    else if (i > 0)
      throw new OperatorError(
        `--rates ${file}: row ${i + 1} is not a code and a percentage: ${code}, ${text}`,
      )
  })
  return rates
}

/** Files begin with headings; a dataset begins with chapters, so their titles are lent by another dataset. */
async function addChapters(entries: Entry[], titles: string): Promise<string[]> {
  const codes = new Set(entries.map(entry => entry.code))
  const missing = [...new Set(entries.map(entry => entry.code.slice(0, 2)))]
    .filter(chapter => !codes.has(chapter))
    .sort()
  for (const chapter of missing) {
    let en = `Chapter ${chapter}`
    let ar = `الفصل ${chapter}`
    try {
      const text = await readFile(join(titles, 'chapters', `${chapter}.csv`), 'utf8')
      const [row] = parse(text, { bom: true, columns: true, to: 1 }) as Record<string, string>[]
      if (row?.hs_code === chapter) {
        en = row.description_en ?? en
        ar = row.description_ar ?? ar
      }
    } catch {
      // no such chapter there: its number will do
    }
    entries.push({ line: 0, code: chapter, en, ar, contextEn: [], contextAr: [], rate: '' })
  }
  return missing
}

function requireLanguages(entries: Entry[], options: ImportOptions): Language[] {
  const lacking: Language[] = []
  for (const language of ['en', 'ar'] as const) {
    const without = entries.filter(entry => entry[language] === '')
    if (without.length === 0) continue
    if (!options.allowMissing.includes(language)) {
      const name = language === 'en' ? 'English' : 'Arabic'
      const where = without.length === entries.length ? 'has no' : `has ${without.length} rows without`
      const line = without[0]?.line
      throw new OperatorError(
        `${options.file}: the file ${where} ${name} text${line ? ` (first at line ${line})` : ''}; ` +
          `say --allow-missing ${language} to import it all the same`,
      )
    }
    lacking.push(language)
  }
  return lacking
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function csv(entries: Entry[]): string {
  const lines = entries.map(entry =>
    // the words of groups without a code are kept for search
    [entry.code, entry.en, entry.ar, entry.rate, '', keywords(entry.contextEn), keywords(entry.contextAr)]
      .map(csvCell)
      .join(','),
  )
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`
}

function keywords(context: string[]): string {
  return [...new Set(context.map(text => text.replaceAll(';', ',')))].join('; ')
}

/** Writes beside the target and moves it into place: the target is there whole or not at all. */
async function writeDataset(out: string, manifest: Manifest, entries: Entry[]): Promise<void> {
  const target = resolve(out)
  const existing = await readdir(target).catch(() => undefined)
  if (existing !== undefined && existing.length > 0) {
    throw new OperatorError(
      `--out ${out}: the directory exists and is not empty; remove it or choose another`,
    )
  }
  let temporary: string | undefined
  try {
    await makeDirectory(dirname(target))
    temporary = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
    await mkdir(join(temporary, 'chapters'))
    for (const [chapter, rows] of groupByChapter(entries))
      await writeFile(join(temporary, 'chapters', `${chapter}.csv`), csv(rows))
    await writeFile(join(temporary, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    if (existing !== undefined) await rm(target, { recursive: true })
    await rename(temporary, target)
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`--out ${out}: ${(error as Error).message}`)
  }
}

function groupByChapter(entries: Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const chapter = entry.code.slice(0, 2)
    const group = groups.get(chapter)
    if (group === undefined) groups.set(chapter, [entry])
    else group.push(entry)
  }
  return groups
}

export async function importFile(options: ImportOptions): Promise<ImportSummary> {
  const { file, layout } = options
  const table = await readTable(file, options.progress)
  const result: LayoutResult = { entries: [], skipped: [], oddRates: [] }
  layout.read(cellsByRole(table, layout, options.map, file), result)
  if (result.entries.length === 0 || result.skipped.length > table.rows.length / 2) {
    const example = result.skipped[0]
    throw new OperatorError(
      `${file}: this does not look like the layout ${layout.name}: ${result.skipped.length} of ${table.rows.length} rows ` +
        `have no code of it${example ? ` (line ${example.line}: ${example.why})` : ''}`,
    )
  }
  const entries = dropDuplicates(result.entries, result)
  const rates =
    options.ratesFile === undefined ? new Map<string, string>() : await readRates(options.ratesFile)
  const lacking = requireLanguages(entries, options)
  const chaptersAdded = await addChapters(entries, options.titles)
  const completed = options.selfContained ? makeSelfContained(entries) : 0
  for (const entry of entries) {
    entry.rate = rates.get(entry.code) ?? entry.rate
    entry.en = entry.en.slice(0, DESCRIPTION_CHARS_MAX).trim()
    entry.ar = entry.ar.slice(0, DESCRIPTION_CHARS_MAX).trim()
  }
  entries.sort((a, b) => (a.code < b.code ? -1 : 1))
  const defaulted = defaultRates(entries, String(options.defaultRate))
  const manifest: Manifest = {
    edition: options.edition,
    vat_rate: options.vatRate,
    line_digits: layout.lineDigits,
    ...(lacking.length > 0 ? { missing_languages: lacking } : {}),
  }
  await writeDataset(options.out, manifest, entries)
  const codesByLevel = new Map<number, number>()
  for (const { code } of entries) codesByLevel.set(code.length, (codesByLevel.get(code.length) ?? 0) + 1)
  return {
    rowsRead: table.rows.length,
    codesByLevel: new Map([...codesByLevel].sort(([a], [b]) => a - b)),
    skipped: result.skipped,
    oddRates: result.oddRates,
    defaulted,
    completed,
    chaptersAdded,
  }
}

/** Chapters get the rate that the file leaves open; returns how many undivided codes thereby have it. */
function defaultRates(sorted: Entry[], rate: string): number {
  const effective = new Map<string, string | undefined>()
  const divided = new Set<string>()
  let defaulted = 0
  for (const entry of sorted) {
    let inherited: string | undefined
    for (let n = entry.code.length - 1; n >= 2; n--) {
      const above = entry.code.slice(0, n)
      if (!effective.has(above)) continue
      inherited = effective.get(above)
      divided.add(above)
      break
    }
    effective.set(entry.code, entry.rate === '' ? inherited : entry.rate)
    if (entry.code.length === 2 && entry.rate === '') entry.rate = rate
  }
  for (const { code } of sorted) if (!divided.has(code) && effective.get(code) === undefined) defaulted++
  return defaulted
}
