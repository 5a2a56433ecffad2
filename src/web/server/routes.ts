/** Routes of the explorer: HTML by language, the documentation, assets by name, and /explorer.json. */
import type { Catalog } from '../../catalog/catalog.js'
import { bytes } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { decodeIfValid, readAccept, readAcceptLanguage, readPathCode, readQueryText, readTarget } from '../../engines/request.js'
import { ERRORS } from '../../errors.js'
import type { PagePath, PageRoute, RecordPageRoute, RouteHandler } from '../../http/routes.js'
import type { Visitors } from '../../http/visitors.js'
import { Document, type DocumentStatus } from '../../responses/document.js'
import { Head, PRIVATE } from '../../responses/head.js'
import { acceptsHtml, type Language, languageFor } from '../../responses/preferences.js'
import type { Responder } from '../../responses/respond.js'
import { embedAnswer, workerAnswer } from './app-files.js'
import { ASSETS_FOLDER, type Translated } from './manifest.js'
import { RenderedPages } from './rendered-pages.js'
import { robotsAnswer, SITEMAP_PATH, Sitemap } from './search-engines.js'
import type { Site, SiteFile } from './site.js'
import { startPages } from './start-page.js'
import { Template } from './template.js'

/** One document is served at all of these paths; its script reads the path. */
const SHELL_PATHS: readonly PagePath[] = ['/shipment', '/compare', '/classify', '/check', '/invoice']
/** The same document for these paths. The server renders records into it for visitors who need no key. */
const RECORD_PATHS: readonly PagePath[] = ['/code/:code', '/browse', '/browse/:code']

/** With `same-origin`, our own requests have a Referer, which src/http/visitors.ts needs. */
const SECURITY: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_SECURITY: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...SECURITY,
}

const FOREVER = 'public, max-age=31536000, immutable'

const PAGE_VARY = 'Accept-Encoding, Accept-Language'
const REVALIDATED = { 'Cache-Control': 'no-cache' }

type Answer = (req: HttpRequest, out: Responder, retryAfter?: number) => void

function byLanguage({ en, ar }: Translated<SiteFile>, status?: DocumentStatus): Answer {
  const documentIn = (file: SiteFile, language: Language) => {
    const headers = { ...PAGE_SECURITY, 'Content-Language': language, ...REVALIDATED, Vary: PAGE_VARY }
    return new Document(file, headers, status)
  }
  const documents = { en: documentIn(en, 'en'), ar: documentIn(ar, 'ar') }
  return (req, out, retryAfter) => documents[languageFor(readQueryText(req), readAcceptLanguage(req))].end(req, out, retryAfter)
}

const plainAnswer = (files: Translated<SiteFile>, status?: DocumentStatus): RouteHandler => {
  const answer = byLanguage(files, status)
  return (req, out) => answer(req, out)
}

function contractAnswer({ pages }: Site): RouteHandler {
  const contract = new Document(pages.contract, { ...PAGE_SECURITY, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
  return (req, out) => contract.end(req, out)
}

const API_PATH = /^\/api(?:[/?]|$)/

/**
 * For an unknown path: browsers get the explorer with status 404. Other clients get the usual error, as do paths below /api.
 */
export function unknownPathAnswer({ pages }: Site): RouteHandler {
  const page = plainAnswer(pages, { status: ERRORS.routeNotFound.statusLine, reason: 'routeNotFound' })
  return (req, out, res) => {
    const isPage = acceptsHtml(readAccept(req)) && !API_PATH.test(readTarget(req))
    if (isPage) page(req, out, res)
    else out.refuseFor('routeNotFound', 0)
  }
}

function docsAnswer({ docs }: Site, unknownPath: RouteHandler): RouteHandler {
  const answers = new Map(docs.map(doc => [doc.name, plainAnswer(doc)]))
  return (req, out, res) => {
    const answer = answers.get(readPathCode(req)) ?? unknownPath
    answer(req, out, res)
  }
}

function redirectAnswer(location: string): RouteHandler {
  const head = new Head({ status: '301 Moved Permanently', contentType: null, headers: { ...SECURITY, Location: location } })
  const redirect = { head, body: new Uint8Array(0) }
  return (_req, out) => out.endAsset(redirect)
}

function assetAnswer({ assets }: Site): RouteHandler {
  const headers = { ...SECURITY, 'Cache-Control': FOREVER, Vary: 'Accept-Encoding' }
  const documents = new Map(assets.map(file => [file.name.slice(ASSETS_FOLDER.length + 1), new Document(file, headers)]))
  return (req, out) => {
    const document = documents.get(readPathCode(req))
    if (document === undefined) out.refuseFor('routeNotFound', 0)
    else document.end(req, out)
  }
}

/** From this answer, a page learns whether to use the server's own key or to ask the visitor for one. */
function explorerAnswer(visitors: Visitors | undefined): RouteHandler {
  const head = new Head({ status: '200 OK', headers: { ...SECURITY, 'Cache-Control': 'no-store' } })
  const needsKey = { head, body: bytes('{"mode":"key"}') }
  if (visitors === undefined) return (_req, out) => out.endAsset(needsKey)
  const open = { head, body: bytes(JSON.stringify({ mode: 'open', key: visitors.guests.key })) }
  return (req, out, res) => out.endAsset(visitors.addressOf(req, res) === '' ? needsKey : open)
}

/** Pages of records and of the tree, with their data for visitors who need no key. */
function recordRoutes(site: Site, visitors: Visitors): RecordPageRoute[] {
  const publicUrl = visitors.publicSite?.url ?? ''
  const templates = { en: new Template(site.pages.en), ar: new Template(site.pages.ar) }
  // pages that only visitors on this machine may read must not be in a shared cache
  const cached = visitors.publicSite === undefined ? PRIVATE : REVALIDATED
  const options = { templates, publicUrl, headers: { ...PAGE_SECURITY, ...cached } }
  const over = { status: ERRORS.rateLimitExceeded.statusLine, reason: 'rateLimitExceeded', hasRetryAfter: true } as const
  const common = { kind: 'records', plain: plainAnswer(site.pages), limited: byLanguage(site.pages, over) } as const
  // one instance for all routes, so that they share its cache
  const rendered = new WeakMap<Catalog, RenderedPages>()
  const pagesOf = (catalog: Catalog) => {
    const pages = rendered.get(catalog) ?? new RenderedPages(catalog, options)
    rendered.set(catalog, pages)
    return pages
  }
  const codeOf = (req: HttpRequest) => decodeIfValid(readPathCode(req))
  const route = (path: PagePath, answer: (pages: RenderedPages) => RouteHandler): RecordPageRoute => {
    return { ...common, path, prepare: catalog => answer(pagesOf(catalog)) }
  }
  return [
    route('/code/:code', pages => (req, out) => pages.record(req, out, codeOf(req))),
    route('/browse', pages => (req, out) => pages.browse(req, out, '')),
    route('/browse/:code', pages => (req, out) => pages.browse(req, out, codeOf(req))),
  ]
}

function sitemapRoutes(url: string): RecordPageRoute[] {
  const route = (path: PagePath, name: 'index' | 'part'): RecordPageRoute => ({
    kind: 'records',
    path,
    plain: (_req, out) => out.refuseFor('dbUnavailable', 1),
    limited: (_req, out, retryAfter) => out.refuseFor('rateLimitExceeded', retryAfter),
    prepare: catalog => new Sitemap(catalog, url, { ...SECURITY, ...REVALIDATED })[name],
  })
  return [route(SITEMAP_PATH, 'index'), route('/sitemap/:part', 'part')]
}

export function pageRoutes(site: Site, visitors: Visitors | undefined): (PageRoute | RecordPageRoute)[] {
  const page = (path: PagePath, answer: RouteHandler): PageRoute => ({ kind: 'page', path, answer })
  const shell = plainAnswer(site.pages)
  const unknownPath = unknownPathAnswer(site)
  const records = visitors === undefined ? RECORD_PATHS.map(path => page(path, shell)) : recordRoutes(site, visitors)
  const { publicSite } = visitors ?? {}
  const isNamed = publicSite !== undefined && publicSite.url !== ''
  return [
    page('/', isNamed ? plainAnswer(startPages(site, publicSite.url)) : shell),
    ...SHELL_PATHS.map(path => page(path, shell)),
    ...records,
    ...(publicSite === undefined ? [] : [page('/robots.txt', robotsAnswer(publicSite.url, { ...SECURITY, ...REVALIDATED }))]),
    ...(isNamed ? sitemapRoutes(publicSite.url) : []),
    page('/docs', plainAnswer(site.docsIndex)),
    page('/docs/', redirectAnswer('/docs')),
    page('/docs/api', contractAnswer(site)),
    page('/docs/:page', docsAnswer(site, unknownPath)),
    page('/explorer.json', explorerAnswer(visitors)),
    page('/assets/:file', assetAnswer(site)),
    page('/embed', plainAnswer(site.app.example)),
    page('/embed/', redirectAnswer('/embed')),
    page('/embed/hsapi-search.js', embedAnswer(site)),
    page('/worker.js', workerAnswer(site)),
  ]
}
