/**
 * Keeps a fingerprint of each line of the key file, so that only changed lines are parsed. Changes are applied only after the
 * whole file has been read without error, so a damaged file changes nothing.
 */
import { Fingerprint } from '../keys/fingerprint.js'
import { type KeyFile, parseLine } from '../keys/key-file.js'
import type { Chunk } from '../keys/key-lines.js'
import type { KeyRecord } from '../keys/key-record.js'
import { NO_SLOT } from '../keys/slot-table.js'
import { nextTurn, PARSE_WORK, SLICE_SLOTS } from '../slices.js'
import type { Gate } from './gate.js'
import { type PublishSlots, removeInSlices, setInSlices } from './key-slices.js'

interface ReadRecord {
  record: KeyRecord
  low: number
  high: number
  /** The slot of the previous line, or NO_SLOT if that line is new too. */
  previousSlot: number
}

export interface Difference {
  removed: number[]
  changed: ReadRecord[]
  added: ReadRecord[]
  parsed: number
  /** The largest number of lines read without a pause; 0 if the file was read in one piece. */
  linesInSliceMax: number
}

export class KeyRegister {
  /** By slot: the two halves of the fingerprint of the key's line. */
  readonly #low: Int32Array
  readonly #high: Int32Array
  /** By slot: the slot of the following line when the file was last read. */
  readonly #next: Int32Array
  /** By slot: the number of the last pass over the file that found the key. */
  readonly #foundIn: Int32Array
  readonly #fingerprint = new Fingerprint()
  #reading = 0
  /** The slot to which the next line probably belongs. */
  #expectedSlot = 0
  #previousSlot = NO_SLOT
  #lastSet = 0

  constructor(private readonly gate: Gate) {
    this.#low = new Int32Array(gate.capacity)
    this.#high = new Int32Array(gate.capacity)
    this.#next = new Int32Array(gate.capacity)
    this.#foundIn = new Int32Array(gate.capacity)
  }

  /** Loads all keys, before any request; returns false if there is no file. */
  async load(file: KeyFile): Promise<boolean> {
    // each key is set as soon as it is read: collecting a million records first would need much memory
    const read = await this.#read(file, found => this.#set(found))
    // a file with another layout is read twice, and the first reading may have set keys that the second did not find
    if (read !== undefined) for (const slot of await this.#removedSlots()) this.#remove(slot)
    return read !== undefined
  }

  /** Finds what has changed, without applying it. Undefined if there is no file; rejects if the file is damaged. */
  async compare(file: KeyFile): Promise<Difference | undefined> {
    const changed: ReadRecord[] = []
    const added: ReadRecord[] = []
    const read = await this.#read(file, (found, slot) => (slot === NO_SLOT ? added : changed).push(found))
    return read && { ...read, changed, added, removed: await this.#removedSlots() }
  }

  /** Removals come first, because they free slots. Returns how many keys got no slot. */
  async apply({ removed, changed, added }: Difference, publish: PublishSlots): Promise<number> {
    await removeInSlices(removed, slot => this.#remove(slot), publish)
    const rejected = [
      ...(await setInSlices(this.gate, changed, found => this.#set(found), publish)),
      ...(await setInSlices(this.gate, added, found => this.#set(found), publish)),
    ]
    return rejected.filter(({ record }) => record.revoked_at === null).length
  }

  #begin(): void {
    this.#reading++
    this.#expectedSlot = 0
    this.#previousSlot = NO_SLOT
  }

  /** Calls `onChange` for each new or changed record, with its slot. */
  async #read(
    file: KeyFile,
    onChange: (found: ReadRecord, slot: number) => void,
  ): Promise<{ parsed: number; linesInSliceMax: number } | undefined> {
    let parsed = 0
    const onRecord = (record: KeyRecord) => {
      parsed++
      const slot = this.gate.slotOf(record.id)
      const { low, high } = this.#fingerprint
      // if two lines have the same key, the last one counts
      if (slot === NO_SLOT || this.#isFound(slot) || !this.#isUnchanged(slot))
        onChange({ record, low, high, previousSlot: this.#previousSlot }, slot)
      // `onChange` may have assigned a slot to a new key
      this.#markFound(slot === NO_SLOT ? this.gate.slotOf(record.id) : slot)
    }
    this.#begin()
    const found = await file.readLines((chunk, start, end) => {
      this.#fingerprint.of(chunk, start, end)
      if (!this.#isFound(this.#expectedSlot) && this.#isUnchanged(this.#expectedSlot)) {
        this.#markFound(this.#expectedSlot)
        return 1
      }
      const record = parseLine(chunk.bytes.toString('utf8', start, end), file.path)
      if (record === undefined) return undefined
      onRecord(record)
      return PARSE_WORK
    })
    if (found === undefined) return undefined
    if (found !== 'other layout') return { parsed, linesInSliceMax: found.linesInSliceMax }
    this.#begin()
    const records = await file.readWhole()
    for (const record of records ?? []) {
      // the line that this record will have when the file is written again
      const bytes = Buffer.from(JSON.stringify(record))
      const chunk: Chunk = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
      this.#fingerprint.of(chunk, 0, bytes.length)
      onRecord(record)
    }
    return records && { parsed, linesInSliceMax: 0 }
  }

  #isUnchanged(slot: number): boolean {
    return this.#low[slot] === this.#fingerprint.low && this.#high[slot] === this.#fingerprint.high
  }

  #isFound(slot: number): boolean {
    return this.#foundIn[slot] === this.#reading
  }

  #markFound(slot: number): void {
    if (this.#previousSlot !== NO_SLOT && slot !== NO_SLOT) this.#next[this.#previousSlot] = slot
    this.#previousSlot = slot
    if (slot === NO_SLOT) return
    this.#foundIn[slot] = this.#reading
    this.#expectedSlot = this.#next[slot]
  }

  async #removedSlots(): Promise<number[]> {
    const removed: number[] = []
    for (let slot = 0; slot < this.gate.slots; slot++) {
      if (this.gate.isInForce(slot) && !this.#isFound(slot)) removed.push(slot)
      if (slot % SLICE_SLOTS === SLICE_SLOTS - 1) await nextTurn()
    }
    return removed
  }

  #set({ record, low, high, previousSlot }: ReadRecord): number {
    const slot = this.gate.setKey(record)
    if (slot === NO_SLOT) return NO_SLOT
    this.#low[slot] = low
    this.#high[slot] = high
    this.#next[previousSlot === NO_SLOT ? this.#lastSet : previousSlot] = slot
    this.#lastSet = slot
    return slot
  }

  #remove(slot: number): void {
    this.gate.removeKey(slot)
    // if the key comes back, it is treated as new
    this.#low[slot] = 0
    this.#high[slot] = 0
  }
}
