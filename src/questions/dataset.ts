import type { Catalog } from '../catalog/catalog.js'
import { LANGUAGES } from '../limits.js'

/** The answer of /api/v1/dataset, shared by all interfaces. */
export function dataset({ id, meta, level }: Catalog) {
  const { edition, version, records, lineDigits, vatRate, rates, commonRates } = meta
  const levels = new Map<number, number>()
  for (const digits of level) levels.set(digits, (levels.get(digits) ?? 0) + 1)
  return {
    edition,
    version,
    snapshot: id,
    records,
    levels: Object.fromEntries(levels),
    line_digits: [...lineDigits],
    vat_rate: Number(vatRate),
    languages: [...LANGUAGES],
    rates: rates.slice(0, commonRates).map(Number),
  }
}
