/** Changes many keys in slices, so that requests are answered in between. */
import { NO_SLOT } from '../keys/slot-table.js'
import { nextTurn, SLICE_BUCKETS, SLICE_KEYS } from '../slices.js'
import type { Gate } from './gate.js'

export type PublishSlots = (slots: number[]) => void

export async function removeInSlices(
  slots: readonly number[],
  remove: (slot: number) => void,
  publish: PublishSlots,
): Promise<void> {
  for (let i = 0; i < slots.length; i += SLICE_KEYS) {
    const slice = slots.slice(i, i + SLICE_KEYS)
    for (const slot of slice) remove(slot)
    publish(slice)
    await nextTurn()
  }
}

/** `set` returns the slot, or NO_SLOT if there is none left. Returns the items that got no slot. */
export async function setInSlices<Item>(
  gate: Gate,
  items: readonly Item[],
  set: (item: Item) => number,
  publish: PublishSlots,
): Promise<Item[]> {
  const rejected: Item[] = []
  for (let i = 0; i < items.length; i += SLICE_KEYS) {
    const slice = items.slice(i, i + SLICE_KEYS)
    while (!gate.makeRoom(slice.length, SLICE_BUCKETS)) await nextTurn()
    const slots = slice.map(set)
    rejected.push(...slice.filter((_, n) => slots[n] === NO_SLOT))
    publish(slots.filter(slot => slot !== NO_SLOT))
    await nextTurn()
  }
  return rejected
}
