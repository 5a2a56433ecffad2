/** Pointers: people look for certain goods under one code, but the goods belong to another. */
import { HEADING_DIGITS } from '../codes/levels.js'
import { lowerBound } from '../lower-bound.js'
import type { Columns } from '../snapshot/schema.js'
import { utf8Text } from './utf8.js'

export class Pointers {
  constructor(private readonly columns: Columns) {}

  /** Numbers of the pointers from a record, from the codes above it and, unless it is a chapter, from those below it. */
  of(record: number): number[] {
    const { parent, level } = this.columns
    const found: number[] = []
    for (let at = record; at >= 0; at = parent[at]) this.#addBetween(at, at + 1, found)
    if (level[record] >= HEADING_DIGITS) this.#addBelow(record, found)
    return found
  }

  /** Goes down level by level; the codes below a record are consecutive at each level. */
  #addBelow(record: number, found: number[]): void {
    const { firstChild, childCount } = this.columns
    let first = record
    let end = record + 1
    for (;;) {
      let below = -1
      let belowEnd = -1
      for (let at = first; at < end; at++) {
        if (childCount[at] === 0) continue
        if (below < 0) below = firstChild[at]
        belowEnd = firstChild[at] + childCount[at]
      }
      if (below < 0) return
      this.#addBetween(below, belowEnd, found)
      first = below
      end = belowEnd
    }
  }

  #addBetween(first: number, end: number, found: number[]): void {
    const { pointerFrom } = this.columns
    const count = pointerFrom.length
    for (let at = lowerBound(pointerFrom, first, 0, count); at < count && pointerFrom[at] < end; at++) found.push(at)
  }

  /** The record that the pointer leads to. */
  target(pointer: number): number {
    return this.columns.pointerTo[pointer]
  }

  /** The goods of a pointer, as JSON without the closing brace. */
  text(pointer: number): string {
    const { pointerArena, pointerOffset } = this.columns
    return utf8Text(pointerArena.subarray(pointerOffset[pointer], pointerOffset[pointer + 1]))
  }
}
