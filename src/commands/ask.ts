/** Helpers for commands that query the catalog: open it, read codes, turn refusals into exit codes. */
import { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { Decisions } from '../catalog/decisions.js'
import { escapeControls } from '../control-characters.js'
import { readDecisions } from '../decisions/decisions-file.js'
import { OperatorError, UnmetError } from '../errors.js'
import { laterSources } from '../questions/codes.js'
import { readCountry } from '../questions/country.js'
import { type Include, type IncludeName, readInclude } from '../questions/include.js'
import { Refusal } from '../questions/refusal.js'
import { ownEdition, type Resolved, Resolver } from '../questions/resolve.js'
import { readConfig } from '../settings/config.js'
import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { loadSnapshot } from '../snapshot/load.js'
import { snapshotInUse, snapshotLine } from '../snapshot-in-use.js'
import { text, type Values } from './command.js'

export const SNAPSHOT_FLAG = { snapshot: text }
export const SNAPSHOT_HELP =
  '--snapshot FILE  the compiled dataset (default: HSAPI_SNAPSHOT, then hs.snapshot in HSAPI_DATA_DIR, then the shipped one)'
export const INCLUDE_FLAG = { include: text }
export const COUNTRY_FLAGS = { country: text, 'as-of': text }
export const COUNTRY_HELP = `--country CC     rates of a country: ${COUNTRY_CODES.join(', ')} (default: the common tariff)
  --as-of DAY      with --country: use the country's newest list up to this day, YYYY-MM-DD`

/** Opens the snapshot together with the company's own decisions, if HSAPI_DECISIONS names a file. */
export async function openCatalog(values: Values): Promise<Catalog> {
  const catalog = await openSnapshot(values)
  const { decisions } = readConfig(process.env)
  if (decisions !== undefined) catalog.decisions = new Decisions(await readDecisions(decisions))
  return catalog
}

/** Opens the snapshot without decisions. Names it on standard error unless it was set by --snapshot or is the shipped one. */
export async function openSnapshot(values: Values): Promise<Catalog> {
  if (values.snapshot !== undefined) return new Catalog(await loadSnapshot(String(values.snapshot)))
  const inUse = snapshotInUse(readConfig(process.env))
  // printed before loading, so that the user knows which snapshot failed if loading fails
  if (inUse.origin !== 'shipped') process.stderr.write(`${snapshotLine(inUse)}\n`)
  return new Catalog(await loadSnapshot(inUse.file))
}

/** Returns undefined without the flag, and NaN for an invalid number, which is then refused like any wrong parameter. */
export function numberOf(values: Values, name: string): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  return /^[0-9]{1,15}$/.test(String(given)) ? Number(given) : Number.NaN
}

export function includeOf(values: Values, allowed: readonly IncludeName[]): Include | undefined {
  return answerOrThrow(readInclude(String(values.include ?? ''), allowed))
}

export function countryOf(values: Values, catalog: Catalog): CountryView | undefined {
  return answerOrThrow(readCountry(catalog, { country: String(values.country ?? ''), asOf: String(values['as-of'] ?? '') }))
}

const NAMES: Readonly<Record<string, string>> = {
  q: 'WORDS',
  text: 'TEXT',
  value: 'VALUE',
  hs_code: '--code',
  vat_rate: '--vat',
  as_of: '--as-of',
}
const PARAMETER = /^The (?:parameter (\w+)|(\w+) parameter)/

/** Throws a refusal as an error that names flags instead of parameters. `where` is put before its message. */
export function answerOrThrow<Answer>(answer: Answer | Refusal, where = ''): Answer {
  if (!(answer instanceof Refusal)) return answer
  const message =
    where +
    answer.message.replace(PARAMETER, (_, first, second) => {
      const name = first ?? second
      return NAMES[name] ?? `--${name}`
    })
  throw answer.name === 'notFound' ? new UnmetError(message) : new OperatorError(message)
}

function shortLine({ records }: Catalog, record: number): string {
  return escapeControls(`${records.code(record)}  ${records.description(record).en}`)
}

/**
 * Finds a code in any notation that people use. Reports on standard error if the code that was found is written differently.
 */
export function findWritten(catalog: Catalog, written: string): number {
  const resolved = new Resolver(catalog, ownEdition(catalog)).resolve(written)
  const { status, record, reason } = resolved
  if (status === 'invalid') throw new OperatorError(`"${escapeControls(written)}" is not an HS code. ${reason}`)
  if (record < 0) throw new UnmetError(notFoundMessage(catalog, resolved))
  if (status !== 'found') process.stderr.write(`hsapi: ${escapeControls(written)} is read as ${catalog.records.code(record)}\n`)
  return record
}

function notFoundMessage(catalog: Catalog, { input, status, nearest, candidates }: Resolved): string {
  const written = escapeControls(input)
  const codes = (title: string, records: readonly number[]) => records.map(record => `${title}  ${shortLine(catalog, record)}`)
  if (status === 'ambiguous') return [`${written} may be one of several codes`, ...codes('perhaps', candidates)].join('\n')
  const comesFrom = candidates.length > 0 ? [] : laterSources(catalog, input).map(code => catalog.trie.find(code))
  const later = comesFrom.length > 0 ? `; HS ${catalog.nextEdition.year} has it` : ''
  return [
    `HS code ${written} is not in the dataset${candidates.length > 0 ? '; an earlier edition had it' : later}`,
    ...codes('moved_to', candidates),
    ...codes('comes_from', comesFrom),
    ...codes('nearest ', nearest < 0 ? [] : [nearest]),
  ].join('\n')
}
