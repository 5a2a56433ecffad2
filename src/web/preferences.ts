/** What a browser would like best of what there is. */
import { CODINGS, type Coding } from './manifest.js'

export type Language = 'en' | 'ar'

/** Beyond this a header is not read: nobody prefers so many things. */
const ENTRIES_MAX = 32

/** How much each is liked, from 0 to 1, by its name in lower case: `da, en-GB;q=0.8` */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const entry of header.split(',', ENTRIES_MAX)) {
    const [name = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    const value = weight === undefined ? 1 : Number(weight)
    if (name !== '' && value >= 0 && value <= 1) found.set(name, value)
  }
  return found
}

/** The best coding that is taken, undefined for none. */
export function codingFor(header: string): Coding | undefined {
  if (header === '') return undefined
  const taken = weights(header)
  return CODINGS.find(coding => (taken.get(coding) ?? taken.get('*') ?? 0) > 0)
}

const isLanguage = (text: string): text is Language => text === 'ar' || text === 'en'

/** What the address asks for, else what the browser prefers, else English. */
export function languageFor(query: string, acceptLanguage: string): Language {
  const asked = new URLSearchParams(query).get('lang')
  if (asked !== null && isLanguage(asked)) return asked
  let best: Language = 'en'
  let most = 0
  for (const [name, weight] of weights(acceptLanguage)) {
    const [language = ''] = name.split('-')
    if (isLanguage(language) && weight > most) {
      best = language
      most = weight
    }
  }
  return best
}
