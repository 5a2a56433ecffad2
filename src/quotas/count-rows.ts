/** Counts of many keys by id, in typed arrays: a million objects would slow every garbage collection. */
import { fnv1a } from '../fnv1a.js'
import type { Usage } from './usage.js'

const FIELDS = 4
/** Rows are stored in pieces, so that growing copies nothing. */
const PIECE_ROWS = 16_384
/** Several maps, because a single Map of a million entries would take a tenth of a second to grow. */
const MAPS = 512

export class CountRows {
  readonly #maps: Map<string, number>[] = Array.from({ length: MAPS }, () => new Map())
  readonly #pieces: Float64Array[] = []
  #count = 0
  readonly #free: number[] = []

  #mapOf(keyId: string): Map<string, number> {
    return this.#maps[fnv1a(keyId) % MAPS]
  }

  get(keyId: string): Usage | undefined {
    const row = this.#mapOf(keyId).get(keyId)
    return row === undefined ? undefined : this.#read(keyId, row)
  }

  #read(keyId: string, row: number): Usage {
    const piece = this.#pieceOf(row)
    const at = (row % PIECE_ROWS) * FIELDS
    return { keyId, day: piece[at], dayCount: piece[at + 1], minuteStartMs: piece[at + 2], minuteCount: piece[at + 3] }
  }

  #pieceOf(row: number): Float64Array {
    return this.#pieces[Math.floor(row / PIECE_ROWS)]
  }

  set({ keyId, day, dayCount, minuteStartMs, minuteCount }: Usage): void {
    let row = this.#mapOf(keyId).get(keyId)
    if (row === undefined) {
      row = this.#free.pop() ?? this.#count++
      this.#mapOf(keyId).set(keyId, row)
    }
    if (row >= this.#pieces.length * PIECE_ROWS) this.#pieces.push(new Float64Array(PIECE_ROWS * FIELDS))
    const piece = this.#pieceOf(row)
    const at = (row % PIECE_ROWS) * FIELDS
    piece[at] = day
    piece[at + 1] = dayCount
    piece[at + 2] = minuteStartMs
    piece[at + 3] = minuteCount
  }

  /** Yields rows from this day on and deletes older ones. */
  *since(day: number): Generator<Usage> {
    for (const map of this.#maps)
      for (const [keyId, row] of map) {
        const usage = this.#read(keyId, row)
        if (usage.day >= day) yield usage
        else {
          map.delete(keyId)
          this.#free.push(row)
        }
      }
  }
}
