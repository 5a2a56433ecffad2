/** Which slot a key's id has, and the other way round. Slots are numbered as ids come, and never given to another. */
import { NO_SLOT, SlotTable } from './slot-table.js'

/** Ids are kept in pieces, so that more of them never means copying those there are. */
const PIECE_BITS = 14
const PIECE_MASK = 2 ** PIECE_BITS - 1

/** FNV-1a. */
function markOf(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return hash
}

export class KeyIds extends SlotTable {
  readonly #pieces: string[][] = []
  #count = 0

  /** How many slots are named: all below this number. */
  get count(): number {
    return this.#count
  }

  id(slot: number): string {
    return (this.#pieces[slot >>> PIECE_BITS] as string[])[slot & PIECE_MASK] as string
  }

  /** The slot of an id, or NO_SLOT. */
  find(id: string): number {
    let place = this.placeOf(markOf(id))
    for (let slot = this.places[place] as number; slot !== NO_SLOT; slot = this.places[place] as number) {
      if (this.id(slot) === id) return slot
      place = (place + 1) & this.mask
    }
    return NO_SLOT
  }

  /** The slot of an id, a new one if need be; NO_SLOT where there is no room for it. */
  name(id: string): number {
    const found = this.find(id)
    if (found !== NO_SLOT || this.#count === this.capacity) return found
    const slot = this.#count++
    if ((slot & PIECE_MASK) === 0) this.#pieces.push([])
    ;(this.#pieces.at(-1) as string[]).push(id)
    this.insert(slot, markOf(id))
    return slot
  }
}
