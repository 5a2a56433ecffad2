/** `hsapi enrich --into`: fills columns that a product file already has. */
import type { Catalog } from '../catalog/catalog.js'
import type { ClassifyLevel } from '../catalog/classify/classified.js'
import type { CountryView } from '../catalog/countries.js'
import { OperatorError } from '../errors.js'
import {
  CLASSIFY_CHARS_MAX,
  CLASSIFY_CHARS_MIN,
  LANGUAGES,
  SHORT_CHARS_DEFAULT,
  SHORT_CHARS_MAX,
  SHORT_CHARS_MIN,
} from '../limits.js'
import { classify, readTerms } from '../questions/classify.js'
import type { ProductIds } from '../questions/enrich-words.js'
import { ISO_COUNTRIES } from '../questions/iso-countries.js'
import { Resolver, readEdition } from '../questions/resolve.js'
import type { Filling } from '../tables/fill.js'
import { answerOrThrow, countryOf, numberOf } from './ask.js'
import type { Print, Values } from './command.js'
import { idsOf } from './enrich-columns.js'
import { choiceOf, wholeOf } from './values.js'

export const INTO_FIELDS = ['code', 'short', 'description', 'rate', 'unit', 'origin'] as const
type IntoField = (typeof INTO_FIELDS)[number]

// regexp-ignore: linear, a list of words
const STARTS_FIELD = new RegExp(`(?:^|,)(${INTO_FIELDS.join('|')})=`, 'g')
const CERTAINTY_STEPS = 1_000

/** Reads text such as `code="HS code",origin=Origin`. Names of columns may contain commas. */
export function readInto(given: string): Map<IntoField, string> {
  const found = [...given.matchAll(STARTS_FIELD)]
  if (found.length === 0 || found[0].index !== 0)
    throw new OperatorError(`--into is "${given}"; it must be FIELD=COLUMN, and fields are ${INTO_FIELDS.join(', ')}`)
  const into = new Map<IntoField, string>()
  found.forEach(({ 0: start, 1: name, index }, i) => {
    const column = given
      .slice(index + start.length, found[i + 1]?.index)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    if (column === '') throw new OperatorError(`--into has no column for ${name}`)
    if (into.has(name as IntoField)) throw new OperatorError(`--into has ${name} twice`)
    into.set(name as IntoField, column)
  })
  return into
}

interface Found {
  record: number
  status: string
  certainty: string
}

const NOTHING = -1
/** With these statuses, the first code is filled in. */
const FILLED: ReadonlySet<string> = new Set(['clear', 'choose', 'decided'])

export class IntoFiller {
  readonly #into: Map<IntoField, string>
  readonly #resolver: Resolver
  readonly #terms: { level: ClassifyLevel; limit: number }
  readonly #language: (typeof LANGUAGES)[number]
  readonly #shortMax: number
  readonly #origin: string
  readonly #view: CountryView | undefined
  readonly #overwrites: boolean
  readonly #cache = new Map<string, Found>()
  readonly #statuses = new Map<string, number>()
  #filled = 0
  #kept = 0

  constructor(
    private readonly catalog: Catalog,
    private readonly values: Values,
    private readonly prefix: string,
  ) {
    this.#into = readInto(String(values.into))
    this.#resolver = new Resolver(catalog, answerOrThrow(readEdition(catalog, String(values.edition ?? ''))))
    this.#terms = { level: answerOrThrow(readTerms(numberOf(values, 'level'))).level, limit: 1 }
    this.#language = choiceOf(values, 'lang', LANGUAGES)
    this.#shortMax = wholeOf(values, 'short-max', SHORT_CHARS_MIN, SHORT_CHARS_MAX, SHORT_CHARS_DEFAULT)
    this.#origin = String(values.origin ?? '').toUpperCase()
    this.#view = countryOf(values, catalog)
    this.#overwrites = values.overwrite === true
    if (this.#into.has('origin') !== (values.origin !== undefined))
      throw new OperatorError('--origin CC and --into origin=COLUMN must be used together')
    if (values.origin !== undefined && !ISO_COUNTRIES.has(this.#origin))
      throw new OperatorError(`--origin is "${values.origin}"; it must be an ISO country code such as CN`)
  }

  /** `columnIn` finds a column of the header, or throws. */
  begin(columnIn: (wanted: string) => number): Filling {
    const { column, words, sku, gtin } = this.values
    const [codes, texts, skus, gtins] = [column, words, sku, gtin].map(wanted =>
      wanted === undefined ? NOTHING : columnIn(String(wanted)),
    )
    const targets = [...this.#into].map(([field, name]) => [field, columnIn(name)] as const)
    const codeAt = targets.find(([field]) => field === 'code')?.[1] ?? NOTHING
    const taken = new Set<number>()
    for (const [field, at] of targets) {
      if (taken.has(at)) throw new OperatorError(`--into fills the column of ${field} twice`)
      if (at === texts) throw new OperatorError(`--into would fill the column of --words with ${field}`)
      taken.add(at)
    }
    return {
      added: ['status', 'certainty'].map(name => this.prefix + name),
      fill: cells => {
        const ids = idsOf(cells[skus] ?? '', cells[gtins] ?? '')
        const { record, status, certainty } = this.#find(cells[codes] ?? '', cells[texts] ?? '', ids)
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
        const isKept = (at: number) => cells[at].trim() !== '' && !this.#overwrites
        // a short description of a code other than the one in the row would be a false declaration
        const described = codeAt >= 0 && isKept(codeAt) ? this.#resolver.resolve(cells[codeAt].trim()).record : record
        const replaced = new Map<number, string>()
        for (const [field, at] of targets) {
          const text = this.#text(field, field === 'code' ? record : described)
          if (text === '') continue
          if (isKept(at)) this.#kept++
          else {
            replaced.set(at, text)
            this.#filled++
          }
        }
        return { replaced, added: [status, certainty] }
      },
    }
  }

  printSummary(print: Print): void {
    print(`${this.#filled} cells filled, ${this.#kept} left unchanged`)
    for (const [status, count] of [...this.#statuses].sort(([, a], [, b]) => b - a)) print(`  ${status}  ${count}`)
  }

  /** The code of the row if it can be read, otherwise the first proposal for its words. */
  #find(code: string, words: string, ids: ProductIds): Found {
    const key = [code, words, ids.sku, ids.gtin].join('\0')
    let found = this.#cache.get(key)
    if (found === undefined) {
      found = this.#read(code) ?? this.#classify(words, ids)
      if (this.#cache.size >= CACHED_MAX) this.#cache.clear()
      this.#cache.set(key, found)
    }
    return found
  }

  #read(code: string): Found | undefined {
    if (code.trim() === '') return undefined
    const { record, status } = this.#resolver.resolve(code.trim())
    return record < 0 && this.values.words !== undefined ? undefined : { record, status, certainty: '' }
  }

  /** Fills a code only if it can be proposed; questions are left to a person. */
  #classify(words: string, ids: ProductIds): Found {
    const text = [...words.trim()].slice(0, CLASSIFY_CHARS_MAX).join('')
    const isKnown = ids.sku !== '' || ids.gtin !== ''
    if (text === '' && !isKnown) return { record: NOTHING, status: 'blank', certainty: '' }
    if (text.length < CLASSIFY_CHARS_MIN && !isKnown) return { record: NOTHING, status: 'unknown', certainty: '' }
    const item = { text, terms: { ...this.#terms, within: [] }, record: NOTHING, ...ids }
    const { status, candidates, decision } = classify(this.catalog, item, this.#view)
    const [best] = candidates
    // a decision that no longer applies is left to a person
    const isProposed = best !== undefined && FILLED.has(status) && !decision?.problem
    const certainty = best === undefined ? '' : String(Math.round(best.score * CERTAINTY_STEPS) / CERTAINTY_STEPS)
    const shown = decision?.problem ? `decided: ${decision.problem}` : status
    return { record: isProposed ? best.record : NOTHING, status: shown, certainty }
  }

  #text(field: IntoField, record: number): string {
    if (field === 'origin') return this.#origin
    if (record < 0) return ''
    const { records, source, shortNames } = this.catalog
    switch (field) {
      case 'code':
        return records.code(record)
      case 'short':
        return shortNames.of(source[record], this.#language, this.#shortMax)
      case 'description':
        return records.description(record)[this.#language]
      case 'rate':
        return (this.#view ?? this.catalog).rateText(record)
      case 'unit':
        return this.catalog.unitOf(record)?.code ?? ''
    }
  }
}

/** Cached, because tables repeat their texts. */
const CACHED_MAX = 4_096
