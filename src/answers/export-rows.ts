/** Records as rows of one flat table, for `hsapi export` and the library. */
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { rateOriginOf } from './rate-origin.js'
import { unitOf } from './records.js'
import type { ExportRow } from './shapes.js'

type Kind = 'text' | 'code' | 'codes' | 'number' | 'flag'

const COLUMNS = {
  hs_code: 'code',
  level: 'number',
  parent: 'code',
  path: 'codes',
  description_en: 'text',
  description_ar: 'text',
  unit: 'text',
  unit_en: 'text',
  unit_ar: 'text',
  tariff_rate: 'number',
  rate_min: 'number',
  rate_max: 'number',
  rate_status: 'text',
  rate_from: 'code',
  rate_source: 'text',
  rate_certainty: 'text',
  is_active: 'flag',
  unit_unece: 'text',
} as const satisfies Partial<Record<keyof ExportRow, Kind>>

const COUNTRY_COLUMNS = { country: 'text', rate_list: 'text', rate_date: 'text' } as const satisfies Partial<
  Record<keyof ExportRow, Kind>
>

/** Names and kinds of the columns, in order. The columns for a country come last. */
export function exportColumns(withCountry: boolean): { name: keyof ExportRow; kind: Kind }[] {
  const kinds: Partial<Record<keyof ExportRow, Kind>> = withCountry ? { ...COLUMNS, ...COUNTRY_COLUMNS } : COLUMNS
  return Object.entries(kinds).map(([name, kind]) => ({ name: name as keyof ExportRow, kind }))
}

export function exportRowOf(catalog: Catalog, record: number, view?: CountryView): ExportRow {
  const { records, level, active } = catalog
  const { en, ar } = records.description(record)
  const path = catalog
    .above(record)
    .reverse()
    .map(above => records.code(above))
  const unit = unitOf(catalog, record)
  const rate = rateOriginOf(catalog, record, view)
  return {
    hs_code: records.code(record),
    level: level[record],
    parent: path.at(-1) ?? null,
    path,
    description_en: en,
    description_ar: ar,
    unit: unit?.code ?? null,
    unit_en: unit?.name.en ?? null,
    unit_ar: unit?.name.ar ?? null,
    tariff_rate: Number((view ?? catalog).rateText(record)),
    rate_min: rate.min,
    rate_max: rate.max,
    rate_status: rate.status,
    rate_from: rate.from,
    rate_source: rate.source,
    rate_certainty: rate.certainty,
    is_active: active[record] === 1,
    unit_unece: unit?.unece ?? null,
    ...(view !== undefined && { country: view.country.code, rate_list: rate.list ?? null, rate_date: rate.date ?? null }),
  }
}
