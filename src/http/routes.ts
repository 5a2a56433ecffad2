/** Every path there is, in one table. */
import type { Catalog } from '../catalog/catalog.js'
import { ChildrenHandler } from './handlers/children.js'
import { HealthHandler } from './handlers/health.js'
import { LookupHandler } from './handlers/lookup.js'
import { SearchHandler } from './handlers/search.js'
import { TariffHandler } from './handlers/tariff.js'
import { OPENAPI_BYTES } from './openapi.js'
import type { Responder } from './respond.js'
import type { HttpRequest } from './uws.js'

export type Answer = (req: HttpRequest, out: Responder) => void

export interface OpenRoute {
  path: string
  keyed: false
  prepare(): (ready: boolean, out: Responder) => void
}

export interface KeyedRoute {
  path: string
  keyed: true
  /** Called once the catalog is there; what can be prepared is prepared here. */
  prepare(catalog: Catalog): Answer
}

export type Route = OpenRoute | KeyedRoute

interface CatalogRoute {
  handle: Answer
}

/** What a route prepares for a catalog lives as long as that catalog is served. */
const keyed = (path: string, Route: new (catalog: Catalog) => CatalogRoute): KeyedRoute => ({
  path,
  keyed: true,
  prepare: catalog => {
    const route = new Route(catalog)
    return (req, out) => route.handle(req, out)
  },
})

/** A colon marks the path's variable part. */
export const ROUTES: readonly Route[] = [
  {
    path: '/api/v1/health',
    keyed: false,
    prepare: () => {
      const health = new HealthHandler()
      return (ready, out) => health.handle(ready, out)
    },
  },
  {
    path: '/openapi.json',
    keyed: false,
    prepare: () => (_ready, out) => out.endDocument(OPENAPI_BYTES),
  },
  keyed('/api/v1/hs-codes/:code', LookupHandler),
  keyed('/api/v1/hs-codes/:code/children', ChildrenHandler),
  keyed('/api/v1/search', SearchHandler),
  keyed('/api/v1/tariff/calculate', TariffHandler),
]
