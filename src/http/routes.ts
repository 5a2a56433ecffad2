/** The kinds of routes, and paths that several files use. */
import type { Catalog } from '../catalog/catalog.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import type { Refusal } from '../questions/refusal.js'
import type { Responder } from '../responses/respond.js'
import type { Work } from './batches.js'
import type { Exchange, Reply } from './exchange.js'

export type RouteHandler = (req: HttpRequest, out: Responder, res: HttpResponse) => void

export interface KeyedHandler {
  handle(req: HttpRequest, out: Responder): void
  /** The number of requests that this one counts as; 1 by default. */
  charge?(req: HttpRequest): number
}

/** A body that was read: the number of requests that it counts as, and its answer. */
export interface BodyRequest {
  requests: number
  /** Long work that is done before the answer. */
  work?: Work
  answer(out: Responder): void
}

export const refusing = (refusal: Refusal): BodyRequest => ({ requests: 1, answer: out => out.refuse(refusal) })

/**
 * Does several parts in separate turns of the event loop. A single part is done at once, so that it is as fast as a GET
 * request.
 */
export function inParts(requests: number, work: Work, answer: (out: Responder) => void): BodyRequest {
  if (requests > 1) return { requests, work, answer }
  const atOnce = (out: Responder) => {
    work()
    answer(out)
  }
  return { requests, answer: atOnce }
}

/** A route for GET and HEAD without a key. */
export interface OpenRoute {
  kind: 'open'
  path: string
  prepare(): (ready: boolean, out: Responder, req: HttpRequest) => void
}

/** A route for GET and HEAD with a key. */
export interface KeyedRoute {
  kind: 'keyed'
  path: string
  /** Whether answers are lists that may be compressed. Answers to lookups are never compressed. */
  mayCompress?: boolean
  prepare(catalog: Catalog): KeyedHandler
}

/** POST of a JSON body with a key; GET on the same path is another route. */
export interface BodyRoute {
  kind: 'body'
  path: string
  /** Maximum length of the body; BODY_BYTES_MAX by default. */
  bytesMax?: number
  /** Refuses parameters in the query string instead of ignoring them, because callers may expect them to change an amount. */
  refusesQuery?: true
  prepare(catalog: Catalog): (body: unknown, today: string) => BodyRequest
}

/** POST of a JSON body with a key, which another protocol answers; off unless the operator turns it on. */
export interface ProtocolRoute {
  kind: 'protocol'
  path: typeof MCP_PATH
  prepare(catalog: Catalog): (exchange: Exchange) => Promise<Reply>
}

/** GET and HEAD of documents about the dataset; keys are not read. */
export interface PublicRoute {
  kind: 'public'
  path: string
  prepare(catalog: Catalog): (req: HttpRequest, out: Responder) => void
}

/** A route for GET and HEAD of the explorer's files; keys are not read. */
export interface PageRoute {
  kind: 'page'
  path: PagePath
  answer: RouteHandler
}

/** GET and HEAD of pages with records, for visitors who need no key. */
export interface RecordPageRoute {
  kind: 'records'
  path: PagePath
  /** Answers without records, for everyone else and until there is a catalog. */
  plain: RouteHandler
  /** Answers a visitor who has exceeded the limit, also without records. */
  limited(req: HttpRequest, out: Responder, retrySeconds: number): void
  prepare(catalog: Catalog): RouteHandler
}

export type Route = OpenRoute | KeyedRoute | BodyRoute | ProtocolRoute | PublicRoute | PageRoute | RecordPageRoute

/** Paths of the explorer, which src/web serves. */
export const PAGE_PATHS = [
  '/',
  '/code/:code',
  '/browse',
  '/browse/:code',
  '/classify',
  '/shipment',
  '/check',
  '/invoice',
  '/compare',
  '/docs',
  '/docs/',
  '/docs/api',
  '/docs/:page',
  '/explorer.json',
  '/assets/:file',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/:part',
  '/worker.js',
  '/embed',
  '/embed/',
  '/embed/hsapi-search.js',
] as const
export type PagePath = (typeof PAGE_PATHS)[number]

export const MCP_PATH = '/mcp'
export const HEALTH_PATH = '/api/v1/health'
