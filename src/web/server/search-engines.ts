/** robots.txt and the sitemaps of a public site, which list every record in both languages. */
import { gzipSync } from 'node:zlib'
import type { Catalog } from '../../catalog/catalog.js'
import { bytes } from '../../engines/bytes.js'
import { readAcceptEncoding, readPathCode } from '../../engines/request.js'
import type { RouteHandler } from '../../http/routes.js'
import { Head } from '../../responses/head.js'
import { acceptsGzip } from '../../responses/preferences.js'
import { query } from '../app/data/query.js'
import { escaped } from '../app/shell/frame.js'

/** The protocol allows 50,000 addresses and 50 MB a file. Rendering such a large part would delay other requests. */
const CODES_PER_PART = 1_000
const PAGES = ['/', '/browse', '/docs']
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const PART_NAME = /^([1-9][0-9]{0,4})\.xml$/

export const SITEMAP_PATH = '/sitemap.xml'
const partPath = (part: number) => `/sitemap/${part}.xml`

/** Disallows search results, which are endless, and the API, whose answers are in the pages already. */
export function robotsAnswer(publicUrl: string, headers: Readonly<Record<string, string>>): RouteHandler {
  const lines = ['User-agent: *', 'Disallow: /api/', 'Disallow: /mcp', 'Disallow: /*?q=', 'Disallow: /*&q=', 'Allow: /']
  if (publicUrl !== '') lines.push('', `Sitemap: ${publicUrl}${SITEMAP_PATH}`)
  const head = new Head({ status: '200 OK', contentType: 'text/plain; charset=utf-8', headers })
  const robots = { head, body: bytes(`${lines.join('\n')}\n`) }
  return (_req, out) => out.endAsset(robots)
}

function urlEntries(publicUrl: string, path: string): string {
  const at = (lang: 'en' | 'ar' | null) => escaped(publicUrl + query(path, { lang }))
  const links = [
    ['en', at('en')],
    ['ar', at('ar')],
    ['x-default', at(null)],
  ].map(([lang, href]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`)
  return [at('en'), at('ar')].map(address => `<url><loc>${address}</loc>${links.join('')}</url>\n`).join('')
}

/** The sitemap. Its parts are rendered on request. */
export class Sitemap {
  readonly #parts: number
  readonly #heads: Record<'plain' | 'gzip', Head>

  constructor(
    private readonly catalog: Catalog,
    private readonly publicUrl: string,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#parts = Math.ceil(catalog.meta.records / CODES_PER_PART)
    const head = (coding: object) =>
      new Head({
        status: '200 OK',
        contentType: 'application/xml; charset=utf-8',
        headers: { ...coding, ...headers, Vary: 'Accept-Encoding' },
      })
    this.#heads = { plain: head({}), gzip: head({ 'Content-Encoding': 'gzip' }) }
  }

  readonly index: RouteHandler = (req, out) => {
    const parts = Array.from(
      { length: this.#parts },
      (_, i) => `<sitemap><loc>${escaped(this.publicUrl)}${partPath(i + 1)}</loc></sitemap>\n`,
    )
    this.#end(req, out, `${XML}<sitemapindex xmlns="${SCHEMA}">\n${parts.join('')}</sitemapindex>\n`)
  }

  readonly part: RouteHandler = (req, out) => {
    const part = Number(PART_NAME.exec(readPathCode(req))?.[1] ?? 0)
    if (part < 1 || part > this.#parts) return out.refuseFor('routeNotFound', 0)
    const first = (part - 1) * CODES_PER_PART
    const end = Math.min(first + CODES_PER_PART, this.catalog.meta.records)
    let urls = part === 1 ? PAGES.map(path => urlEntries(this.publicUrl, path)).join('') : ''
    for (let record = first; record < end; record++)
      urls += urlEntries(this.publicUrl, `/code/${this.catalog.records.code(record)}`)
    const opening = `<urlset xmlns="${SCHEMA}" xmlns:xhtml="http://www.w3.org/1999/xhtml">`
    this.#end(req, out, `${XML}${opening}\n${urls}</urlset>\n`)
  }

  #end(req: Parameters<RouteHandler>[0], out: Parameters<RouteHandler>[1], text: string): void {
    const body = bytes(text)
    if (acceptsGzip(readAcceptEncoding(req))) out.endAsset({ head: this.#heads.gzip, body: gzipSync(body, { level: 1 }) })
    else out.endAsset({ head: this.#heads.plain, body })
  }
}
