/** The start page of a public site, with its canonical address. It contains no records, so it is rendered once. */
import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Language } from '../../responses/preferences.js'
import { shellStrings, strings } from '../app/text/strings.js'
import type { Translated } from './manifest.js'
import { headMarkup } from './render-head.js'
import { Look } from './render-parts.js'
import type { Site, SiteFile } from './site.js'
import { Template } from './template.js'

const HASH_CHARS = 10

export function startPages({ pages }: Site, publicUrl: string): Translated<SiteFile> {
  const inLanguage = (lang: Language): SiteFile => {
    const { title } = strings[lang]
    const { description } = shellStrings[lang]
    const look = new Look(lang, false, '', false, 0)
    const head = headMarkup({ look, path: '/', title, description, publicUrl })
    const plain = new Template(pages[lang]).fill({ head })
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, HASH_CHARS)
    return { ...pages[lang], hash, plain, coded: { br: brotliCompressSync(plain), gzip: gzipSync(plain) } }
  }
  return { en: inLanguage('en'), ar: inLanguage('ar') }
}
