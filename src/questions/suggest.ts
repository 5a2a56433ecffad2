import type { Catalog } from '../catalog/catalog.js'
import type { Language, Suggested } from '../catalog/suggest.js'
import { LANGUAGES, SUGGEST_CHARS_MAX, SUGGEST_CHARS_MIN, SUGGEST_LIMIT_DEFAULT, SUGGEST_LIMIT_MAX } from '../limits.js'
import { invalidParameter, Refusal } from './refusal.js'

const TOO_SHORT = `The q parameter must have at least ${SUGGEST_CHARS_MIN} character.`

/** The answer is valid until the next call. */
export function suggest(catalog: Catalog, typed: string, limit = SUGGEST_LIMIT_DEFAULT, language?: string): Suggested | Refusal {
  const text = typed.trim()
  const { length } = [...text]
  if (length < SUGGEST_CHARS_MIN) return new Refusal('queryTooShort', TOO_SHORT)
  if (length > SUGGEST_CHARS_MAX) return invalidParameter('q', `must have at most ${SUGGEST_CHARS_MAX} characters`)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= SUGGEST_LIMIT_MAX))
    return invalidParameter('limit', `must be a whole number from 1 to ${SUGGEST_LIMIT_MAX}`)
  if (language !== undefined && !isLanguage(language)) return invalidParameter('lang', `must be ${LANGUAGES.join(' or ')}`)
  return catalog.suggest.find(text, limit, language)
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}
