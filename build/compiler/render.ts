/** Renders each record as the JSON bytes that answers contain. */
import { renderRecord } from '../../src/catalog/records.js'
import type { Columns } from '../../src/snapshot/schema.js'
import { ByteColumn } from './byte-column.js'
import type { BuildRecord } from './hierarchy.js'

export interface Rendered extends Pick<Columns, 'arena' | 'offset' | 'headBytes' | 'englishBytes'> {
  recordBytesMax: number
}

export function renderRecords(records: BuildRecord[]): Rendered {
  const arena = new ByteColumn()
  const offset = new Uint32Array(records.length + 1)
  const headBytes = new Uint16Array(records.length)
  const englishBytes = new Uint16Array(records.length)
  let recordBytesMax = 0
  records.forEach((record, i) => {
    const { code, en, ar, rate, active } = record
    const text = renderRecord({ code, en, ar, rate, active, parent: records[record.parent]?.code })
    const english = arena.pushText(text.english)
    const arabic = arena.pushText(text.arabic)
    const rest = arena.pushText(`${text.rest},`)
    englishBytes[i] = english
    headBytes[i] = english + arabic
    recordBytesMax = Math.max(recordBytesMax, english + arabic + rest)
    offset[i + 1] = arena.length
  })
  return { arena: arena.column(), offset, headBytes, englishBytes, recordBytesMax }
}
