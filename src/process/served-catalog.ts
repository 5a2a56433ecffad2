import { Catalog } from '../catalog/catalog.js'
import { Decisions, type DecisionTable } from '../catalog/decisions.js'
import { OperatorError } from '../errors.js'
import type { Server } from '../http/server.js'
import type { ThreadSettings } from '../settings/table.js'
import { nextTurn } from '../slices.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'

/** The data that every thread serves. */
export interface ServedParts extends SnapshotParts {
  decisions?: DecisionTable | undefined
}

/** Assembles a catalog with the default country of the settings; throws if the snapshot does not have that country. */
function servedCatalog(parts: ServedParts, { country }: Pick<ThreadSettings, 'country'>): Catalog {
  const codes = parts.meta.countries.map(({ code }) => code)
  if (country !== undefined && !codes.includes(country))
    throw new OperatorError(
      `HSAPI_COUNTRY is "${country}", but the snapshot has ${codes.length === 0 ? 'no countries' : `only ${codes.join(', ')}`}`,
    )
  const catalog = new Catalog(assemble(parts), country)
  if (parts.decisions !== undefined) catalog.decisions = new Decisions(parts.decisions)
  return catalog
}

/** Switches to a dataset step by step, so that requests do not wait. */
export async function serveDataset(server: Server, parts: ServedParts, settings: Pick<ThreadSettings, 'country'>): Promise<void> {
  // receiving the parts from another thread has taken time in this turn of the event loop
  await nextTurn()
  const catalog = servedCatalog(parts, settings)
  await nextTurn()
  await server.serveInTurns(catalog)
  void makeReady(catalog)
}

async function makeReady(catalog: Catalog): Promise<void> {
  for (const _ of catalog.makeReady()) await nextTurn()
}
