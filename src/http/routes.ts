/** Every path there is, in one table. */
import type { Catalog } from '../catalog/catalog.js'
import type { HttpRequest } from './engine.js'
import { ChildrenHandler } from './handlers/children.js'
import { HealthHandler } from './handlers/health.js'
import { LookupHandler } from './handlers/lookup.js'
import { SearchHandler } from './handlers/search.js'
import { SuggestHandler } from './handlers/suggest.js'
import { TariffHandler } from './handlers/tariff.js'
import { Head, type HeadOptions } from './head.js'
import { OPENAPI_BYTES } from './openapi.js'
import type { Responder } from './respond.js'

export type Answer = (req: HttpRequest, out: Responder) => void
export type BodyAnswer = (body: unknown, out: Responder) => void

/** Answers GET and HEAD to everyone. */
export interface OpenRoute {
  kind: 'open'
  path: string
  prepare(): (ready: boolean, out: Responder) => void
}

/** Answers GET and HEAD to those with a key. */
export interface KeyedRoute {
  kind: 'keyed'
  path: string
  /** Called once the catalog is there; what can be prepared is prepared here. */
  prepare(catalog: Catalog): Answer
}

/** Answers POST with a JSON body to those with a key. A path may answer both this and GET. */
export interface BodyRoute {
  kind: 'body'
  path: string
  prepare(catalog: Catalog): BodyAnswer
}

export type Route = OpenRoute | KeyedRoute | BodyRoute

interface CatalogRoute {
  handle: Answer
}

/** What a route prepares for a catalog lives as long as that catalog is served. */
const keyed = (path: string, Route: new (catalog: Catalog) => CatalogRoute): KeyedRoute => ({
  kind: 'keyed',
  path,
  prepare: catalog => {
    const route = new Route(catalog)
    return (req, out) => route.handle(req, out)
  },
})

/** A document from memory with headers of its own. */
export const asset = (
  path: string,
  body: Uint8Array,
  options: Omit<HeadOptions, 'status'> = {},
): OpenRoute => ({
  kind: 'open',
  path,
  prepare: () => {
    const document = { head: new Head({ ...options, status: '200 OK' }), body }
    return (_ready, out) => out.endAsset(document)
  },
})

/** A colon marks the path's variable part. */
export const ROUTES: readonly Route[] = [
  {
    kind: 'open',
    path: '/api/v1/health',
    prepare: () => {
      const health = new HealthHandler()
      return (ready, out) => health.handle(ready, out)
    },
  },
  asset('/openapi.json', OPENAPI_BYTES),
  keyed('/api/v1/hs-codes/:code', LookupHandler),
  keyed('/api/v1/hs-codes/:code/children', ChildrenHandler),
  keyed('/api/v1/search', SearchHandler),
  keyed('/api/v1/suggest', SuggestHandler),
  keyed('/api/v1/tariff/calculate', TariffHandler),
]
