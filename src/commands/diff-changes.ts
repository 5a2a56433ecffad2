/** Writes the changes of a new version into the tables of a dataset: `releases.csv` and `changes.csv`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CHANGE_COLUMNS,
  CHANGES_FILE,
  CHANGES_MAX,
  type ChangeRow,
  COMMON_CHANGE_COLUMNS,
  parseChanges,
  parseReleases,
  RELEASE_COLUMNS,
  RELEASES_FILE,
  type ReleaseRow,
} from '../../build/dataset/changes.js'
import type { Defect } from '../../build/dataset/defect.js'
import { OperatorError } from '../errors.js'
import { writeAtomic } from '../files/atomic-file.js'
import type { Difference } from '../questions/diff.js'
import type { TermsChange } from '../questions/diff-terms.js'
import { termsText } from '../snapshot/changed-terms.js'
import { CHANGE_KINDS, type ChangeKind } from '../snapshot/format.js'
import { csvCells } from '../tables/csv-text.js'
import { refuseDefects } from './defects.js'

type Cells = Partial<Record<(typeof CHANGE_COLUMNS)[number], string>>
type Words = { en: string; ar: string }

const oldWords = ({ en, ar }: Words): Cells => ({ old_en: en, old_ar: ar })
const newWords = ({ en, ar }: Words): Cells => ({ new_en: en, new_ar: ar })

const termsCells = ({ hs_code, country, old, new: now }: TermsChange): Cells => ({
  hs_code,
  country: country ?? '',
  old: termsText(old),
  new: termsText(now),
})

function changesOf(found: Difference): Record<ChangeKind, Cells[]> {
  return {
    added: found.added.map(({ hs_code, rate, description }) => ({ hs_code, new: rate, ...newWords(description) })),
    removed: found.removed.map(({ hs_code, rate, description }) => ({ hs_code, old: rate, ...oldWords(description) })),
    rate: found.rates.map(({ hs_code, old, new: now }) => ({ hs_code, old, new: now })),
    active: found.active.map(({ hs_code, old, new: now }) => ({ hs_code, old: String(Number(old)), new: String(Number(now)) })),
    words: found.words.map(({ hs_code, old, new: now }) => ({ hs_code, ...oldWords(old), ...newWords(now) })),
    country_rate: found.country_rate.map(termsCells),
    taxes: found.taxes.map(termsCells),
    controls: found.controls.map(termsCells),
    unit: found.unit.map(termsCells),
  }
}

async function readRows<Row>(directory: string, name: string, parse: (text: string, defects: Defect[]) => Row[]): Promise<Row[]> {
  const file = join(directory, name)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  }
  const defects: Defect[] = []
  const rows = parse(text, defects)
  refuseDefects(directory, defects, 'nothing')
  return rows
}

function csvOf<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, string>>[]): string {
  return [columns, ...rows.map(row => columns.map(name => row[name] ?? ''))].map(cells => `${csvCells(cells)}\n`).join('')
}

export interface Versions {
  before: string
  version: string
  date: string
}

/** Replaces the rows of this version, keeps its summary, and returns the number of changes. */
export async function writeChanges(directory: string, { before, version, date }: Versions, found: Difference): Promise<number> {
  const [releasesFile, changesFile] = [join(directory, RELEASES_FILE), join(directory, CHANGES_FILE)]
  const releases = await readRows<ReleaseRow>(directory, RELEASES_FILE, parseReleases)
  const others = releases.filter(release => release.version !== version)
  const newest = others[0]?.version
  if (newest !== undefined && newest !== before)
    throw new OperatorError(`${releasesFile}: the newest version before ${version} is ${newest}, but OLD is ${before}`)
  const summary = releases.find(release => release.version === version)
  const release = { summary_en: '', summary_ar: '', ...summary, version, before, date }
  const lists = changesOf(found)
  const newRows = CHANGE_KINDS.flatMap(kind => lists[kind].map(cells => ({ ...cells, version, kind })))
  const otherRows = (await readRows<ChangeRow>(directory, CHANGES_FILE, parseChanges)).filter(
    change => change.version !== version,
  )
  if (newRows.length + otherRows.length > CHANGES_MAX)
    throw new OperatorError(`${changesFile}: more than ${CHANGES_MAX} rows; delete the oldest versions from both tables`)
  const write = (file: string, text: string) =>
    writeAtomic(file, text).catch(error => {
      throw new OperatorError(`${file}: ${(error as Error).message}`)
    })
  const rows: Cells[] = [...newRows, ...otherRows]
  const columns = rows.some(({ country = '' }) => country !== '') ? CHANGE_COLUMNS : COMMON_CHANGE_COLUMNS
  await write(changesFile, csvOf(columns, rows))
  await write(releasesFile, csvOf(RELEASE_COLUMNS, [release, ...others]))
  return newRows.length
}
