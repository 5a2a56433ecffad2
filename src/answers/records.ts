/** Records and resolved codes, in the form that HTTP, library and commands return. */
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { renderRate } from '../catalog/records.js'
import { LANGUAGES, NOTES_MAX } from '../limits.js'
import { type Include, NOTHING } from '../questions/include.js'
import type { Resolved } from '../questions/resolve.js'
import { controlsOf } from './controls.js'
import { countryTermsOf } from './country-terms.js'
import { type Fields, pickFields } from './fields.js'
import { includedListsJson } from './included-lists.js'
import { seeAlsoJson, touchingNotesJson } from './notes.js'
import { rateOriginOf } from './rate-origin.js'
import type { Description, Examples, Resolved as ResolvedValue, Unit } from './shapes.js'

/** The unit of a code; null if the dataset has none, or if the codes below have different units. */
export function unitOf(catalog: Catalog, record: number): Unit | null {
  const found = catalog.unitOf(record)
  if (found === undefined) return null
  const { code, en, ar, certainty, unece } = found
  return { code, name: { en, ar }, certainty, unece }
}

/** Short descriptions of at most `charsMax` characters; null unless both languages have one. */
export function shortOf({ source, shortNames }: Catalog, record: number, charsMax: number): Description | null {
  const [en, ar] = LANGUAGES.map(language => shortNames.of(source[record], language, charsMax))
  return en === '' || ar === '' ? null : { en, ar }
}

export function examplesOf({ names }: Catalog, record: number): Examples {
  return { en: names.of(record, 'en'), ar: names.of(record, 'ar') }
}

/**
 * Earlier editions, newest first, then the next one. The JSON is written by hand, because an object would sort its numeric
 * keys.
 */
function editionsJson(catalog: Catalog, record: number): string {
  const { editions, nextEdition } = catalog
  const lists = editions.years.map(year => `"${year}":${JSON.stringify(catalog.earlierCodes(record, year))}`)
  if (nextEdition.year !== '') lists.push(`"${nextEdition.year}":${JSON.stringify(catalog.laterCodes(record))}`)
  return `{${lists.join()}}`
}

/** Adds only the rate to the records of an included list. */
const RATE_ONLY: Include = { ...NOTHING, rate: true }

/** JSON of the fields that `include` adds to a record, each after a comma. `path` goes from the chapter down to the parent. */
export function extrasJson(catalog: Catalog, record: number, include: Include, view?: CountryView): string {
  const { path, editions, rate, unit, notes, see_also: seeAlso, controls, examples, short } = include
  let json = ''
  if (path) {
    const steps = catalog.above(record).reverse()
    json += `,"path":[${steps.map(at => `${catalog.records.headText(at)}}`).join()}]`
  }
  if (editions) {
    json += `,"editions":${editionsJson(catalog, record)}`
  }
  if (rate) json += `,"rate":${JSON.stringify(rateOriginOf(catalog, record, view))}`
  if (unit) json += `,"unit":${JSON.stringify(unitOf(catalog, record))}`
  if (notes) json += `,"notes":${touchingNotesJson(catalog, record, include.ofOneRecord ? undefined : NOTES_MAX)}`
  if (seeAlso) json += `,"see_also":${seeAlsoJson(catalog, record)}`
  if (controls) json += `,"controls":${JSON.stringify(controlsOf(catalog, record, view?.country.code))}`
  if (examples) json += `,"examples":${JSON.stringify(examplesOf(catalog, record))}`
  if (short) json += `,"short":${JSON.stringify(shortOf(catalog, record, include.shortMax))}`
  const ofItems = rate ? RATE_ONLY : undefined
  json += includedListsJson(catalog, record, include, item => recordJson(catalog, item, ofItems, view))
  if (include.countries) json += `,"countries":${JSON.stringify(countryTermsOf(catalog, record, include.day))}`
  return json
}

/** Adds the included fields and the closing brace to `json`, which lacks this brace. */
function withExtras(
  json: string,
  catalog: Catalog,
  record: number,
  include: Include | undefined,
  view: CountryView | undefined,
): string {
  return `${json}${include === undefined ? '' : extrasJson(catalog, record, include, view)}}`
}

export function recordText({ records }: Catalog, record: number, view?: CountryView): string {
  return view === undefined ? records.text(record) : records.textWithRate(record, view.rateIndex(record))
}

/** A record as JSON. `fields` limits its own fields, but not the fields that `include` adds. */
export function recordJson(catalog: Catalog, record: number, include?: Include, view?: CountryView, fields?: Fields): string {
  const text = recordText(catalog, record, view)
  return withExtras(picked(text, fields).slice(0, -1), catalog, record, include, view)
}

const picked = (json: string, fields: Fields | undefined) => (fields === undefined ? json : pickFields(json, fields))

/** A record as search results show it. `phrase` comes from `matchedPhrases`. */
export function resultJson(
  catalog: Catalog,
  record: number,
  include?: Include,
  phrase = -1,
  view?: CountryView,
  fields?: Fields,
): string {
  const text = `${catalog.records.headText(record)}${renderRate((view ?? catalog).rateText(record))}}`
  const json = withExtras(picked(text, fields).slice(0, -1), catalog, record, include, view)
  if (include?.matched !== true) return json
  return `${json.slice(0, -1)},"matched":${JSON.stringify(phrase < 0 ? null : catalog.names.ofPhrase(phrase))}}`
}

/** A resolved code without its record, which each interface renders in its own way. */
export function resolvedFields(
  { records, level, lines }: Catalog,
  { input, status, record, candidates, nearest }: Resolved,
): Omit<ResolvedValue, 'record' | 'reason'> {
  return {
    input,
    status,
    hs_code: record < 0 ? null : records.code(record),
    declarable: record >= 0 && level[record] === lines.longest,
    lines: record < 0 ? 0 : lines.countBelow(record),
    nearest: nearest < 0 ? null : records.code(nearest),
    candidates: candidates.map(candidate => records.code(candidate)),
  }
}

export function resolvedJson(catalog: Catalog, resolved: Resolved, view?: CountryView): string {
  const { record, reason } = resolved
  const fields = JSON.stringify(resolvedFields(catalog, resolved)).slice(0, -1)
  const reasonJson = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`
  return `${fields},"record":${record < 0 ? 'null' : recordJson(catalog, record, undefined, view)}${reasonJson}}`
}
