/** What takes a table's rows, each with the cells that are added to it. */
import type { Cell } from './xlsx.js'

export interface AddedColumn {
  name: string
  /** A code is text although it looks like a number. */
  kind: 'text' | 'code' | 'number'
}

export interface RowWriter {
  row(cells: readonly Cell[], added: readonly string[]): void
  /** A line without anything. */
  blank(): void
  /** Awaited now and then: what can be written by then is. */
  flush(): Promise<void>
  end(): Promise<void>
}
