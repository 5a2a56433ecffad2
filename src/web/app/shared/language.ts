/** The language of this document. The server chose it by the address or by Accept-Language. */
import type { Language, Strings } from '../text/strings.js'

export const lang: Language = document.documentElement.lang === 'ar' ? 'ar' : 'en'
export const other: Language = lang === 'ar' ? 'en' : 'ar'
/** Loads one language only. The document preloads the file, so that it needs no extra round trip. */
export const t: Strings = lang === 'ar' ? (await import('../text/strings-ar.js')).ar : (await import('../text/strings-en.js')).en
