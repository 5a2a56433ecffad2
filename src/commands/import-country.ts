/** `hsapi import --as-country`: converts an official list to a layer for `hsapi build --layer`. */
import { join } from 'node:path'
import { importCountry } from '../../build/importers/as-country.js'
import { type CountryFacts, FACT_FILES, factsOfDataset, factsOfSnapshot } from '../../build/importers/country-facts.js'
import { LAYOUTS } from '../../build/importers/import.js'
import type { ColumnMap, Layout } from '../../build/importers/layout.js'
import { OperatorError } from '../errors.js'
import { packageRootIfAny } from '../package-root.js'
import type { CountryCode } from '../snapshot/country-format.js'
import { SnapshotError } from '../snapshot/format.js'
import { loadSnapshot } from '../snapshot/load.js'
import { shippedSnapshot } from '../snapshot-in-use.js'
import type { Print, Values } from './command.js'
import { printLines } from './import-report.js'
import { progressBar } from './progress.js'
import { dayOf } from './values.js'

interface Request {
  file: string
  layout: Layout
  map: ColumnMap
  out: string
  values: Values
  print: Print
}

/** Flags for descriptions, which a layer does not have, and for missing rates, which a layer does not guess. */
const DATASET_ONLY = ['rates', 'default-rate', 'allow-missing', 'self-contained', 'edition', 'vat']

type CountryLayout = Layout & Required<Pick<Layout, 'country'>>

function countryLayout(layout: Layout, given: string): CountryLayout {
  if (layout.country === undefined) {
    const names = [...LAYOUTS.values()].flatMap(({ name, country }) => (country ? [`${name} (${country.code})`] : []))
    throw new OperatorError(`--as-country needs the list of a country, --layout ${names.join(' or ')}; ${layout.name} is not one`)
  }
  if (layout.country.code === given.toUpperCase()) return layout as CountryLayout
  throw new OperatorError(`--as-country is "${given}", but --layout ${layout.name} is the list of ${layout.country.code}`)
}

/** Reads the facts about a country from the shipped source files, which only a checkout has, or from the shipped snapshot. */
async function knownFacts(code: CountryCode): Promise<CountryFacts | undefined> {
  const root = packageRootIfAny()
  const facts = root === undefined ? undefined : await factsOfDataset(join(root, 'dataset'), code)
  if (facts !== undefined) return facts
  try {
    const { meta } = await loadSnapshot(shippedSnapshot())
    const country = meta.countries.find(other => other.code === code)
    return country === undefined ? undefined : factsOfSnapshot(country)
  } catch (error) {
    if (error instanceof SnapshotError) return undefined
    throw error
  }
}

function printMissing(facts: CountryFacts | undefined, out: string, print: Print): void {
  const tables = FACT_FILES.filter(name => !facts?.tables.has(name))
  if (tables.length > 0) print(`tables not written, so that build --layer keeps those of the base snapshot: ${tables.join(', ')}`)
  if (facts === undefined)
    print(`country.json is missing: add name, currency, VAT and the list to ${out}; see docs/own-tariff.md`)
}

export async function importAsCountry({ file, layout, map, out, values, print }: Request): Promise<void> {
  const layoutOfCountry = countryLayout(layout, String(values['as-country']))
  const useless = DATASET_ONLY.find(name => values[name] !== undefined)
  if (useless !== undefined) throw new OperatorError(`--${useless} has no effect with --as-country; leave it out`)
  const { code } = layoutOfCountry.country
  const date = dayOf(values)
  const facts = await knownFacts(code)
  const bar = progressBar(file)
  const progress = (part: number, rows: number) => bar.draw(part, `${rows} rows`)
  const summary = await importCountry({ file, layout: layoutOfCountry, map, date, out, facts, progress }).finally(bar.clear)
  const { total, prohibited, unknown } = summary.lines
  print(`${file}: ${summary.rowsRead} rows read`)
  print(`${out}: ${code}, list of ${summary.date}${date === undefined ? ' (newest record; --date sets another day)' : ''}`)
  print(`${total} lines: ${total - prohibited - unknown.length} with a rate, ${prohibited} prohibited`)
  printLines('lines for which the file has no import rate', unknown, print)
  if (summary.titles > 0) print(`titles of sub-chapters left out: ${summary.titles}`)
  printLines('rows skipped', summary.skipped, print)
  printMissing(facts, out, print)
  print(`Next: hsapi build --base SNAPSHOT --layer ${code}=${out} --out FILE`)
}
