/** The pages for people, opened once and handed to every thread. */
import { join } from 'node:path'
import { Guests } from '../gate/guests.js'
import { ROUTES, type Route } from '../http/routes.js'
import { Visitors } from '../http/visitors.js'
import { newGuestKey } from '../keys/key.js'
import { packageRoot } from '../package-root.js'
import { Counters } from '../quotas/counters.js'
import type { Config } from '../settings/config.js'
import { pageRoutes } from '../web/routes.js'
import { readSite, type Site } from '../web/site.js'
import type { Log } from './log.js'

const FOLDER = join(packageRoot(), 'dist', 'web')

/** What a thread needs, as another can be handed it. */
export interface ExplorerParts {
  site: Site
  /** The pages' own key and the counts of their visitors, where no other key is asked for. */
  guests: { key: string; counters: ArrayBufferLike } | undefined
}

/** undefined where there are no pages: not wanted, or not built. */
export async function openExplorer({ explorer, workers }: Config, log: Log, folder = FOLDER): Promise<ExplorerParts | undefined> {
  if (explorer === 'off') return undefined
  try {
    const isShared = workers > 1
    const site = await readSite(folder, isShared)
    const guests = { key: newGuestKey(), counters: Guests.counters(isShared).buffer }
    return { site, guests: explorer === 'open' ? guests : undefined }
  } catch (error) {
    log(`hsapi: explorer disabled: page files missing or incomplete: ${(error as Error).message}`)
    return undefined
  }
}

/** For a server of this thread. */
export function withExplorer(parts: ExplorerParts | undefined): {
  routes: readonly Route[]
  visitors: Visitors | undefined
} {
  if (parts === undefined) return { routes: ROUTES, visitors: undefined }
  const { site, guests } = parts
  const visitors = guests && new Visitors(new Guests(guests.key, new Counters(guests.counters)))
  return { routes: [...ROUTES, ...pageRoutes(site, visitors)], visitors }
}
