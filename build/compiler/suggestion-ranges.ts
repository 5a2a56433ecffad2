/** Prefixes shared by too many phrases to scan while someone types, with the best phrases of each. */

import { Best, RANGE_SCANNED_MAX } from '../../src/catalog/suggest-best.js'
import { partitionPoint } from '../../src/lower-bound.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { GrowingArray } from './growing-array.js'

type PhraseColumns = Pick<
  Columns,
  'suggestFolded' | 'suggestFoldedAt' | 'suggestWeight' | 'suggestAlike' | 'suggestInner' | 'suggestInnerStart' | 'suggestParts'
>

interface Range {
  low: number
  high: number
  best: Uint32Array
}

export function findLargeRanges(columns: PhraseColumns): Pick<Columns, 'suggestRanges' | 'suggestBest'> {
  const { suggestParts: parts } = columns
  const finder = new RangeFinder(columns)
  for (let part = 1; part < parts.length; part++) finder.walk(parts[part - 1], parts[part], 0)
  const found = finder.found.sort((a, b) => a.low - b.low || a.high - b.high)
  const ranges = new GrowingArray()
  const best = new GrowingArray()
  for (const range of found) {
    for (const number of [range.low, range.high, best.length]) ranges.push(number)
    for (const phrase of range.best) best.push(phrase)
  }
  for (const number of [0xffff_ffff, 0xffff_ffff, best.length]) ranges.push(number)
  return { suggestRanges: ranges.column(), suggestBest: best.column() }
}

/** Marks the end of a text; sorts before any byte. */
const END = -1

class RangeFinder {
  readonly found: Range[] = []
  readonly #columns: PhraseColumns
  readonly #best: Best

  constructor(columns: PhraseColumns) {
    this.#columns = columns
    this.#best = new Best(columns.suggestWeight, columns.suggestAlike)
  }

  /** The positions from `low` to `high` start with the same `depth` bytes. */
  walk(low: number, high: number, depth: number): void {
    if (high - low <= RANGE_SCANNED_MAX) return
    const last = this.found.at(-1)
    if (depth > 0 && (last === undefined || last.low !== low || last.high !== high)) this.#keep(low, high)
    for (let from = low; from < high; ) {
      const byte = this.#byteAt(from, depth)
      const to = this.#endOfRun(from, high, depth, byte)
      if (byte !== END) this.walk(from, to, depth + 1)
      from = to
    }
  }

  #keep(low: number, high: number): void {
    this.#best.clear()
    for (let position = low; position < high; position++) this.#best.offer(this.#phraseAt(position))
    this.found.push({ low, high, best: this.#best.phrases.slice(0, this.#best.count) })
  }

  /** The end of the run of positions with this byte; positions are sorted by their bytes. */
  #endOfRun(from: number, high: number, depth: number, byte: number): number {
    return partitionPoint(from + 1, high, position => this.#byteAt(position, depth) === byte)
  }

  #phraseAt(position: number): number {
    const { suggestInner, suggestWeight } = this.#columns
    const phrases = suggestWeight.length
    return position < phrases ? position : suggestInner[position - phrases]
  }

  #byteAt(position: number, depth: number): number {
    const { suggestFolded, suggestFoldedAt, suggestInnerStart, suggestWeight } = this.#columns
    const phrases = suggestWeight.length
    const phrase = this.#phraseAt(position)
    const before = position < phrases ? 0 : suggestInnerStart[position - phrases]
    const at = suggestFoldedAt[phrase] + before + depth
    return at < suggestFoldedAt[phrase + 1] ? suggestFolded[at] : END
  }
}
