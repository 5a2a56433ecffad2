/** Endless rows of each kind, drawn from a catalog. */
import { amountText } from '../../catalog/amount.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Language } from '../../catalog/suggest.js'
import { OperatorError } from '../../errors.js'
import { QUERY_CHARS_MAX, QUERY_CHARS_MIN } from '../../limits.js'
import { estimate } from '../../questions/tariff.js'
import { pick, seededRandom, shuffled } from '../../random.js'
import { drawValue, mixedRequests } from './mix.js'
import { drawer, type Spread } from './spread.js'

export interface Feed {
  fields: readonly string[]
  /** Cells in the order of `fields`. */
  next(): string[]
}

export interface FeedOptions {
  seed: number
  spread: Spread
  languages: readonly Language[]
  origin: string
  withoutUnknownKey: boolean
}

const CURRENCIES = ['USD', 'AED', 'SAR', 'QAR', 'KWD', 'BHD', 'OMR', 'EUR', 'CNY', 'INR']

function codesOf({ records, level }: Catalog): string[] {
  return Array.from(level, (_, record) => records.code(record))
}

interface Phrase {
  text: string
  language: Language
  code: string
}

function phrasesOf({ suggest, records }: Catalog, languages: readonly Language[]): Phrase[] {
  const phrases: Phrase[] = []
  for (const language of languages) {
    const [first, end] = suggest.phrasesOf(language)
    for (let phrase = first; phrase < end; phrase++) {
      const text = suggest.text(phrase)
      const length = [...text].length
      if (length < QUERY_CHARS_MIN || length > QUERY_CHARS_MAX) continue
      phrases.push({ text, language, code: records.code(suggest.record(phrase)) })
    }
  }
  if (phrases.length === 0) throw new OperatorError(`the snapshot has no phrases in ${languages.join(' or ')} to search for`)
  return phrases
}

function codes(catalog: Catalog, { seed, spread }: FeedOptions): Feed {
  const next = seededRandom(seed)
  const draw = drawer(shuffled(codesOf(catalog), next), spread, next)
  return {
    fields: ['hs_code', 'level'],
    next: () => {
      const code = draw()
      return [code, String(code.length)]
    },
  }
}

function words(catalog: Catalog, { seed, spread, languages }: FeedOptions): Feed {
  const next = seededRandom(seed)
  const draw = drawer(shuffled(phrasesOf(catalog, languages), next), spread, next)
  return {
    fields: ['q', 'lang', 'hs_code'],
    next: () => {
      const { text, language, code } = draw()
      return [text, language, code]
    },
  }
}

function tariff(catalog: Catalog, { seed, spread }: FeedOptions): Feed {
  const next = seededRandom(seed)
  const code = drawer(shuffled(codesOf(catalog), next), spread, next)
  return {
    fields: ['hs_code', 'value', 'currency', 'include_vat', 'landed_cost'],
    next: () => {
      const [hsCode, value, currency] = [code(), drawValue(next), pick(CURRENCIES, next)]
      const withVat = next() < 0.5
      const answer = estimate(catalog, hsCode, value, currency, withVat)
      if (!('amounts' in answer)) throw new Error(`${hsCode} at ${value} was refused: ${answer.message}`)
      return [hsCode, value, currency, withVat ? '1' : '0', amountText(answer.amounts.landedCost)]
    },
  }
}

function urls(catalog: Catalog, { languages, origin, ...options }: FeedOptions): Feed {
  const sources = {
    codes: codesOf(catalog),
    phrases: phrasesOf(catalog, languages).map(({ text }) => text),
  }
  const draw = mixedRequests(sources, options)
  return {
    fields: ['kind', 'method', 'url', 'key', 'status'],
    next: () => {
      const { kind, path, key, status } = draw()
      return [kind, 'GET', origin + path, key, String(status)]
    },
  }
}

export const FEEDS = { codes, words, tariff, urls } as const
export type FeedKind = keyof typeof FEEDS
