import type { Catalog } from '../../catalog/catalog.js'
import { LANGUAGES } from '../../limits.js'
import { bytes } from '../bytes.js'
import type { HttpRequest } from '../engine.js'
import type { KeptBody } from '../kept.js'
import type { Responder } from '../respond.js'

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

/** One answer, always the same. */
export class DatasetHandler {
  readonly #data: Uint8Array
  #kept: KeptBody | undefined

  constructor(catalog: Catalog) {
    this.#data = bytes(renderDataset(catalog))
  }

  handle(_req: HttpRequest, out: Responder): void {
    this.#kept ??= out.keep(this.#data)
    out.endKept(this.#kept)
  }
}
