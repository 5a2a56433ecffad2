import type { Sink } from './table.js'
import type { TableColumn, TableWriter, Value } from './table-writer.js'

/** Writes a JSON list with one object per line, or only the lines. */
export class JsonWriter implements TableWriter {
  #text: string
  #rows = 0

  constructor(
    private readonly sink: Sink,
    private readonly columns: readonly TableColumn[],
    private readonly isLines: boolean,
  ) {
    this.#text = isLines ? '' : '['
  }

  row(values: readonly Value[]): void {
    const fields = this.columns.map(({ name }, i) => `${JSON.stringify(name)}:${JSON.stringify(values[i])}`)
    if (!this.isLines) this.#text += this.#rows === 0 ? '\n' : ',\n'
    this.#text += `{${fields.join()}}${this.isLines ? '\n' : ''}`
    this.#rows++
  }

  async flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    await this.sink.writeFile(text)
  }

  end(): Promise<void> {
    if (!this.isLines) this.#text += '\n]\n'
    return this.flush()
  }
}
