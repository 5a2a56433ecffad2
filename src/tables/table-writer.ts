/** A list is written as one cell with spaces between its codes if the format has no lists. */
export type Value = string | number | boolean | null | readonly string[]

export interface TableColumn {
  name: string
  kind: 'text' | 'code' | 'codes' | 'number' | 'flag'
}

export interface TableWriter {
  row(values: readonly Value[]): void
  flush(): Promise<void>
  end(): Promise<void>
}
