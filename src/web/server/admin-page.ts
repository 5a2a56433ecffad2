/** The admin page and its files. Only the admin port serves them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namesTag } from '../../responses/entity-tag.js'
import { type Coding, codingFor, languageFor } from '../../responses/preferences.js'
import { ASSETS_FOLDER, MANIFEST, type Manifest, type Translated } from './manifest.js'
import { readStored, type SiteFile } from './site.js'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SECURITY: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY,
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding, Accept-Language',
}
const ASSET_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY,
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
}

interface Headers {
  'accept-encoding'?: string | string[] | undefined
  'accept-language'?: string | undefined
  'if-none-match'?: string | undefined
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

const NOTHING = new Uint8Array(0)

function answerWith(
  file: SiteFile,
  headers: Readonly<Record<string, string>>,
  { 'accept-encoding': accepted, ...sent }: Headers,
): Answer {
  const wanted = codingFor(String(accepted ?? ''))
  const coding: Coding | undefined = wanted && file.coded[wanted] ? wanted : file.plain ? undefined : 'gzip'
  const body = (coding === undefined ? file.plain : file.coded[coding]) ?? NOTHING
  const tag = `"${file.hash}${coding === undefined ? '' : `-${coding}`}"`
  const all = { ...headers, ETag: tag, ...(coding && { 'Content-Encoding': coding }) }
  if (namesTag(sent['if-none-match'] ?? '', tag)) return { status: 304, headers: all, body: NOTHING }
  return { status: 200, headers: { ...all, 'Content-Type': file.type, 'Content-Length': String(body.length) }, body }
}

export class AdminPage {
  private constructor(
    private readonly pages: Translated<SiteFile>,
    private readonly assets: ReadonlyMap<string, SiteFile>,
  ) {}

  /** Rejects if a file is missing. */
  static async open(folder: string): Promise<AdminPage> {
    const { admin } = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
    const [en, ar, ...assets] = await Promise.all(
      [admin.en, admin.ar, ...admin.assets].map(file => readStored(folder, file, false)),
    )
    if (en === undefined || ar === undefined) throw new Error('no pages')
    return new AdminPage({ en, ar }, new Map(assets.map(file => [`/${file.name}`, file])))
  }

  /** Returns undefined if the path is neither the page nor one of its files. */
  answer(path: string, query: string, headers: Headers): Answer | undefined {
    if (path === '/') {
      const language = languageFor(query, headers['accept-language'] ?? '')
      return answerWith(this.pages[language], { ...PAGE_HEADERS, 'Content-Language': language }, headers)
    }
    if (!path.startsWith(`/${ASSETS_FOLDER}/`)) return undefined
    const file = this.assets.get(path)
    return file && answerWith(file, ASSET_HEADERS, headers)
  }
}
