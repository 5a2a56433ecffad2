import { ar } from './strings-ar.js'
import { en, type Strings } from './strings-en.js'

export type Language = 'en' | 'ar'
export const LANGS: readonly Language[] = ['en', 'ar']
export const strings: Readonly<Record<Language, Strings>> = { en, ar }
export type { Strings }
