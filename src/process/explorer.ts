/** The explorer's pages, read once for all threads. */
import { join } from 'node:path'
import { GUEST_LIMITS, Guests } from '../gate/guests.js'
import { ROUTES } from '../http/api-routes.js'
import { ClientAddresses, type ProxyNetwork } from '../http/client-address.js'
import type { Route, RouteHandler } from '../http/routes.js'
import { Visitors } from '../http/visitors.js'
import { newKey } from '../keys/key.js'
import { packageRoot } from '../package-root.js'
import { Counters } from '../quotas/counters.js'
import type { Config } from '../settings/config.js'
import { pageRoutes, unknownPathAnswer } from '../web/server/routes.js'
import { readSite, type Site } from '../web/server/site.js'
import type { Log } from './log.js'

const FOLDER = join(packageRoot(), 'dist', 'web')

/** The explorer's data, which can be posted to a thread. */
export interface ExplorerParts {
  site: Site
  /** The shared key and counters of visitors without a key; undefined if the explorer requires a key. */
  guests: { key: string; counters: ArrayBufferLike } | undefined
  /** Set if the explorer is public; `url` is '' if the site's address is not known. */
  publicSite: { url: string } | undefined
}

export async function openExplorer(config: Config, log: Log, folder = FOLDER): Promise<ExplorerParts | undefined> {
  const { explorer, workers, publicUrl } = config
  if (explorer === 'off') return undefined
  const isPublic = explorer === 'public'
  try {
    const isShared = workers > 1
    const site = await readSite(folder, isShared)
    const guests = { key: newKey('page'), counters: Guests.counters(isShared, isPublic).buffer }
    if (isPublic) logPublic(publicUrl, log)
    return {
      site,
      guests: explorer === 'key' ? undefined : guests,
      publicSite: isPublic ? { url: publicUrl ?? '' } : undefined,
    }
  } catch (error) {
    log(`hsapi: explorer disabled: page files missing or incomplete: ${(error as Error).message}`, 'warning')
    return undefined
  }
}

function logPublic(url: string | undefined, log: Log): void {
  const { perMinute, perDay } = GUEST_LIMITS
  log(`hsapi: the explorer is public: no key is needed; each address has ${perMinute} requests a minute and ${perDay} a day`)
  if (url === undefined) log('hsapi: no /sitemap.xml: HSAPI_PUBLIC_URL is not set')
}

interface Explorer {
  routes: readonly Route[]
  visitors: Visitors | undefined
  unknownPath: RouteHandler | undefined
}

export function withExplorer(parts: ExplorerParts | undefined, proxies: readonly ProxyNetwork[]): Explorer {
  if (parts === undefined) return { routes: ROUTES, visitors: undefined, unknownPath: undefined }
  const { site, guests, publicSite } = parts
  const publicOptions = publicSite && { url: publicSite.url, clients: new ClientAddresses(proxies) }
  // the visitors' key serves as salt, because it is a secret that changes at each start
  const salt = publicSite && guests?.key
  const visitors = guests && new Visitors(new Guests(guests.key, new Counters(guests.counters), salt), publicOptions)
  return { routes: [...ROUTES, ...pageRoutes(site, visitors)], visitors, unknownPath: unknownPathAnswer(site) }
}
