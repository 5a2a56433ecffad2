/** Countries of origin as invoices write them: ISO codes, names in English or Arabic, and the usual short forms. */
import { ISO_COUNTRIES } from '../../../questions/iso-countries.js'

const SHORT: Readonly<Record<string, string>> = {
  usa: 'US',
  'u.s.a.': 'US',
  uk: 'GB',
  england: 'GB',
  uae: 'AE',
  ksa: 'SA',
  prc: 'CN',
  'p.r. china': 'CN',
  korea: 'KR',
  'republic of korea': 'KR',
  turkey: 'TR',
  holland: 'NL',
  vietnam: 'VN',
  أمريكا: 'US',
  بريطانيا: 'GB',
  السعودية: 'SA',
  الإمارات: 'AE',
  كوريا: 'KR',
  هولندا: 'NL',
}

let names: Map<string, string> | null = null

function byName(): Map<string, string> {
  if (names !== null) return names
  names = new Map(Object.entries(SHORT))
  for (const lang of ['en', 'ar']) {
    const regions = new Intl.DisplayNames(lang, { type: 'region' })
    for (const code of ISO_COUNTRIES) names.set((regions.of(code) ?? code).toLowerCase(), code)
  }
  return names
}

/** The ISO code of a country; '' for blank text, null if the text is not a country. */
export function originOf(text: string): string | null {
  const plain = text.trim()
  if (plain === '') return ''
  const code = plain.toUpperCase()
  if (ISO_COUNTRIES.has(code)) return code
  return byName().get(plain.toLowerCase()) ?? null
}
