/** Each record as the bytes that answers are made of. */
import { renderRecord } from '../src/catalog/records.js'
import type { Columns } from '../src/snapshot/schema.js'
import type { BuildRecord } from './hierarchy.js'

export interface Rendered extends Pick<Columns, 'arena' | 'offset' | 'headBytes' | 'englishBytes'> {
  recordBytesMax: number
}

export function renderRecords(records: BuildRecord[]): Rendered {
  const encoder = new TextEncoder()
  const offset = new Uint32Array(records.length + 1)
  const headBytes = new Uint16Array(records.length)
  const englishBytes = new Uint16Array(records.length)
  const parts: Uint8Array[] = []
  let end = 0
  let recordBytesMax = 0
  records.forEach((record, i) => {
    const text = renderRecord({ ...record, parent: records[record.parent]?.code })
    const english = encoder.encode(text.english)
    const arabic = encoder.encode(text.arabic)
    const rest = encoder.encode(`${text.rest},`)
    parts.push(english, arabic, rest)
    englishBytes[i] = english.length
    headBytes[i] = english.length + arabic.length
    offset[i] = end
    const bytes = english.length + arabic.length + rest.length
    recordBytesMax = Math.max(recordBytesMax, bytes)
    end += bytes
  })
  offset[records.length] = end
  const arena = new Uint8Array(end)
  let at = 0
  for (const part of parts) {
    arena.set(part, at)
    at += part.length
  }
  return { arena, offset, headBytes, englishBytes, recordBytesMax }
}
