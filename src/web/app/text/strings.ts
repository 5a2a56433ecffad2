import { ar, docsAr, shellAr } from './strings-ar.js'
import { type DocsStrings, docsEn, en, type ShellStrings, type Strings, shellEn } from './strings-en.js'

export type Language = 'en' | 'ar'
export const LANGS: readonly Language[] = ['en', 'ar']
export const strings: Readonly<Record<Language, Strings>> = { en, ar }
export const shellStrings: Readonly<Record<Language, ShellStrings>> = { en: shellEn, ar: shellAr }
export const docsStrings: Readonly<Record<Language, DocsStrings>> = { en: docsEn, ar: docsAr }
export type { DocsStrings, Strings }
