/** Counts of many keys by id, in typed arrays: a million objects would slow every garbage collection. */
import { Shards } from './shards.js'
import type { Usage } from './usage-store.js'

const FIELDS = 4
/** Rows are stored in pieces, so that growing copies nothing. */
const PIECE_ROWS = 16_384

export class CountRows {
  readonly #rows = new Shards<number>()
  readonly #pieces: Float64Array[] = []
  #count = 0
  readonly #free: number[] = []

  get(keyId: string): Usage | undefined {
    const row = this.#rows.get(keyId)
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
    let row = this.#rows.get(keyId)
    if (row === undefined) {
      row = this.#free.pop() ?? this.#count++
      this.#rows.set(keyId, row)
    }
    if (row >= this.#pieces.length * PIECE_ROWS) this.#pieces.push(new Float64Array(PIECE_ROWS * FIELDS))
    const piece = this.#pieceOf(row)
    const at = (row % PIECE_ROWS) * FIELDS
    piece[at] = day
    piece[at + 1] = dayCount
    piece[at + 2] = minuteStartMs
    piece[at + 3] = minuteCount
  }

  clear(): void {
    this.#rows.clear()
    this.#pieces.length = 0
    this.#free.length = 0
    this.#count = 0
  }

  *values(): Generator<Usage> {
    for (const [keyId, row] of this.#rows.entries()) yield this.#read(keyId, row)
  }

  /** As `values`, from this day on; deletes older rows. */
  *since(day: number): Generator<Usage> {
    for (const [keyId, row] of this.#rows.entries()) {
      const usage = this.#read(keyId, row)
      if (usage.day >= day) yield usage
      else {
        this.#rows.delete(keyId)
        this.#free.push(row)
      }
    }
  }
}
