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

/** A record's JSON, split after each description, where other responses cut it. */
export function renderRecord({ code, en, ar, parent, rate, active }: RecordFields) {
  const id = parent === undefined ? 'null' : parentId(parent)
  return {
    english: `${BEFORE_CODE}${code}${BEFORE_ENGLISH}${JSON.stringify(en)}`,
    arabic: `,"ar":${JSON.stringify(ar)}}`,
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

  /** The whole record as text. Off the hot path, like all that follows. */
  text(record: number): string {
    return utf8Text(this.bytes(record))
  }

  headText(record: number): string {
    return utf8Text(this.headBytes(record))
  }

  description(record: number): { en: string; ar: string } {
    return JSON.parse(`${this.headText(record)}}`).description
  }

  code(record: number): string {
    const start = this.#offset[record] + BEFORE_CODE.length
    return String.fromCharCode(...this.arena.subarray(start, start + this.#level[record]))
  }
}
