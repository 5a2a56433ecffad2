/** The explorer's pages, read once for all threads. */
import { join } from 'node:path'
import { Guests } from '../gate/guests.js'
import { ROUTES, type Route, type RouteHandler } from '../http/routes.js'
import { Visitors } from '../http/visitors.js'
import { newKey } from '../keys/key.js'
import { packageRoot } from '../package-root.js'
import { Counters } from '../quotas/counters.js'
import type { Config } from '../settings/config.js'
import { pageRoutes, unknownPathAnswer } from '../web/routes.js'
import { readSite, type Site } from '../web/site.js'
import type { Log } from './log.js'

const FOLDER = join(packageRoot(), 'dist', 'web')

/** Can be posted to a thread. */
export interface ExplorerParts {
  site: Site
  /** The shared key and counters of visitors without a key; undefined if the explorer asks for one. */
  guests: { key: string; counters: ArrayBufferLike } | undefined
}

export async function openExplorer({ explorer, workers }: Config, log: Log, folder = FOLDER): Promise<ExplorerParts | undefined> {
  if (explorer === 'off') return undefined
  try {
    const isShared = workers > 1
    const site = await readSite(folder, isShared)
    const guests = { key: newKey('page'), counters: Guests.counters(isShared).buffer }
    return { site, guests: explorer === 'open' ? guests : undefined }
  } catch (error) {
    log(`hsapi: explorer disabled: page files missing or incomplete: ${(error as Error).message}`)
    return undefined
  }
}

/** Options of the server. */
interface Explorer {
  routes: readonly Route[]
  visitors: Visitors | undefined
  unknownPath: RouteHandler | undefined
}

export function withExplorer(parts: ExplorerParts | undefined): Explorer {
  if (parts === undefined) return { routes: ROUTES, visitors: undefined, unknownPath: undefined }
  const { site, guests } = parts
  const visitors = guests && new Visitors(new Guests(guests.key, new Counters(guests.counters)))
  return { routes: [...ROUTES, ...pageRoutes(site, visitors)], visitors, unknownPath: unknownPathAnswer(site) }
}
