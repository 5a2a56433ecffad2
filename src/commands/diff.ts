import { Catalog } from '../catalog/catalog.js'
import { isoDay } from '../clock.js'
import { escapeControls } from '../control-characters.js'
import { OperatorError } from '../errors.js'
import { type AddedOrRemovedCode, type Change, type Difference, difference, type Words } from '../questions/diff.js'
import type { TermsChange } from '../questions/diff-terms.js'
import { loadSnapshot } from '../snapshot/load.js'
import { sideText } from './changed-text.js'
import { type Command, flag, type Print, text } from './command.js'
import { type Versions, writeChanges } from './diff-changes.js'
import { bold } from './terminal.js'
import { dayOf } from './values.js'

function datasetSummary({ id, meta }: Catalog) {
  const { edition, version, records, vatRate } = meta
  return { edition, version, snapshot: id, records, vat_rate: Number(vatRate) }
}

type DatasetSummary = ReturnType<typeof datasetSummary>

function differenceJson(
  before: DatasetSummary,
  after: DatasetSummary,
  { added, removed, words, rates, active, ...terms }: Difference,
): string {
  const codeJson = ({ rate, ...code }: AddedOrRemovedCode) => ({ ...code, tariff_rate: Number(rate) })
  return JSON.stringify({
    old: before,
    new: after,
    added: added.map(codeJson),
    removed: removed.map(codeJson),
    words,
    rates: rates.map(({ hs_code, old, new: now }) => ({ hs_code, old: Number(old), new: Number(now) })),
    active,
    ...terms,
  })
}

function summaryLine(name: string, { edition, version, snapshot, records, vat_rate }: DatasetSummary): string {
  const dataset = version === '' ? edition : `${edition}, ${version}`
  return `${name}  ${escapeControls(dataset)}: ${records} records, VAT ${vat_rate} % (snapshot ${snapshot})`
}

function wordLines({ hs_code: code, old, new: now }: Change<Words>): string[] {
  return (['en', 'ar'] as const).flatMap(language =>
    old[language] === now[language] ? [] : [`${code}  - ${old[language]}`, `${' '.repeat(code.length)}  + ${now[language]}`],
  )
}

function termsLine({ hs_code: code, country, old, new: now }: TermsChange): string {
  return `${country === undefined ? code : `${code}  ${country}`}  ${sideText(old)} → ${sideText(now)}`
}

function printDifference(before: DatasetSummary, after: DatasetSummary, found: Difference, print: Print): void {
  const codeLine = ({ hs_code, description, rate }: AddedOrRemovedCode) => `${hs_code}  ${rate} %  ${description.en}`
  const activeText = (active: boolean) => (active ? 'active' : 'inactive')
  const parts: [string, (string | string[])[]][] = [
    ['codes added', found.added.map(codeLine)],
    ['codes removed', found.removed.map(codeLine)],
    ['rates changed', found.rates.map(({ hs_code, old, new: now }) => `${hs_code}  ${old} % → ${now} %`)],
    [
      'codes activated or deactivated',
      found.active.map(({ hs_code, old, new: now }) => `${hs_code}  ${activeText(old)} → ${activeText(now)}`),
    ],
    ['descriptions changed', found.words.map(wordLines)],
    ['rates of a country changed', found.country_rate.map(termsLine)],
    ['taxes of a country changed', found.taxes.map(termsLine)],
    ['controls changed', found.controls.map(termsLine)],
    ['units changed', found.unit.map(termsLine)],
  ]
  print(summaryLine('old', before))
  print(summaryLine('new', after))
  for (const [title, changes] of parts) print(`${String(changes.length).padStart(6)} ${title}`)
  for (const [title, changes] of parts) {
    if (changes.length === 0) continue
    print(`\n${bold(title)}`)
    for (const line of changes.flat()) print(escapeControls(line))
  }
}

/** Both snapshots must have a version, and the versions must differ. */
function versionsOf(before: DatasetSummary, after: DatasetSummary): Omit<Versions, 'date'> {
  for (const [name, { version }] of [
    ['OLD', before],
    ['NEW', after],
  ] as const)
    if (version === '') throw new OperatorError(`${name} has no version: set "version" in manifest.json and build it again`)
  if (before.version === after.version)
    throw new OperatorError(`both snapshots have version ${after.version}; raise "version" in manifest.json and build NEW again`)
  return { before: before.version, version: after.version }
}

const HELP = `Usage: hsapi diff OLD NEW [--json]
       hsapi diff OLD NEW --changes DIR [--date YYYY-MM-DD]

Shows the differences between two snapshots: codes added and removed, rates changed, codes activated or deactivated,
descriptions changed, and changes to rates and taxes of countries, controls and units. Counts come first, then each change.
Padded lines that only repeat another code are left out. Terms of a country are listed at the shortest code whose lines all changed
in the same way. The exit code is always 0.

With --changes, writes the differences into changes.csv of a dataset, and the version of NEW into releases.csv. Snapshots that are
then built from the dataset list them in /api/v1/changes. Existing rows of that version are replaced; its summary is kept.

  --json           one object: old, new, added, removed, words, rates, active, country_rate, taxes, controls, unit
  --changes DIR    the dataset whose tables are written
  --date DAY       day of the version (today); taxes that ended before it are not compared`

export const diffCommand: Command = {
  help: HELP,
  flags: { json: flag, changes: text, date: text },
  words: ['OLD', 'NEW'],
  run: async (values, [old, now], print) => {
    const before = new Catalog(await loadSnapshot(old))
    const after = new Catalog(await loadSnapshot(now))
    const day = dayOf(values) ?? isoDay(Date.now())
    const found = difference(before, after, day)
    const sides = [datasetSummary(before), datasetSummary(after)] as const
    if (values.changes !== undefined) {
      const directory = String(values.changes)
      const versions = { ...versionsOf(...sides), date: day }
      const count = await writeChanges(directory, versions, found)
      const changes = count === 1 ? '1 change' : `${count} changes`
      return print(`${directory}: ${changes} from ${versions.before} to ${versions.version} recorded`)
    }
    if (values.date !== undefined) throw new OperatorError('--date needs --changes')
    if (values.json === true) print(differenceJson(...sides, found))
    else printDifference(...sides, found, print)
  },
}
