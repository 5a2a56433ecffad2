/** The parts of a country layer other than rates: currency, VAT, taxes, fees and thresholds, copied from the shipped layer. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CountryCode, CountryMeta } from '../../src/snapshot/country-format.js'
import { FEES_FILE, THRESHOLDS_FILE } from '../dataset/countries/charges.js'
import { COUNTRY_FILE, type CountryFile } from '../dataset/countries/country-file.js'
import { COUNTRIES, LAYER_FILES, parseLayer } from '../dataset/countries/layers.js'
import { parseSources, SOURCES_FILE } from '../dataset/countries/sources.js'
import { TAXES_FILE } from '../dataset/countries/taxes.js'

export interface CountryFacts {
  country: Omit<CountryFile, 'coverage' | 'lists'>
  /** Texts by file name. */
  tables: ReadonlyMap<string, string>
  /** Key and text. */
  sources: readonly [source: string, text: string][]
}

/** Files of a layer with data that official tariff lists lack. */
export const FACT_FILES = [TAXES_FILE, FEES_FILE, THRESHOLDS_FILE]

/** Reads the facts from the source files of a dataset; undefined if the dataset lacks the country. */
export async function factsOfDataset(dataset: string, code: CountryCode): Promise<CountryFacts | undefined> {
  const folder = `${COUNTRIES}${code}/`
  if (!existsSync(join(dataset, folder, COUNTRY_FILE))) return undefined
  const texts = new Map<string, string>()
  const names = [`${COUNTRIES}${SOURCES_FILE}`, ...LAYER_FILES.map(name => folder + name)]
  for (const name of names) if (existsSync(join(dataset, name))) texts.set(name, await readFile(join(dataset, name), 'utf8'))
  const shared = parseSources(texts.get(`${COUNTRIES}${SOURCES_FILE}`) ?? '', SOURCES_FILE, [])
  const { country, taxes, fees, thresholds, sources } = parseLayer(code, folder, name => texts.get(name), shared, [])
  const sourced = [...(country.peg === null ? [] : [country.peg]), country.vat, ...taxes, ...fees, ...thresholds]
  const used = [...new Set(sourced.map(({ source }) => source))].sort()
  const tables = FACT_FILES.flatMap(name => {
    const text = texts.get(folder + name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const { coverage: _, lists: __, ...facts } = country
  return { country: facts, tables: new Map(tables), sources: used.map(source => [source, sources.get(source) ?? '']) }
}

/** Reads the facts from a snapshot. It has no source files, so taxes, fees and thresholds are missing. */
export function factsOfSnapshot({ name, currency, decimals, peg, vat, sources }: CountryMeta): CountryFacts {
  const key = (place: number) => `base-${place + 1}`
  const places = new Set([...(peg === null ? [] : [peg]), vat].map(({ source }) => source))
  return {
    country: {
      name,
      currency,
      decimals,
      peg: peg === null ? null : { ...peg, source: key(peg.source) },
      vat: { ...vat, source: key(vat.source) },
    },
    tables: new Map(),
    sources: [...places].map(place => [key(place), sources[place]]),
  }
}
