import type { BuildRecord } from './hierarchy.js'

export const FANOUT = 10

/** Ten slots a node, one a digit; 0 is no node (the root is nobody's child). */
export function buildTrie(records: BuildRecord[]): { trie: Uint32Array; trieRecord: Int32Array } {
  const slots: number[] = new Array(FANOUT).fill(0)
  const nodeRecord: number[] = [-1]
  records.forEach(({ code }, record) => {
    let node = 0
    for (const digit of code) {
      const slot = node * FANOUT + Number(digit)
      if (slots[slot] === 0) {
        slots[slot] = nodeRecord.length
        nodeRecord.push(-1)
        for (let i = 0; i < FANOUT; i++) slots.push(0)
      }
      node = slots[slot] as number
    }
    nodeRecord[node] = record
  })
  return { trie: Uint32Array.from(slots), trieRecord: Int32Array.from(nodeRecord) }
}
