import { Catalog } from '../catalog/catalog.js'
import { OperatorError } from '../errors.js'
import type { ThreadSettings } from '../settings/table.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'

/** With the default country of the settings, which the snapshot must have. */
export function servedCatalog(parts: SnapshotParts, { country }: Pick<ThreadSettings, 'country'>): Catalog {
  const known = parts.meta.countries.map(({ code }) => code)
  if (country !== undefined && !known.includes(country))
    throw new OperatorError(
      `HSAPI_COUNTRY is "${country}", but the snapshot has ${known.length === 0 ? 'no countries' : `only ${known.join(', ')}`}`,
    )
  return new Catalog(assemble(parts), country)
}
