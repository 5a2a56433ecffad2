/** Starts a server with the pages of the explorer, and reads parts of rendered documents. */
import type { Test } from 'tap'
import type { Catalog } from '../../src/catalog/catalog.js'
import { Guests } from '../../src/gate/guests.js'
import { ROUTES } from '../../src/http/api-routes.js'
import { ClientAddresses } from '../../src/http/client-address.js'
import { Visitors } from '../../src/http/visitors.js'
import { newKey } from '../../src/keys/key.js'
import { packageRoot } from '../../src/package-root.js'
import { ANSWERS_ID, type FirstAnswers } from '../../src/web/app/data/first-paths.js'
import { pageRoutes, unknownPathAnswer } from '../../src/web/server/routes.js'
import { readSite } from '../../src/web/server/site.js'
import { getPage } from './get-page.js'
import { fixtureCatalog, makeKey, type Service, startService } from './service.js'

export const site = await readSite(`${packageRoot()}/dist/web`, false)
export const catalog = await fixtureCatalog()
export const PUBLIC_URL = 'https://hs.example.com'

interface Opened extends Service {
  auth: Record<string, string>
  guests: Guests | undefined
  page(path: string, headers?: Record<string, string>, method?: string): ReturnType<typeof getPage>
}

type Mode = 'open' | 'public' | 'key'

export async function openRendered(t: Test, mode: Mode, served: Catalog | null = catalog, url = PUBLIC_URL): Promise<Opened> {
  const publicSite = mode === 'public' ? { url, clients: new ClientAddresses([]) } : undefined
  const visitors = mode === 'key' ? undefined : new Visitors(new Guests(newKey('page')), publicSite)
  const key = makeKey('pro')
  const routes = [...ROUTES, ...pageRoutes(site, visitors)]
  const service = await startService(t, [key], served ?? undefined, routes, { visitors, unknownPath: unknownPathAnswer(site) })
  // the headers of a browser whose user has typed the address
  const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }
  return {
    ...service,
    auth: { 'x-api-key': key.key },
    guests: visitors?.guests,
    page: (path, headers = typed, method) => getPage(service.port, path, headers, method),
  }
}

const BLOCK = new RegExp(`<script type="application/json" id="${ANSWERS_ID}">([^<]*)</script>`)
export const answersIn = (text: string) => JSON.parse(BLOCK.exec(text)?.[1] ?? '{}') as FirstAnswers
export const withoutBlock = (text: string) => text.replace(BLOCK, '')
export const attributeOf = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]
export const canonicalOf = (text: string) => attributeOf(text, /<link rel="canonical" href="([^"]*)">/)
