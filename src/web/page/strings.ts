/** Every word on the pages, in both languages. */
export type Language = 'en' | 'ar'

const en = {
  title: 'HS codes',
  search: 'Search',
}

export type Strings = typeof en

const ar: Strings = {
  title: 'رموز النظام المنسق',
  search: 'بحث',
}

export const STRINGS: Readonly<Record<Language, Strings>> = { en, ar }
