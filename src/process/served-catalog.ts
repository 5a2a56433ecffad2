import { Catalog } from '../catalog/catalog.js'
import { Decisions, type DecisionTable } from '../catalog/decisions.js'
import { OperatorError } from '../errors.js'
import type { Server } from '../http/server.js'
import type { ThreadSettings } from '../settings/table.js'
import { nextTurn } from '../slices.js'
import { assemble, type SnapshotParts } from '../snapshot/decode.js'

/** What every thread serves. */
export interface ServedParts extends SnapshotParts {
  decisions?: DecisionTable | undefined
}

/** A catalog with the default country of the settings, which the snapshot must have. */
function servedCatalog(parts: ServedParts, { country }: Pick<ThreadSettings, 'country'>): Catalog {
  const known = parts.meta.countries.map(({ code }) => code)
  if (country !== undefined && !known.includes(country))
    throw new OperatorError(
      `HSAPI_COUNTRY is "${country}", but the snapshot has ${known.length === 0 ? 'no countries' : `only ${known.join(', ')}`}`,
    )
  const catalog = new Catalog(assemble(parts), country)
  if (parts.decisions !== undefined) catalog.decisions = new Decisions(parts.decisions)
  return catalog
}

/** Switches to a dataset step by step, so that requests do not wait. */
export async function serveDataset(server: Server, parts: ServedParts, settings: Pick<ThreadSettings, 'country'>): Promise<void> {
  // not in the turn of the event loop that received the parts from another thread
  await nextTurn()
  const catalog = servedCatalog(parts, settings)
  await nextTurn()
  await server.serveInTurns(catalog)
  void makeReady(catalog)
}

async function makeReady(catalog: Catalog): Promise<void> {
  for (const _ of catalog.makeReady()) await nextTurn()
}
