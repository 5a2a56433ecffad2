/** Parses query strings as application/x-www-form-urlencoded. If a parameter is repeated, the first one counts. */
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { readCountry } from '../questions/country.js'
import { type Include, type IncludeName, readInclude } from '../questions/include.js'
import { namesIn, readNames } from '../questions/name-list.js'
import { invalidParameter, Refusal, unknownParameter } from '../questions/refusal.js'

export const COUNTRY_PARAMETERS = ['country', 'as_of'] as const

const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/
const DECIMAL = /^[0-9]{1,9}(?:\.[0-9]{1,6})?$/
const AMPERSAND = 38
const EQUALS = 61
const PERCENT = 37
const PLUS = 43
const ABSENT = -1

/** Bit set of the encodings that a name or value contains. */
const SPACES = 1
const PERCENTS = 2

/** Decodes a name or value; returns undefined if its percent-encoding is not UTF-8. */
function decode(text: string, encoded: number): string | undefined {
  const spaced = (encoded & SPACES) === 0 ? text : text.replaceAll('+', ' ')
  if ((encoded & PERCENTS) === 0) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

/**
 * Finds all parameters of a route in one pass; one instance serves every request. Parameters are plain values here:
 * src/questions decides which are allowed.
 */
export class Query {
  readonly #names: readonly string[]
  #text = ''
  /** Refusal of the first unusable parameter; check it after all parameters are read. */
  refusal: Refusal | undefined
  /** Range and encoding of each parameter's value, by index of its name. */
  readonly #start: number[]
  readonly #end: number[]
  readonly #encoded: number[]
  /** Range and encoding of the first unknown name. */
  #unknownStart = ABSENT
  #unknownEnd = ABSENT
  #unknownEncoded = 0

  constructor(names: readonly string[]) {
    this.#names = names
    this.#start = names.map(() => ABSENT)
    this.#end = names.map(() => ABSENT)
    this.#encoded = names.map(() => 0)
  }

  read(text: string): this {
    this.#text = text
    this.refusal = undefined
    this.#unknownStart = ABSENT
    for (let k = 0; k < this.#start.length; k++) this.#start[k] = ABSENT
    let from = 0
    let equals = ABSENT
    let nameEncoded = 0
    let valueEncoded = 0
    for (let i = 0; i <= text.length; i++) {
      const c = i < text.length ? text.charCodeAt(i) : AMPERSAND
      if (c > EQUALS) continue
      if (c === AMPERSAND) {
        const nameEnd = equals === ABSENT ? i : equals
        const name = this.#nameAt(from, nameEnd, nameEncoded)
        if (name === ABSENT) {
          // between two ampersands in a row there is no parameter
          if (i > from && this.#unknownStart === ABSENT) {
            this.#unknownStart = from
            this.#unknownEnd = nameEnd
            this.#unknownEncoded = nameEncoded
          }
        } else if (this.#start[name] === ABSENT) {
          this.#start[name] = equals === ABSENT ? i : equals + 1
          this.#end[name] = i
          this.#encoded[name] = valueEncoded
        }
        from = i + 1
        equals = ABSENT
        nameEncoded = 0
        valueEncoded = 0
      } else if (c === EQUALS) {
        if (equals === ABSENT) equals = i
      } else if (c === PERCENT || c === PLUS) {
        const bit = c === PLUS ? SPACES : PERCENTS
        if (equals === ABSENT) nameEncoded |= bit
        else valueEncoded |= bit
      }
    }
    return this
  }

  #nameAt(from: number, end: number, encoded: number): number {
    const names = this.#names
    if (encoded !== 0) return names.indexOf(decode(this.#text.slice(from, end), encoded) as string)
    for (let k = 0; k < names.length; k++) {
      const name = names[k]
      if (name.length !== end - from) continue
      let same = 0
      while (same < name.length && name.charCodeAt(same) === this.#text.charCodeAt(from + same)) same++
      if (same === name.length) return k
    }
    return ABSENT
  }

  /** For routes on which an unnoticed misspelling would change an amount; other routes ignore unknown parameters. */
  refuseUnknown(): Refusal | undefined {
    if (this.#unknownStart === ABSENT) return undefined
    const name = this.#text.slice(this.#unknownStart, this.#unknownEnd)
    return unknownParameter(decode(name, this.#unknownEncoded) ?? name, this.#names)
  }

  text(name: string): string {
    const k = this.#names.indexOf(name)
    if (k < 0) throw new Error(`${name} is not a parameter of this route`)
    const start = this.#start[k]
    if (start === ABSENT) return ''
    const raw = this.#text.slice(start, this.#end[k])
    const encoded = this.#encoded[k]
    if (encoded === 0) return raw
    const text = decode(raw, encoded)
    if (text === undefined) this.refusal ??= invalidParameter(name, 'has broken percent-encoding')
    return text ?? ''
  }

  /** Whether the query has a parameter that is at this position in the list of names, or after it. */
  hasAnyFrom(position: number): boolean {
    for (let k = position; k < this.#start.length; k++) if (this.#start[k] !== ABSENT) return true
    return false
  }

  /** Returns undefined for an absent or empty parameter, NaN if it is not a whole number. */
  integer(name: string): number | undefined {
    const text = this.text(name)
    if (text === '') return undefined
    return INTEGER.test(text) ? Number(text) : Number.NaN
  }

  /** Returns undefined for an absent or empty parameter, null if it is not a boolean. */
  boolean(name: string): boolean | null | undefined {
    const text = this.text(name)
    switch (text.length > 1 ? text.toLowerCase() : text) {
      case '1':
      case 'true':
        return true
      case '':
        return undefined
      case '0':
      case 'false':
        return false
      default:
        return null
    }
  }

  /** The country whose rates the answer shows; undefined for the common tariff. */
  country(catalog: Catalog): CountryView | undefined {
    const view = readCountry(catalog, { country: this.text('country'), asOf: this.text('as_of') })
    if (!(view instanceof Refusal)) return view
    this.refusal ??= view
    return undefined
  }

  names<Name extends string>(name: string, allowed: readonly Name[]): ReadonlySet<Name> | undefined {
    const names = readNames(name, namesIn(this.text(name)), allowed)
    if (!(names instanceof Refusal)) return names
    this.refusal ??= names
    return undefined
  }

  /** Returns undefined for an absent or empty parameter, NaN if it is not a plain decimal. */
  decimal(name: string): number | undefined {
    const text = this.text(name)
    if (text === '') return undefined
    return DECIMAL.test(text) ? Number(text) : Number.NaN
  }

  include(allowed?: readonly IncludeName[]): Include | undefined {
    const include = readInclude(this.text('include'), allowed, this.integer('short_max'))
    if (!(include instanceof Refusal)) return include
    this.refusal ??= include
    return undefined
  }
}
