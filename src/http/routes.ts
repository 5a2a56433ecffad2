/** Every path there is, in one table. */
import type { Catalog } from '../catalog/catalog.js'
import { children } from './handlers/children.js'
import { health } from './handlers/health.js'
import { LookupHandler } from './handlers/lookup.js'
import { SearchHandler } from './handlers/search.js'
import { tariff } from './handlers/tariff.js'
import { OPENAPI_BYTES } from './openapi.js'
import type { Responder } from './respond.js'
import type { HttpRequest } from './uws.js'

export type CatalogHandler = (req: HttpRequest, out: Responder) => void

export interface OpenRoute {
  path: string
  keyed: false
  handle(ready: boolean, out: Responder): void
}

export interface KeyedRoute {
  path: string
  keyed: true
  /** Called once the catalog is there; what can be prepared is prepared here. */
  prepare(catalog: Catalog): CatalogHandler
}

export type Route = OpenRoute | KeyedRoute

/** A colon marks the path's variable part. */
export const ROUTES: readonly Route[] = [
  { path: '/api/v1/health', keyed: false, handle: health },
  { path: '/openapi.json', keyed: false, handle: (_ready, out) => out.endDocument(OPENAPI_BYTES) },
  {
    path: '/api/v1/hs-codes/:code',
    keyed: true,
    prepare: catalog => {
      const handler = new LookupHandler(catalog)
      return (req, out) => handler.handle(req, out)
    },
  },
  {
    path: '/api/v1/hs-codes/:code/children',
    keyed: true,
    prepare: catalog => (req, out) => children(catalog, req, out),
  },
  {
    path: '/api/v1/search',
    keyed: true,
    prepare: catalog => {
      const handler = new SearchHandler(catalog)
      return (req, out) => handler.handle(req, out)
    },
  },
  {
    path: '/api/v1/tariff/calculate',
    keyed: true,
    prepare: catalog => (req, out) => tariff(catalog, req, out),
  },
]
