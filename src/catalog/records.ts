/** The JSON layout of a record; no other file knows it. */
import { parentId } from '../hs-code.js'
import type { Columns } from '../snapshot/schema.js'
import { utf8Text } from './utf8.js'

export interface RecordFields {
  code: string
  en: string
  ar: string
  parent: string | undefined
  /** Percent, in shortest decimal form. */
  rate: string
  active: boolean
}

const BEFORE_CODE = '{"hs_code":"'
const BEFORE_ENGLISH = '","description":{"en":'
const AR = ',"ar":'
/** Unambiguous: a quote within a JSON string is escaped. */
const BETWEEN = `"${AR}"`

/** A record's JSON, split where other responses cut it. */
export interface RenderedRecord {
  /** Up to and including the English description. */
  english: string
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

/** Follows the description in a record, and ends a search result. */
export const renderRate = (rate: string): string => `,"tariff_rate":${rate}`

/** The rendered records of a snapshot. Offsets are into `arena`. */
export class Records {
  /** Records separated by one comma, so that neighbours form a JSON list. */
  readonly arena: Uint8Array
  readonly #offset: Uint32Array
  readonly #headBytes: Uint16Array
  readonly #englishBytes: Uint16Array
  readonly #level: Uint8Array
  /** Cached views: creating one costs as much as copying its bytes. */
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

  /** After the opening brace, for responses that embed the fields. */
  fieldsStart(record: number): number {
    return this.#offset[record] + 1
  }

  /** Without the trailing comma. */
  end(record: number): number {
    return this.#offset[record + 1] - 1
  }

  /** End of the description, which is where a search result departs from its record. */
  headEnd(record: number): number {
    return this.#offset[record] + this.#headBytes[record]
  }

  /** Start of the English description, quote included. */
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

  /** The fields up to and including the description. */
  headBytes(record: number): Uint8Array {
    const cached = this.#heads[record]
    if (cached !== undefined) return cached
    const head = this.arena.subarray(this.start(record), this.headEnd(record))
    this.#heads[record] = head
    return head
  }

  /** Off the hot path. */
  head(record: number): { code: string; en: string; ar: string } {
    const text = utf8Text(this.arena.subarray(this.start(record), this.headEnd(record)))
    const codeEnd = BEFORE_CODE.length + this.#level[record]
    const code = text.slice(BEFORE_CODE.length, codeEnd)
    // without escapes, slicing costs a third of JSON.parse
    if (text.includes('\\')) return { code, ...JSON.parse(`${text}}`).description }
    const english = codeEnd + BEFORE_ENGLISH.length + 1
    const between = text.indexOf(BETWEEN, english)
    return { code, en: text.slice(english, between), ar: text.slice(between + BETWEEN.length, -2) }
  }

  /** Off the hot path. */
  description(record: number): { en: string; ar: string } {
    const { en, ar } = this.head(record)
    return { en, ar }
  }

  codeStart(record: number): number {
    return this.#offset[record] + BEFORE_CODE.length
  }

  /** Off the hot path. */
  code(record: number): string {
    const start = this.codeStart(record)
    return String.fromCharCode(...this.arena.subarray(start, start + this.#level[record]))
  }
}
