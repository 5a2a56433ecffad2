/**
 * Writes and reads the JSON of a record. Other files rely only on this: the bytes up to the description are an object without
 * its closing brace, and a record ends with a brace.
 */
import { parentId } from '../codes/code.js'
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

const UTF8 = new TextEncoder()
const BEFORE_CODE = '{"hs_code":"'
const BEFORE_ENGLISH = '","description":{"en":'

/** A record's JSON, split after each description, because other responses use parts of it. */
export function renderRecord({ code, en, ar, parent, rate, active }: RecordFields) {
  const id = parent === undefined ? 'null' : parentId(parent)
  return {
    english: `${BEFORE_CODE}${code}${BEFORE_ENGLISH}${JSON.stringify(en)}`,
    arabic: `,"ar":${JSON.stringify(ar)}}`,
    rest: `,"level":${code.length},"parent_id":${id}${renderEnd(rate, active)}`,
  }
}

/** The field that follows the description in a search result. */
export const renderRate = (rate: string): string => `,"tariff_rate":${rate}`

const renderEnd = (rate: string, active: boolean): string => `${renderRate(rate)},"is_active":${active}}`

/** The rendered records of a snapshot. All positions are offsets in `arena`. */
export class Records {
  /** Records separated by one comma, so that neighbours form a JSON list. */
  readonly arena: Uint8Array
  readonly #offset: Uint32Array
  readonly #headBytes: Uint16Array
  readonly #englishBytes: Uint16Array
  readonly #level: Uint8Array
  /** By record: a cached view of its bytes up to and including the description. Creating a view takes as long as copying its bytes. */
  readonly #heads: (Uint8Array | undefined)[]
  readonly #rate: Uint16Array
  readonly #active: Uint8Array
  readonly #rates: readonly string[]
  /** The last bytes of a record, from its rate on, by rate and by whether it is active; created on first use. */
  readonly #endings: (Uint8Array | undefined)[] = []

  /** `rates`: `meta.rates` of the snapshot. */
  constructor({ arena, offset, headBytes, englishBytes, level, rate, active }: Columns, rates: readonly string[]) {
    this.arena = arena
    this.#offset = offset
    this.#headBytes = headBytes
    this.#englishBytes = englishBytes
    this.#level = level
    this.#heads = new Array(level.length)
    this.#rate = rate
    this.#active = active
    this.#rates = rates
  }

  start(record: number): number {
    return this.#offset[record]
  }

  /** End of the record, without the trailing comma. */
  end(record: number): number {
    return this.#offset[record + 1] - 1
  }

  /** End of the description. Up to here, a search result has the same bytes as its record. */
  headEnd(record: number): number {
    return this.#offset[record] + this.#headBytes[record]
  }

  /** Start of the English description, including its quote. */
  englishStart(record: number): number {
    const digits = this.#level[record]
    return this.#offset[record] + BEFORE_CODE.length + digits + BEFORE_ENGLISH.length
  }

  englishEnd(record: number): number {
    return this.#offset[record] + this.#englishBytes[record]
  }

  /** Position of the comma before the rate. The bytes before it do not depend on the rate. */
  rateStart(record: number): number {
    return this.end(record) - this.ending(record, this.#rate[record]).length
  }

  /** The bytes from `rateStart` on, with another rate (an index into `rates`). */
  ending(record: number, rate: number): Uint8Array {
    const active = this.#active[record]
    const place = 2 * rate + active
    this.#endings[place] ??= UTF8.encode(renderEnd(this.#rates[rate], active === 1))
    return this.#endings[place]
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

  /** The whole record as text. Neither this method nor those below are for the hot path. */
  text(record: number): string {
    return utf8Text(this.bytes(record))
  }

  textWithRate(record: number, rate: number): string {
    return utf8Text(this.arena.subarray(this.start(record), this.rateStart(record))) + utf8Text(this.ending(record, rate))
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
