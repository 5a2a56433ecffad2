import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../src/errors.js'
import { ACCEPTED_KEYWORDS_FILE, type AcceptedKeyword, parseAcceptedKeywords } from './accepted-keywords.js'
import { type CsvRecord, parseCsv } from './csv.js'
import { EDITIONS_FILE, type EditionRow, parseEditions } from './editions.js'
import { GLOSSARY_FILE, type GlossaryEntry, parseGlossary } from './glossary.js'
import { isHouseRule } from './house-rules.js'
import { MATERIALS_FILE, type MaterialRow, parseMaterials } from './materials.js'
import { parseRateSources, RATE_SOURCES_FILE, type RateSourceRow } from './rate-sources.js'
import { parseSections, SECTIONS_FILE, type SectionRow } from './sections.js'
import { parseSynonyms, SYNONYMS_FILE, type SynonymGroup } from './synonyms.js'

export const COLUMNS = [
  'hs_code',
  'description_en',
  'description_ar',
  'tariff_rate',
  'is_active',
  'keywords_en',
  'keywords_ar',
] as const

type ColumnName = (typeof COLUMNS)[number]

/** A line of the dataset as it stands in the file: text, not yet believed. */
export type Row = Record<ColumnName, string> & { file: string; line: number }

export interface Defect {
  file: string
  line: number
  message: string
}

export interface Manifest {
  edition: string
  /** The dataset's own version, such as 2.0.0. */
  version?: string
  vat_rate: number
  line_digits: number[]
  /** Languages in which descriptions may be blank; they are answered as empty strings. */
  missing_languages?: ('en' | 'ar')[]
  /** Whether the rows keep the rules of house-style.ts. */
  house_style?: boolean
  /** Rules by name (house-rules.ts) that the rows do not keep yet. */
  rules_pending?: string[]
  /** The rates that may occur, in percent. */
  rates?: number[]
  /** The codes of up to 6 digits that must be there, by chapter; see house-style.ts. */
  codes?: Record<string, string>
}

export interface Dataset {
  manifest: Manifest
  rows: Row[]
  synonyms: SynonymGroup[]
  /** What the tables beside the chapters hold; undefined where there is no such file. */
  rateSources: RateSourceRow[] | undefined
  sections: SectionRow[] | undefined
  editions: EditionRow[] | undefined
  materials: MaterialRow[] | undefined
  glossary: GlossaryEntry[] | undefined
  acceptedKeywords: AcceptedKeyword[] | undefined
  /** What reading alone could tell; check.ts adds the rest. */
  defects: Defect[]
  /** SHA-256 over the names and bytes of all its files. */
  digest: Buffer
}

const VERSION = /^\d+\.\d+\.\d+$/
const UTF8 = new TextDecoder('utf-8', { fatal: true })

function parseManifest(text: string, file: string, defects: Defect[]): Manifest {
  const fallback: Manifest = { edition: '', vat_rate: 0, line_digits: [] }
  const defect = (message: string) => defects.push({ file, line: 1, message })
  let raw: Record<string, unknown>
  try {
    raw = JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    defect(`this is not JSON: ${(error as Error).message}`)
    return fallback
  }
  const { edition, version, vat_rate, line_digits, rules_pending } = raw
  if (typeof edition !== 'string' || edition === '')
    defect('edition must name the nomenclature, such as "HS 2022"')
  if (version !== undefined && !(typeof version === 'string' && VERSION.test(version)))
    defect('version must be three numbers, such as "2.0.0"')
  if (rules_pending !== undefined && !(Array.isArray(rules_pending) && rules_pending.every(isHouseRule)))
    defect('rules_pending must list names of rules that dataset/README.md knows')
  if (typeof vat_rate !== 'number' || vat_rate < 0 || vat_rate > 100) defect('vat_rate must be a percentage')
  const digitsOk =
    Array.isArray(line_digits) &&
    line_digits.every(
      (n, i) => Number.isInteger(n) && n >= 2 && n <= 14 && (i === 0 || n > line_digits[i - 1]),
    )
  if (!digitsOk) defect('line_digits must be an ascending list of code lengths, such as [8, 12]')
  return { ...fallback, ...(raw as unknown as Manifest) }
}

function parseRows(text: string, file: string, defects: Defect[]): Row[] {
  let parsed: CsvRecord[]
  try {
    parsed = parseCsv(text)
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? 1
    defects.push({ file, line, message: `this is not valid CSV: ${(error as Error).message}` })
    return []
  }
  const header = parsed[0]?.cells ?? []
  const unknown = header.filter(name => !(COLUMNS as readonly string[]).includes(name))
  const missing = COLUMNS.filter(name => !header.includes(name))
  for (const name of unknown) defects.push({ file, line: 1, message: `unknown column "${name}"` })
  for (const name of missing) defects.push({ file, line: 1, message: `the column ${name} is missing` })
  if (unknown.length > 0 || missing.length > 0) return []
  const places = COLUMNS.map(name => header.indexOf(name))
  const rows: Row[] = []
  for (const { cells, line } of parsed.slice(1)) {
    if (cells.length !== header.length) {
      const message = `the row has ${cells.length} fields, the header ${header.length}`
      defects.push({ file, line, message })
      continue
    }
    const [code, en, ar, rate, active, keywordsEn, keywordsAr] = places.map(place => cells[place] as string)
    rows.push({
      file,
      line,
      hs_code: code as string,
      description_en: en as string,
      description_ar: ar as string,
      tariff_rate: rate as string,
      is_active: active as string,
      keywords_en: keywordsEn as string,
      keywords_ar: keywordsAr as string,
    })
  }
  return rows
}

export async function readDataset(directory: string): Promise<Dataset> {
  const defects: Defect[] = []
  const hash = createHash('sha256')
  const read = async (name: string): Promise<string> => {
    const bytes = await readFile(join(directory, name))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
    try {
      return UTF8.decode(bytes)
    } catch {
      defects.push({ file: name, line: 1, message: 'the file is not valid UTF-8' })
      return ''
    }
  }
  let names: string[]
  let manifest: Manifest
  try {
    names = (await readdir(join(directory, 'chapters'))).filter(name => name.endsWith('.csv')).sort()
    manifest = parseManifest(await read('manifest.json'), 'manifest.json', defects)
  } catch (error) {
    throw new OperatorError(`${directory}: no dataset can be read here: ${(error as Error).message}`)
  }
  const rows: Row[] = []
  for (const name of names) {
    // one by one: a chapter may have more rows than a call takes arguments
    for (const row of parseRows(await read(`chapters/${name}`), `chapters/${name}`, defects)) rows.push(row)
  }
  if (rows.length === 0 && defects.length === 0) {
    defects.push({ file: 'chapters', line: 1, message: 'the dataset has no rows' })
  }
  const beside = await readdir(directory)
  const table = async <Parsed>(name: string, parseText: (text: string, defects: Defect[]) => Parsed) =>
    beside.includes(name) ? parseText(await read(name), defects) : undefined
  // one after another: the digest goes by the order in which files are read
  const synonyms = (await table(SYNONYMS_FILE, parseSynonyms)) ?? []
  const rateSources = await table(RATE_SOURCES_FILE, parseRateSources)
  const sections = await table(SECTIONS_FILE, parseSections)
  const glossary = await table(GLOSSARY_FILE, parseGlossary)
  const acceptedKeywords = await table(ACCEPTED_KEYWORDS_FILE, parseAcceptedKeywords)
  const editions = await table(EDITIONS_FILE, parseEditions)
  const materials = await table(MATERIALS_FILE, parseMaterials)
  const tables = { synonyms, materials, rateSources, sections, glossary, acceptedKeywords, editions }
  return { manifest, rows, ...tables, defects, digest: hash.digest() }
}
