/** Each record as the bytes that answers are made of. */
import { parentId } from '../src/hs-code.js'
import type { BuildRecord } from './hierarchy.js'

export interface Rendered {
  /** All records' JSON, in order, one comma between two: a page of children is one slice. */
  arena: Uint8Array
  /** Where each record starts; one more entry marks the end of the last, comma included. */
  offset: Uint32Array
  /** Bytes of a record up to and including its description: the part that a search result shares with it. */
  headBytes: Uint16Array
  /** Bytes of a record up to and including its English description. */
  englishBytes: Uint16Array
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
    const parent = record.parent < 0 ? 'null' : String(parentId((records[record.parent] as BuildRecord).code))
    const english = encoder.encode(
      `{"hs_code":"${record.code}","description":{"en":${JSON.stringify(record.en)}`,
    )
    const arabic = encoder.encode(`,"ar":${JSON.stringify(record.ar)}}`)
    const rest = encoder.encode(
      `,"level":${record.code.length},"parent_id":${parent},"tariff_rate":${record.rate},"is_active":${record.active}},`,
    )
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
