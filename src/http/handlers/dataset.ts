import type { Catalog } from '../../catalog/catalog.js'
import { LANGUAGES } from '../../limits.js'
import { ConstantHandler } from './constant.js'

function renderDataset({ id, meta, level }: Catalog): string {
  const { edition, version, records, lineDigits, vatRate, rates } = meta
  const levels = new Map<number, number>()
  for (const digits of level) levels.set(digits, (levels.get(digits) ?? 0) + 1)
  return JSON.stringify({
    edition,
    version,
    snapshot: id,
    records,
    levels: Object.fromEntries([...levels].sort(([a], [b]) => a - b)),
    line_digits: lineDigits,
    vat_rate: Number(vatRate),
    languages: LANGUAGES,
    rates: rates.map(Number),
  })
}

export class DatasetHandler extends ConstantHandler {
  constructor(catalog: Catalog) {
    super(renderDataset(catalog))
  }
}
