/** Writes rows with their added cells. */
import type { Cell } from './xlsx.js'

export interface AddedColumn {
  name: string
  /** A code must stay text although it looks like a number. */
  kind: 'text' | 'code' | 'number'
}

export interface RowWriter {
  row(cells: readonly Cell[], added: readonly string[]): void
  blank(): void
  /** Writes what is buffered. */
  flush(): Promise<void>
  end(): Promise<void>
}
