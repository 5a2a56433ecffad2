/** The value of a cell. If the format has no lists, a list of codes becomes one cell with spaces between the codes. */
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
