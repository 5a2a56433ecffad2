/** Content negotiation: encoding and language. */

/** The encoding that compresses better comes first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

export type Language = 'en' | 'ar'

const ENTRIES_MAX = 32

/** Parses `da, en-GB;q=0.8` into weights by lower-case name. */
function qualityByName(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const entry of header.split(',', ENTRIES_MAX)) {
    const [name = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    const value = weight === undefined ? 1 : Number(weight)
    if (name !== '' && value >= 0 && value <= 1) found.set(name, value)
  }
  return found
}

export function codingFor(header: string): Coding | undefined {
  const accepted = qualityByName(header)
  return CODINGS.find(coding => (accepted.get(coding) ?? accepted.get('*') ?? 0) > 0)
}

/** For bodies that are compressed on request: brotli would take too long. */
export function acceptsGzip(header: string): boolean {
  const accepted = qualityByName(header)
  return (accepted.get('gzip') ?? accepted.get('x-gzip') ?? accepted.get('*') ?? 0) > 0
}

/** Whether the header names HTML explicitly; programs that accept anything get JSON. */
export const acceptsHtml = (header: string): boolean => (qualityByName(header).get('text/html') ?? 0) > 0

export const isLanguage = (text: string): text is Language => text === 'ar' || text === 'en'

/** The `lang` of the query, else the browser's preference, else English. */
export function languageFor(query: string, acceptLanguage: string): Language {
  const requested = new URLSearchParams(query).get('lang')
  if (requested !== null && isLanguage(requested)) return requested
  let best: Language = 'en'
  let bestWeight = 0
  for (const [name, weight] of qualityByName(acceptLanguage)) {
    const [language = ''] = name.split('-')
    if (isLanguage(language) && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}
