/**
 * Slots that are found by a mark of 32 bits: open addressing, at most half full. What a slot stands for is compared by
 * whoever extends this. Keys come and go in place, and where it must grow it does so in slices, while it is being read.
 */
export const NO_SLOT = -1
/** Knuth's multiplier: neighbouring numbers end up far apart in the high bits. */
const GOLDEN = 0x9e3779b1
const FIRST_BITS = 7

/** A wider table in the making: first all its places are cleared, then the slots are moved. */
interface Growth {
  readonly bits: number
  readonly places: Int32Array<ArrayBuffer>
  cleared: number
  moved: number
}

export class SlotTable {
  /** By place: a slot, or NO_SLOT. */
  protected places = new Int32Array(2 ** FIRST_BITS).fill(NO_SLOT)
  protected mask = 2 ** FIRST_BITS - 1
  protected shift = 32 - FIRST_BITS
  /** By slot. Memory that is reserved and not touched costs nothing. */
  protected readonly marks: Int32Array
  readonly #isIn: Uint8Array
  #count = 0
  #growth: Growth | undefined

  /** For slots below `capacity`. */
  constructor(capacity: number) {
    this.marks = new Int32Array(capacity)
    this.#isIn = new Uint8Array(capacity)
  }

  /** Slots that are in it. */
  get inCount(): number {
    return this.#count
  }

  get capacity(): number {
    return this.#isIn.length
  }

  has(slot: number): boolean {
    return this.#isIn[slot] === 1
  }

  /**
   * Makes room for so many more slots, touching at most `atOnce` places: true once there is room. What is inserted or
   * removed before that lets it begin again.
   */
  makeRoom(more: number, atOnce = Number.POSITIVE_INFINITY): boolean {
    const wanted = 2 * (this.#count + more)
    if (wanted <= this.places.length) {
      this.#growth = undefined
      return true
    }
    const bits = Math.ceil(Math.log2(wanted))
    if (this.#growth === undefined || this.#growth.bits < bits)
      this.#growth = { bits, places: new Int32Array(2 ** bits), cleared: 0, moved: 0 }
    return this.#grow(this.#growth, atOnce)
  }

  #grow(growth: Growth, atOnce: number): boolean {
    const { bits, places } = growth
    const clearTo = Math.min(places.length, growth.cleared + atOnce)
    places.fill(NO_SLOT, growth.cleared, clearTo)
    const left = atOnce - (clearTo - growth.cleared)
    growth.cleared = clearTo
    if (growth.cleared < places.length) return false
    const moveTo = Math.min(this.places.length, growth.moved + left)
    const mask = places.length - 1
    for (; growth.moved < moveTo; growth.moved++) {
      const slot = this.places[growth.moved]
      if (slot === NO_SLOT) continue
      let place = Math.imul(this.marks[slot], GOLDEN) >>> (32 - bits)
      while (places[place] !== NO_SLOT) place = (place + 1) & mask
      places[place] = slot
    }
    if (growth.moved < this.places.length) return false
    this.places = places
    this.mask = mask
    this.shift = 32 - bits
    this.#growth = undefined
    return true
  }

  /** Where to look first for a mark. */
  protected placeOf(mark: number): number {
    return Math.imul(mark, GOLDEN) >>> this.shift
  }

  /** A slot that is not in the table. */
  protected insert(slot: number, mark: number): void {
    this.makeRoom(1)
    let place = this.placeOf(mark)
    while (this.places[place] !== NO_SLOT) place = (place + 1) & this.mask
    this.places[place] = slot
    this.marks[slot] = mark
    this.#isIn[slot] = 1
    this.#count++
  }

  remove(slot: number): void {
    if (!this.has(slot)) return
    this.#growth = undefined
    let hole = this.placeOf(this.marks[slot])
    while (this.places[hole] !== slot) hole = (hole + 1) & this.mask
    this.#fill(hole)
    this.#isIn[slot] = 0
    this.#count--
  }

  /** A search ends at an empty place, so those after a hole that were pushed beyond it move up. */
  #fill(emptied: number): void {
    let hole = emptied
    for (let place = (hole + 1) & this.mask; ; place = (place + 1) & this.mask) {
      const slot = this.places[place]
      if (slot === NO_SLOT) break
      const home = this.placeOf(this.marks[slot])
      if (((place - home) & this.mask) < ((place - hole) & this.mask)) continue
      this.places[hole] = slot
      hole = place
    }
    this.places[hole] = NO_SLOT
  }
}
