/** A record as JSON: how it is written, and where its parts are found again. No other file knows this layout. */
import { parentId } from '../hs-code.js'
import type { Columns } from '../snapshot/schema.js'
import { utf8Text } from './utf8.js'

export interface RecordFields {
  code: string
  en: string
  ar: string
  /** The parent's code, or undefined without one. */
  parent: string | undefined
  /** Percent, in shortest decimal form. */
  rate: string
  active: boolean
}

const BEFORE_CODE = '{"hs_code":"'
const BEFORE_ENGLISH = '","description":{"en":'
const AR = ',"ar":'
/** From the end of one text to the beginning of the other: no text has a bare quote. */
const BETWEEN = `"${AR}"`

/** A record's JSON in the pieces that are told apart later. */
export interface RenderedRecord {
  /** Up to and including the English description. */
  english: string
  /** From there up to and including the description as a whole. */
  arabic: string
  rest: string
}

export function renderRecord({ code, en, ar, parent, rate, active }: RecordFields): RenderedRecord {
  const id = parent === undefined ? 'null' : parentId(parent)
  return {
    english: `${BEFORE_CODE}${code}${BEFORE_ENGLISH}${JSON.stringify(en)}`,
    arabic: `${AR}${JSON.stringify(ar)}}`,
    rest: `,"level":${code.length},"parent_id":${id}${renderRate(rate)},"is_active":${active}}`,
  }
}

const renderRate = (rate: string) => `,"tariff_rate":${rate}`

/** How a search result goes on after the head that it shares with its record, its brace left out. */
export const renderSearchEnding = (rate: string): string => renderRate(rate)

/** The rendered records of a snapshot. Positions are those in `arena`. */
export class Records {
  /** One comma between two records, so that neighbours are a list as they stand. */
  readonly arena: Uint8Array
  readonly #offset: Uint32Array
  readonly #headBytes: Uint16Array
  readonly #englishBytes: Uint16Array
  readonly #level: Uint8Array
  /** Views of the heads that were asked for: to make one costs as much as to copy what it shows. */
  readonly #heads: (Uint8Array | undefined)[]

  constructor({ arena, offset, headBytes, englishBytes, level }: Columns) {
    this.arena = arena
    this.#offset = offset
    this.#headBytes = headBytes
    this.#englishBytes = englishBytes
    this.#level = level
    this.#heads = new Array(level.length)
  }

  start(record: number): number {
    return this.#offset[record]
  }

  /** Where its fields begin, the brace before them left out: a longer object goes on with them. */
  fieldsStart(record: number): number {
    return this.#offset[record] + 1
  }

  /** Where the record ends, its comma left out. */
  end(record: number): number {
    return this.#offset[record + 1] - 1
  }

  /** Where its description ends, and with it the head that a search result shares with it. */
  headEnd(record: number): number {
    return this.#offset[record] + this.#headBytes[record]
  }

  /** Where the English description begins, quotes included. */
  englishStart(record: number): number {
    const digits = this.#level[record]
    return this.#offset[record] + BEFORE_CODE.length + digits + BEFORE_ENGLISH.length
  }

  englishEnd(record: number): number {
    return this.#offset[record] + this.#englishBytes[record]
  }

  bytes(record: number): Uint8Array {
    return this.arena.subarray(this.start(record), this.end(record))
  }

  /** Its first fields, up to and including the description. */
  headBytes(record: number): Uint8Array {
    const kept = this.#heads[record]
    if (kept !== undefined) return kept
    const head = this.arena.subarray(this.start(record), this.headEnd(record))
    this.#heads[record] = head
    return head
  }

  /** Off the hot path: a record's digits and words. */
  head(record: number): { code: string; en: string; ar: string } {
    const text = utf8Text(this.arena.subarray(this.start(record), this.headEnd(record)))
    const codeEnd = BEFORE_CODE.length + this.#level[record]
    const code = text.slice(BEFORE_CODE.length, codeEnd)
    // nearly all words are as they read: taking them apart costs a third of parsing
    if (text.includes('\\')) return { code, ...JSON.parse(`${text}}`).description }
    const english = codeEnd + BEFORE_ENGLISH.length + 1
    const between = text.indexOf(BETWEEN, english)
    return { code, en: text.slice(english, between), ar: text.slice(between + BETWEEN.length, -2) }
  }

  /** Off the hot path: a record's words. */
  description(record: number): { en: string; ar: string } {
    const { en, ar } = this.head(record)
    return { en, ar }
  }

  /** Where its digits begin. */
  codeStart(record: number): number {
    return this.#offset[record] + BEFORE_CODE.length
  }

  /** Off the hot path: a record's digits. */
  code(record: number): string {
    const start = this.codeStart(record)
    return String.fromCharCode(...this.arena.subarray(start, start + this.#level[record]))
  }
}
