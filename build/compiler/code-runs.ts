/** Records in code order, so that codes with the same first digits are adjacent. */
import { partitionPoint } from '../../src/lower-bound.js'

export interface Run {
  first: number
  end: number
}

/** A character that sorts after every digit. */
const AFTER_DIGITS = ':'

export class CodeRuns {
  /** In ascending order. */
  readonly codes: readonly string[]
  /** The record of each code. */
  readonly records: Uint32Array

  constructor(codes: readonly string[], records: Iterable<number>) {
    this.records = Uint32Array.from([...records].sort((a, b) => (codes[a] < codes[b] ? -1 : 1)))
    this.codes = Array.from(this.records, record => codes[record])
  }

  of(prefix: string): Run {
    const first = this.#firstFrom(prefix, 0)
    return { first, end: this.#firstFrom(prefix + AFTER_DIGITS, first) }
  }

  #firstFrom(text: string, from: number): number {
    return partitionPoint(from, this.codes.length, i => this.codes[i] < text)
  }
}

/** For each code, the value of the longest row prefix that the code starts with, or -1; in the order of `runs.codes`. */
export function longestPrefixValues(runs: CodeRuns, rows: readonly { prefix: string; value: number }[]): Int32Array {
  const values = new Int32Array(runs.codes.length).fill(-1)
  for (const { prefix, value } of [...rows].sort((a, b) => a.prefix.length - b.prefix.length)) {
    const { first, end } = runs.of(prefix)
    values.fill(value, first, end)
  }
  return values
}

/** The common tariff as country layers need it: records with their codes and rates. */
export interface CommonTariff {
  codes: readonly string[]
  /** Indices into `rates`. */
  rate: Uint16Array
  low: Uint16Array
  high: Uint16Array
  rates: readonly string[]
  isLine(record: number): boolean
}

/** Lines in code order, and which of them are at or below each record. */
export class LineRuns extends CodeRuns {
  readonly below: readonly Run[]

  constructor({ codes, isLine }: CommonTariff) {
    super(
      codes,
      [...codes.keys()].filter(record => isLine(record)),
    )
    this.below = codes.map(code => this.of(code))
  }
}
