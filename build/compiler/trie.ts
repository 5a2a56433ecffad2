import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'

export const FANOUT = 10

/** Each node has ten slots, one per digit; 0 means no child (the root is never a child). */
export function buildTrie(records: BuildRecord[]): { trie: Uint32Array; trieRecord: Int32Array } {
  const slots = new GrowingArray()
  const nodeRecord = new GrowingArray()
  const addNode = () => {
    nodeRecord.push(-1)
    for (let i = 0; i < FANOUT; i++) slots.push(0)
    return nodeRecord.length - 1
  }
  addNode()
  records.forEach(({ code }, record) => {
    let node = 0
    for (let i = 0; i < code.length; i++) {
      const slot = node * FANOUT + Number(code[i])
      if (slots.values[slot] === 0) {
        const child = addNode()
        slots.values[slot] = child
      }
      node = slots.values[slot]
    }
    nodeRecord.values[node] = record
  })
  return { trie: slots.column(), trieRecord: new Int32Array(nodeRecord.column().buffer) }
}
