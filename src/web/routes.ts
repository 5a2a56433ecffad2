/** Routes of the explorer: HTML by language, the documentation, assets by name, and /explorer.json. */
import { bytes } from '../engines/bytes.js'
import { readAccept, readAcceptLanguage, readPathCode, readQueryText, readTarget } from '../engines/request.js'
import { ERRORS } from '../errors.js'
import type { PagePath, PageRoute, RouteHandler } from '../http/routes.js'
import type { Visitors } from '../http/visitors.js'
import { Head } from '../responses/head.js'
import { Document, type DocumentStatus } from './document.js'
import { ASSETS_FOLDER, type Translated } from './manifest.js'
import { acceptsHtml, type Language, languageFor } from './preferences.js'
import type { Site, SiteFile } from './site.js'

/** All served by one document, which reads the path in the browser. */
const SHELL_PATHS: readonly PagePath[] = ['/', '/code/:code', '/browse', '/browse/:code', '/check']

/** `same-origin` sends our own requests' Referer, which src/http/visitors.ts needs. */
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

function byLanguage({ en, ar }: Translated<SiteFile>, status?: DocumentStatus): RouteHandler {
  const documentIn = (file: SiteFile, language: Language) => {
    const headers = {
      ...PAGE_SECURITY,
      'Content-Language': language,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding, Accept-Language',
    }
    return new Document(file, headers, status)
  }
  const documents = { en: documentIn(en, 'en'), ar: documentIn(ar, 'ar') }
  return (req, out) => documents[languageFor(readQueryText(req), readAcceptLanguage(req))].end(req, out)
}

function contractAnswer({ pages }: Site): RouteHandler {
  const contract = new Document(pages.contract, { ...PAGE_SECURITY, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
  return (req, out) => contract.end(req, out)
}

const API_PATH = /^\/api(?:[/?]|$)/

/** For a path that does not exist: the shell, which says so, where a browser asks; the usual refusal everywhere else. */
export function unknownPathAnswer({ pages }: Site): RouteHandler {
  const page = byLanguage(pages, { status: ERRORS.routeNotFound.statusLine, reason: 'routeNotFound' })
  return (req, out, res) => {
    const isPage = acceptsHtml(readAccept(req)) && !API_PATH.test(readTarget(req))
    if (isPage) page(req, out, res)
    else out.refuseFor('routeNotFound', 0)
  }
}

function docsAnswer({ docs }: Site, unknownPath: RouteHandler): RouteHandler {
  const answers = new Map(docs.map(doc => [doc.name, byLanguage(doc)]))
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

/** Tells a page whether to use the server's own key or to ask the visitor for one. */
function explorerAnswer(visitors: Visitors | undefined): RouteHandler {
  const head = new Head({ status: '200 OK', headers: { ...SECURITY, 'Cache-Control': 'no-store' } })
  const needsKey = { head, body: bytes('{"mode":"key"}') }
  if (visitors === undefined) return (_req, out) => out.endAsset(needsKey)
  const open = { head, body: bytes(JSON.stringify({ mode: 'open', key: visitors.guests.key })) }
  return (req, out, res) => out.endAsset(visitors.addressOf(req, res) === '' ? needsKey : open)
}

export function pageRoutes(site: Site, visitors: Visitors | undefined): PageRoute[] {
  const page = (path: PagePath, answer: RouteHandler): PageRoute => ({ kind: 'page', path, answer })
  const shell = byLanguage(site.pages)
  const unknownPath = unknownPathAnswer(site)
  return [
    ...SHELL_PATHS.map(path => page(path, shell)),
    page('/docs', byLanguage(site.docsIndex)),
    page('/docs/', redirectAnswer('/docs')),
    page('/docs/api', contractAnswer(site)),
    page('/docs/:page', docsAnswer(site, unknownPath)),
    page('/explorer.json', explorerAnswer(visitors)),
    page('/assets/:file', assetAnswer(site)),
  ]
}
