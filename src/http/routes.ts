/** Every path there is, in one table. */
import type { Catalog } from '../catalog/catalog.js'
import { OPENAPI_BYTES } from '../contract/openapi.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { Head, type HeadOptions } from '../responses/head.js'
import type { Responder } from '../responses/respond.js'
import { ChaptersHandler } from './handlers/chapters.js'
import { ChildrenHandler } from './handlers/children.js'
import { DatasetHandler } from './handlers/dataset.js'
import { EditionsHandler } from './handlers/editions.js'
import { HealthHandler } from './handlers/health.js'
import { LinesHandler } from './handlers/lines.js'
import { LookupHandler } from './handlers/lookup.js'
import { ResolveHandler } from './handlers/resolve.js'
import { SearchHandler } from './handlers/search.js'
import { SuggestHandler } from './handlers/suggest.js'
import { TariffHandler } from './handlers/tariff.js'

export type Answer = (req: HttpRequest, out: Responder) => void
/** An answer that may ask who is at the other end. */
export type AnswerTo = (req: HttpRequest, out: Responder, res: HttpResponse) => void
export type BodyAnswer = (body: unknown, out: Responder) => void

/** An answer, and how many requests it counts as: one unless told. */
export interface Prepared {
  answer: Answer
  charge?(req: HttpRequest): number
}

export interface PreparedBody {
  answer: BodyAnswer
  charge?(body: unknown): number
}

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
  prepare(catalog: Catalog): Prepared
}

/** Answers POST with a JSON body to those with a key. A path may answer both this and GET. */
export interface BodyRoute {
  kind: 'body'
  path: string
  prepare(catalog: Catalog): PreparedBody
}

/** Answers GET and HEAD to everyone, without a look at keys: pages for people and what they consist of. */
export interface PageRoute {
  kind: 'page'
  path: PagePath
  answer: AnswerTo
}

export type Route = OpenRoute | KeyedRoute | BodyRoute | PageRoute

/** Where pages for people are, and what they need; a server answers there if it is told with what. */
export const PAGE_PATHS = [
  '/',
  '/code/:code',
  '/browse',
  '/browse/:code',
  '/check',
  '/docs',
  '/explorer.json',
  '/assets/:file',
] as const
export type PagePath = (typeof PAGE_PATHS)[number]

interface CatalogRoute {
  handle: Answer
  charge?(req: HttpRequest): number
}

interface CatalogBodyRoute {
  handleBody: BodyAnswer
  chargeBody(body: unknown): number
}

/** What a route prepares for a catalog lives as long as that catalog is served. */
const keyed = (path: string, Route: new (catalog: Catalog) => CatalogRoute): KeyedRoute => ({
  kind: 'keyed',
  path,
  prepare: catalog => {
    const route = new Route(catalog)
    return {
      answer: (req, out) => route.handle(req, out),
      ...(route.charge !== undefined && { charge: req => route.charge?.(req) ?? 1 }),
    }
  },
})

const posted = (path: string, Route: new (catalog: Catalog) => CatalogBodyRoute): BodyRoute => ({
  kind: 'body',
  path,
  prepare: catalog => {
    const route = new Route(catalog)
    return {
      answer: (body, out) => route.handleBody(body, out),
      charge: body => route.chargeBody(body),
    }
  },
})

/** A document from memory with headers of its own. */
export const asset = (path: string, body: Uint8Array, options: Omit<HeadOptions, 'status'> = {}): OpenRoute => ({
  kind: 'open',
  path,
  prepare: () => {
    const document = { head: new Head({ ...options, status: '200 OK' }), body }
    return (_ready, out) => out.endAsset(document)
  },
})

export const HEALTH_PATH = '/api/v1/health'

/** A colon marks the path's variable part. */
export const ROUTES: readonly Route[] = [
  {
    kind: 'open',
    path: HEALTH_PATH,
    prepare: () => {
      const health = new HealthHandler()
      return (ready, out) => health.handle(ready, out)
    },
  },
  asset('/openapi.json', OPENAPI_BYTES),
  keyed('/api/v1/hs-codes/:code', LookupHandler),
  keyed('/api/v1/hs-codes/:code/children', ChildrenHandler),
  keyed('/api/v1/hs-codes/:code/lines', LinesHandler),
  keyed('/api/v1/search', SearchHandler),
  keyed('/api/v1/suggest', SuggestHandler),
  keyed('/api/v1/tariff/calculate', TariffHandler),
  posted('/api/v1/tariff/calculate', TariffHandler),
  keyed('/api/v1/resolve', ResolveHandler),
  posted('/api/v1/resolve', ResolveHandler),
  keyed('/api/v1/editions/:edition/:code', EditionsHandler),
  keyed('/api/v1/chapters', ChaptersHandler),
  keyed('/api/v1/dataset', DatasetHandler),
]
