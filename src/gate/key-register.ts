/**
 * What is known of the key file's lines, by slot: enough to find what changed in it without reading the rest as JSON. A
 * change is found in slices and, once the whole file has proved sound, put in force in slices; a file that proves damaged
 * changes nothing.
 */
import { Fingerprint } from '../keys/fingerprint.js'
import { type KeyFile, parseLine } from '../keys/key-file.js'
import type { Chunk } from '../keys/key-lines.js'
import type { KeyRecord } from '../keys/key-record.js'
import { NO_SLOT } from '../keys/slot-table.js'
import { PARSE_WORK, SLICE_BUCKETS, SLICE_KEYS, SLICE_SLOTS, turn } from '../slices.js'
import type { Gate } from './gate.js'

/** A record with what its line is known by. */
interface Met {
  record: KeyRecord
  low: number
  high: number
  /** The slot of the line before, or NO_SLOT where that is new as well. */
  after: number
}

/** How a key file differs from what is in force. */
export interface Difference {
  /** Slots of keys that are no longer in it. */
  gone: number[]
  changed: Met[]
  added: Met[]
  /** Records that were read as JSON. */
  parsed: number
  /** The most lines that were looked at without a turn of the event loop; 0 where the file was read whole. */
  linesInSliceMax: number
}

export class KeyRegister {
  readonly #gate: Gate
  /** By slot: the line's fingerprint. */
  readonly #low: Int32Array
  readonly #high: Int32Array
  /** By slot: the one whose line came next, last time. A guess only. */
  readonly #next: Int32Array
  /** By slot: the reading that last met it. */
  readonly #metIn: Int32Array
  readonly #fingerprint = new Fingerprint()
  #reading = 0
  /** Where the next line is looked for first. */
  #guess = 0
  #last = NO_SLOT
  #lastSet = 0

  constructor(gate: Gate) {
    this.#gate = gate
    this.#low = new Int32Array(gate.capacity)
    this.#high = new Int32Array(gate.capacity)
    this.#next = new Int32Array(gate.capacity)
    this.#metIn = new Int32Array(gate.capacity)
  }

  /** Puts a whole file in force, before any request; false where there is none. */
  async load(file: KeyFile): Promise<boolean> {
    // at once, not gathered: a million records would stay in memory long after
    const read = await this.#read(file, met => this.#set(met))
    // an odd layout may show late, and then the file is read once more
    if (read !== undefined) for (const slot of await this.#gone()) this.#remove(slot)
    return read !== undefined
  }

  /** Finds what changed, and changes nothing. Undefined where there is no file; rejects where it is damaged. */
  async compare(file: KeyFile): Promise<Difference | undefined> {
    const changed: Met[] = []
    const added: Met[] = []
    const read = await this.#read(file, (met, slot) => {
      if (slot === NO_SLOT) added.push(met)
      else changed.push(met)
    })
    return read && { ...read, changed, added, gone: await this.#gone() }
  }

  /**
   * Puts a difference in force and tells of the slots that it touched, slice by slice. What takes rights away comes first:
   * it needs no room. Gives how many keys found none.
   */
  async apply({ gone, changed, added }: Difference, tell: (slots: number[]) => void): Promise<number> {
    for (let i = 0; i < gone.length; i += SLICE_KEYS) {
      const slots = gone.slice(i, i + SLICE_KEYS)
      for (const slot of slots) this.#remove(slot)
      tell(slots)
      await turn()
    }
    let withoutRoom = 0
    for (const records of [changed, added]) {
      for (let i = 0; i < records.length; i += SLICE_KEYS) {
        const some = records.slice(i, i + SLICE_KEYS)
        while (!this.#gate.makeRoom(some.length, SLICE_BUCKETS)) await turn()
        const slots = some.map(met => this.#set(met))
        withoutRoom += some.filter((met, n) => slots[n] === NO_SLOT && met.record.revoked_at === null).length
        tell(slots.filter(slot => slot !== NO_SLOT))
        await turn()
      }
    }
    return withoutRoom
  }

  #begin(): void {
    this.#reading++
    this.#guess = 0
    this.#last = NO_SLOT
  }

  /** Tells of each record that is not known as it is, with its slot. */
  async #read(
    file: KeyFile,
    tell: (met: Met, slot: number) => void,
  ): Promise<{ parsed: number; linesInSliceMax: number } | undefined> {
    let parsed = 0
    const meet = (record: KeyRecord) => {
      parsed++
      const slot = this.#gate.slotOf(record.id)
      const { low, high } = this.#fingerprint
      // the last of two lines for one key counts, known or not
      if (slot === NO_SLOT || this.#isMet(slot) || !this.#isKnown(slot)) tell({ record, low, high, after: this.#last }, slot)
      // a new key may have got its slot only now
      this.#meet(slot === NO_SLOT ? this.#gate.slotOf(record.id) : slot)
    }
    this.#begin()
    const found = await file.readLines((chunk, start, end) => {
      this.#fingerprint.of(chunk, start, end)
      if (!this.#isMet(this.#guess) && this.#isKnown(this.#guess)) {
        this.#meet(this.#guess)
        return 1
      }
      const record = parseLine(chunk.bytes.toString('utf8', start, end), file.path)
      if (record === undefined) return undefined
      meet(record)
      return PARSE_WORK
    })
    if (found === undefined) return undefined
    if (found !== 'other layout') return { parsed, linesInSliceMax: found.linesInSliceMax }
    this.#begin()
    const records = await file.readWhole()
    for (const record of records ?? []) {
      // known by the line that it will have once the file is written again
      const bytes = Buffer.from(JSON.stringify(record))
      const chunk: Chunk = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
      this.#fingerprint.of(chunk, 0, bytes.length)
      meet(record)
    }
    return records && { parsed, linesInSliceMax: 0 }
  }

  #isKnown(slot: number): boolean {
    return this.#low[slot] === this.#fingerprint.low && this.#high[slot] === this.#fingerprint.high
  }

  #isMet(slot: number): boolean {
    return this.#metIn[slot] === this.#reading
  }

  #meet(slot: number): void {
    if (this.#last !== NO_SLOT && slot !== NO_SLOT) this.#next[this.#last] = slot
    this.#last = slot
    if (slot === NO_SLOT) return
    this.#metIn[slot] = this.#reading
    this.#guess = this.#next[slot]
  }

  async #gone(): Promise<number[]> {
    const gone: number[] = []
    for (let slot = 0; slot < this.#gate.slots; slot++) {
      if (this.#gate.isInForce(slot) && !this.#isMet(slot)) gone.push(slot)
      if (slot % SLICE_SLOTS === SLICE_SLOTS - 1) await turn()
    }
    return gone
  }

  #set({ record, low, high, after }: Met): number {
    const slot = this.#gate.setKey(record)
    if (slot === NO_SLOT) return NO_SLOT
    this.#low[slot] = low
    this.#high[slot] = high
    this.#next[after === NO_SLOT ? this.#lastSet : after] = slot
    this.#lastSet = slot
    return slot
  }

  #remove(slot: number): void {
    this.#gate.removeKey(slot)
    // should it come back, it is new
    this.#low[slot] = 0
    this.#high[slot] = 0
  }
}
