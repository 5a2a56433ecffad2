/** The dataset's versions as an Atom feed, in both languages. Feed readers cannot send a key. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Catalog } from '../catalog/catalog.js'
import { bytes } from '../engines/bytes.js'
import { readAcceptLanguage, readQueryText } from '../engines/request.js'
import { Document } from '../responses/document.js'
import { languageFor } from '../responses/preferences.js'
import type { Release } from '../snapshot/format.js'
import type { PublicRoute } from './routes.js'

type Language = 'en' | 'ar'

const FEED_PATH = '/changes.atom'
const DOCS_PAGE = '/docs/changes'
/** Cached: feed readers may poll often, but the feed changes only when a new dataset is loaded. */
const CACHING = 'public, max-age=3600'

const WORDS = {
  en: {
    title: 'HS codes and duty rates: versions of the dataset',
    version: (version: string) => `Dataset ${version}`,
    counts: ['codes added', 'codes removed', 'rates changed', 'codes activated or deactivated', 'descriptions changed'],
    termCounts: ['rates of a country changed', 'taxes of a country changed', 'controls changed', 'units changed'],
    comma: '; ',
  },
  ar: {
    title: 'رموز النظام المنسق ونسب الرسوم: إصدارات البيانات',
    version: (version: string) => `البيانات، الإصدار ${version}`,
    counts: ['رموز مضافة', 'رموز محذوفة', 'نسب معدلة', 'رموز فعلت أو أوقفت', 'أوصاف معدلة'],
    termCounts: ['نسب دول معدلة', 'ضرائب دول معدلة', 'قيود معدلة', 'وحدات معدلة'],
    comma: '؛ ',
  },
} as const

/** A URN, not an address, so that the id is the same on every server. */
const idOf = (version: string) => `urn:hsapi:dataset:${version}`

function contentOf({ summary, counts }: Release, language: Language): string {
  const { counts: names, termCounts, comma } = WORDS[language]
  const terms = termCounts.map((name, i) => ({ name, count: counts[names.length + i] ?? 0 })).filter(({ count }) => count > 0)
  const all = [...names.map((name, i) => ({ name, count: counts[i] })), ...terms]
  const listed = `${all.map(({ name, count }) => `${name}: ${count}`).join(comma)}.`
  return summary[language] === '' ? listed : `${summary[language]}\n\n${listed}`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, found => ENTITIES[found] as string)

/** Links are relative to the server that sent the feed. */
function atomFeed({ releases }: Catalog['changes'], language: Language): string {
  const words = WORDS[language]
  const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`
  const entries = releases.map(release => {
    const moment = `${release.date}T00:00:00Z`
    return [
      '<entry>',
      element('id', idOf(release.version)),
      element('title', words.version(release.version)),
      element('updated', moment),
      `<link rel="alternate" href="${DOCS_PAGE}"/>`,
      element('content', contentOf(release, language)),
      '</entry>',
    ].join('')
  })
  return [
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    element('id', 'urn:hsapi:dataset'),
    element('title', words.title),
    element('updated', `${releases[0]?.date ?? '1970-01-01'}T00:00:00Z`),
    '<author><name>hsapi</name></author>',
    `<link rel="self" href="${FEED_PATH}?lang=${language}"/>`,
    ...entries,
    '</feed>\n',
  ].join('')
}

function documentOf(text: string, language: Language): Document {
  const plain = bytes(text)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const headers = {
    'Content-Language': language,
    'Cache-Control': CACHING,
    Vary: 'Accept-Encoding, Accept-Language',
  }
  return new Document({ type: 'application/atom+xml', hash, plain, coded: { gzip: gzipSync(plain) } }, headers)
}

export const FEED_ROUTE: PublicRoute = {
  kind: 'public',
  path: FEED_PATH,
  prepare: ({ changes }) => {
    const feedIn = (language: Language) => documentOf(atomFeed(changes, language), language)
    const documents = { en: feedIn('en'), ar: feedIn('ar') }
    return (req, out) => documents[languageFor(readQueryText(req), readAcceptLanguage(req))].end(req, out)
  },
}
