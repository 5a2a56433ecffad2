import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { OperatorError } from '../../src/errors.js'
import { packageRoot } from '../../src/package-root.js'
import type { VagueGoods } from '../../src/snapshot/format.js'
import { Stemmer } from '../../src/text/terms.js'
import { NO_WORDS, type WordData } from '../../src/text/word-data.js'
import { ACCEPTED_KEYWORDS_FILE, type AcceptedKeyword, parseAcceptedKeywords } from './accepted-keywords.js'
import {
  ATTRIBUTE_VALUES_FILE,
  ATTRIBUTES_FILE,
  type AttributeRow,
  type AttributeValueRow,
  parseAttributes,
  parseAttributeValues,
} from './attributes.js'
import { BRANDS_FILE, type BrandRow, parseBrands } from './brands.js'
import { CHANGES_FILE, type ChangeRow, parseChanges, parseReleases, RELEASES_FILE, type ReleaseRow } from './changes.js'
import {
  CONTROL_REASONS_FILE,
  CONTROL_SOURCES_FILE,
  CONTROLS_FILE,
  type ControlTables,
  parseControlReasons,
  parseControlSources,
  parseControls,
} from './controls.js'
import { COUNTRIES, type CountryTables, parseCountries } from './countries/layers.js'
import type { Defect } from './defect.js'
import { EDITIONS_FILE, type EditionRow, parseEditions } from './editions.js'
import { GLOSSARY_FILE, type GlossaryEntry, parseGlossary } from './glossary.js'
import { MANIFEST_FILE, type Manifest, parseManifest } from './manifest.js'
import { MATERIALS_FILE, type MaterialRow, parseMaterials } from './materials.js'
import { NEXT_EDITION_FILE, type NextEditionRow, parseNextEdition } from './next-edition.js'
import { NOTES_FILE, type NoteRow, parseNotes } from './notes.js'
import { POINTERS_FILE, type PointerRow, parsePointers } from './pointers.js'
import { parseRateSources, RATE_SOURCES_FILE, type RateSourceRow } from './rate-sources.js'
import { parseRows, type Row } from './rows.js'
import { parseSections, SECTIONS_FILE, type SectionRow } from './sections.js'
import { parseSynonyms, SYNONYMS_FILE, type SynonymGroup } from './synonyms.js'
import { parseTitles, TITLES, type TitleRow } from './titles.js'
import { parseUnitNames, parseUnits, UNIT_NAMES_FILE, UNITS_FILE, type UnitName, type UnitRow } from './units.js'
import { parseVagueGoods, VAGUE_GOODS_FILE } from './vague-goods.js'
import { parseQueryWords, parseWordForms, QUERY_WORDS_FILE, WORD_FORMS_FILE } from './word-forms.js'

export interface Dataset {
  manifest: Manifest
  rows: Row[]
  /** Word forms and query words of the dataset, or else of the shipped one. */
  words: WordData
  synonyms: SynonymGroup[]
  /** The tables in addition to the chapter files; undefined if the file is missing. */
  rateSources: RateSourceRow[] | undefined
  sections: SectionRow[] | undefined
  editions: EditionRow[] | undefined
  nextEdition: NextEditionRow[] | undefined
  materials: MaterialRow[] | undefined
  attributes?: AttributeRow[] | undefined
  attributeValues?: AttributeValueRow[] | undefined
  brands?: BrandRow[] | undefined
  vagueGoods?: VagueGoods[] | undefined
  titles?: TitleRow[] | undefined
  notes?: NoteRow[] | undefined
  pointers?: PointerRow[] | undefined
  releases?: ReleaseRow[] | undefined
  changes?: ChangeRow[] | undefined
  units: UnitRow[] | undefined
  unitNames: UnitName[] | undefined
  /** Tables whose files are missing are empty. */
  controlTables: ControlTables
  countries: CountryTables | undefined
  glossary: GlossaryEntry[] | undefined
  acceptedKeywords: AcceptedKeyword[] | undefined
  /** Found while reading; check.ts adds the rest. */
  defects: Defect[]
  /** SHA-256 over the names and bytes of all files of the dataset. */
  digest: Buffer
}

const CHAPTERS = 'chapters/'
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The files of a dataset, in the order of the digest. */
export interface DatasetFiles {
  directory: string
  files: { name: string; bytes: Uint8Array }[]
  /** SHA-256 over the names and bytes of all files. */
  digest: Buffer
}

/** The tables in addition to the chapters. */
const TABLES = [
  SYNONYMS_FILE,
  RATE_SOURCES_FILE,
  SECTIONS_FILE,
  GLOSSARY_FILE,
  ACCEPTED_KEYWORDS_FILE,
  EDITIONS_FILE,
  NEXT_EDITION_FILE,
  MATERIALS_FILE,
  ATTRIBUTES_FILE,
  ATTRIBUTE_VALUES_FILE,
  BRANDS_FILE,
  VAGUE_GOODS_FILE,
  UNITS_FILE,
  UNIT_NAMES_FILE,
  CONTROLS_FILE,
  CONTROL_REASONS_FILE,
  CONTROL_SOURCES_FILE,
  NOTES_FILE,
  POINTERS_FILE,
  RELEASES_FILE,
  CHANGES_FILE,
]

/** Word forms do not depend on the tariff: a dataset without these tables uses the shipped ones. */
const WORD_TABLES = [WORD_FORMS_FILE, QUERY_WORDS_FILE]

export async function readFiles(directory: string): Promise<DatasetFiles> {
  const files: DatasetFiles['files'] = []
  const hash = createHash('sha256')
  const read = async (name: string, folder = directory) => {
    const bytes = await readFile(join(folder, name))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes)
    files.push({ name, bytes })
  }
  let chapters: string[]
  try {
    chapters = (await readdir(join(directory, 'chapters'))).filter(name => name.endsWith('.csv')).sort()
    await read(MANIFEST_FILE)
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? `there is no ${path}` : message
    throw new OperatorError(`${directory}: no dataset can be read here: ${reason}`)
  }
  for (const name of chapters) await read(`${CHAPTERS}${name}`)
  const beside = await readdir(directory)
  for (const name of TABLES) if (beside.includes(name)) await read(name)
  if (beside.includes('titles')) for (const name of await titleFiles(directory)) await read(name)
  if (beside.includes('countries')) for (const name of await countryFiles(directory)) await read(name)
  for (const name of WORD_TABLES) await read(name, beside.includes(name) ? directory : join(packageRoot(), 'dataset'))
  return { directory, files, digest: hash.digest() }
}

async function titleFiles(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, TITLES))
  return names
    .filter(name => name.endsWith('.csv'))
    .sort()
    .map(name => `${TITLES}${name}`)
}

/** Paths of the country tables; other files are ignored. */
async function countryFiles(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, COUNTRIES), { recursive: true })
  return names
    .map(name => `${COUNTRIES}${name.replaceAll(sep, '/')}`)
    .filter(name => name.endsWith('.csv') || name.endsWith('.json'))
    .sort()
}

export function parseDataset({ files, digest }: DatasetFiles): Dataset {
  const defects: Defect[] = []
  const decode = ({ name, bytes }: DatasetFiles['files'][number]): string => {
    try {
      return UTF8.decode(bytes)
    } catch {
      defects.push({ file: name, line: 1, message: 'the file is not valid UTF-8' })
      return ''
    }
  }
  const textOf = (name: string) => {
    const file = files.find(one => one.name === name)
    return file === undefined ? undefined : decode(file)
  }
  const parse = <Parsed>(name: string, parseText: (text: string, defects: Defect[]) => Parsed) => {
    const text = textOf(name)
    return text === undefined ? undefined : parseText(text, defects)
  }
  const manifest = parse(MANIFEST_FILE, parseManifest) as Manifest
  const words: WordData = {
    ...NO_WORDS,
    ...parse(WORD_FORMS_FILE, parseWordForms),
    ...parse(QUERY_WORDS_FILE, parseQueryWords),
  }
  const stemmer = new Stemmer(words)
  const rows: Row[] = []
  for (const file of files) {
    if (!file.name.startsWith(CHAPTERS)) continue
    // one by one, because a chapter may have more rows than a call accepts arguments
    for (const row of parseRows(decode(file), file.name, defects)) rows.push(row)
  }
  if (rows.length === 0 && defects.length === 0) {
    defects.push({ file: 'chapters', line: 1, message: 'the dataset has no rows' })
  }
  return {
    manifest,
    rows,
    words,
    synonyms: parse(SYNONYMS_FILE, (text, defectList) => parseSynonyms(text, defectList, stemmer)) ?? [],
    rateSources: parse(RATE_SOURCES_FILE, parseRateSources),
    sections: parse(SECTIONS_FILE, parseSections),
    glossary: parse(GLOSSARY_FILE, parseGlossary),
    acceptedKeywords: parse(ACCEPTED_KEYWORDS_FILE, parseAcceptedKeywords),
    editions: parse(EDITIONS_FILE, parseEditions),
    nextEdition: parse(NEXT_EDITION_FILE, parseNextEdition),
    materials: parse(MATERIALS_FILE, (text, defectList) => parseMaterials(text, defectList, stemmer)),
    notes: parse(NOTES_FILE, parseNotes),
    pointers: parse(POINTERS_FILE, parsePointers),
    releases: parse(RELEASES_FILE, parseReleases),
    changes: parse(CHANGES_FILE, parseChanges),
    attributes: parse(ATTRIBUTES_FILE, parseAttributes),
    attributeValues: parse(ATTRIBUTE_VALUES_FILE, (text, defectList) => parseAttributeValues(text, defectList, stemmer)),
    brands: parse(BRANDS_FILE, parseBrands),
    vagueGoods: parse(VAGUE_GOODS_FILE, (text, defectList) => parseVagueGoods(text, defectList, stemmer)),
    units: parse(UNITS_FILE, parseUnits),
    unitNames: parse(UNIT_NAMES_FILE, parseUnitNames),
    controlTables: {
      controls: parse(CONTROLS_FILE, parseControls) ?? [],
      reasons: parse(CONTROL_REASONS_FILE, parseControlReasons) ?? [],
      sources: parse(CONTROL_SOURCES_FILE, parseControlSources) ?? [],
    },
    titles: files.filter(({ name }) => name.startsWith(TITLES)).flatMap(file => parseTitles(decode(file), file.name, defects)),
    countries: parseCountries(
      files.map(({ name }) => name),
      textOf,
      defects,
    ),
    defects,
    digest,
  }
}

export async function readDataset(directory: string): Promise<Dataset> {
  return parseDataset(await readFiles(directory))
}
