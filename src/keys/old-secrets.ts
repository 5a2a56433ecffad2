/** Old secrets that still work after a rotation, by the slot of their key. Searched only if no current secret matches. */
import type { PreviousSecret } from './key-record.js'
import { type KeyBatch, KeyTable, NO_SLOT } from './key-table.js'

export interface OldSecretBatch extends KeyBatch {
  /** In the order of `slots`. */
  untilMs: Float64Array
}

export class OldSecrets {
  readonly #table: KeyTable
  readonly #untilMs = new Map<number, number>()

  constructor(capacity: number) {
    this.#table = new KeyTable(capacity)
  }

  find(key: string, nowMs: number): number {
    const slot = this.#table.find(key)
    return slot !== NO_SLOT && nowMs < (this.#untilMs.get(slot) as number) ? slot : NO_SLOT
  }

  put(slot: number, { hash, checksum, until }: PreviousSecret): void {
    this.#table.put(slot, checksum, hash)
    this.#untilMs.set(slot, Date.parse(until))
  }

  remove(slot: number): void {
    this.#table.remove(slot)
    this.#untilMs.delete(slot)
  }

  makeRoom(more: number, atOnce: number): boolean {
    return this.#table.makeRoom(more, atOnce)
  }

  batchOf(slots: readonly number[]): OldSecretBatch {
    const batch = this.#table.batchOf(slots)
    return { ...batch, untilMs: Float64Array.from(batch.slots, slot => this.#untilMs.get(slot) as number) }
  }

  take(batch: OldSecretBatch): void {
    this.#table.take(batch)
    for (const slot of batch.removed) this.#untilMs.delete(slot)
    batch.slots.forEach((slot, i) => {
      this.#untilMs.set(slot, batch.untilMs[i])
    })
  }
}
