/** Rows for the list of keys, newest first. */
import { Fingerprint } from '../keys/fingerprint.js'
import { DamagedKeyFile, type KeyFile, parseLine } from '../keys/key-file.js'
import type { OnLine } from '../keys/key-lines.js'
import type { KeyRecord } from '../keys/key-record.js'
import { type KeyView, viewOf } from '../keys/key-view.js'
import type { KeysVersion, RedisKeys } from '../redis/keys.js'
import { nextTurn, PARSE_WORK, SLICE_WORK } from '../slices.js'

export interface KeyRow {
  view: KeyView
  /** The text that is searched, in lower case. */
  text: string
}

export interface KeyRows {
  /** Returns the same list if nothing changed. */
  read(): Promise<readonly KeyRow[]>
  forget(): void
}

/** Includes all old secrets; the caller leaves out those that have expired. */
export const rowOf = (record: KeyRecord): KeyRow => ({
  view: viewOf(record, ''),
  text: `${record.name}\n${record.id}`.toLowerCase(),
})

interface LineRow extends KeyRow {
  /** Half of the line's fingerprint; the row is found by the other half. */
  high: number
}

export class FileKeyRows implements KeyRows {
  #rows: readonly KeyRow[] | undefined
  #stamp: string | undefined
  #byLow = new Map<number, LineRow>()

  constructor(private readonly file: KeyFile) {}

  async read(): Promise<readonly KeyRow[]> {
    // take the stamp before reading the file, so that a change during the reading is noticed next time
    const stamp = await this.file.stamp()
    if (this.#rows === undefined || stamp !== this.#stamp) {
      this.#rows = await this.#readFile()
      this.#stamp = stamp
    }
    return this.#rows
  }

  async #readFile(): Promise<readonly KeyRow[]> {
    // `read` uses the copy if the file is damaged or missing
    const readWhole = async () => ((await this.file.read()) ?? []).map(rowOf).reverse()
    const rows: KeyRow[] = []
    const byLow = new Map<number, LineRow>()
    const fingerprint = new Fingerprint()
    const onLine: OnLine = (chunk, start, end) => {
      fingerprint.of(chunk, start, end)
      const { low, high } = fingerprint
      const before = this.#byLow.get(low)
      let row = before?.high === high ? before : undefined
      if (row === undefined) {
        const record = parseLine(chunk.bytes.toString('utf8', start, end), this.file.path)
        if (record === undefined) return undefined
        row = { ...rowOf(record), high }
      }
      byLow.set(low, row)
      rows.push(row)
      return row === before ? 1 : PARSE_WORK
    }
    const found = await this.file.readLines(onLine).catch(error => {
      if (error instanceof DamagedKeyFile) return 'damaged' as const
      throw error
    })
    if (found === undefined || found === 'other layout' || found === 'damaged') return readWhole()
    this.#byLow = byLow
    return rows.reverse()
  }

  forget(): void {
    this.#rows = undefined
    this.#byLow = new Map()
  }
}

const isNewerRow = ({ view: a }: KeyRow, { view: b }: KeyRow) =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at

export class RedisKeyRows implements KeyRows {
  #rows: readonly KeyRow[] = []
  #version: KeysVersion | undefined

  constructor(private readonly keys: () => Promise<RedisKeys>) {}

  async read(): Promise<readonly KeyRow[]> {
    const keys = await this.keys()
    const found = await keys.since(this.#version)
    const changes = found === 'lost' ? await keys.since() : found
    if (changes === undefined || changes === 'lost') this.forget()
    else {
      if (changes.areAll || changes.records.length > 0)
        this.#rows = await this.#with(changes.areAll ? [] : this.#rows, changes.records)
      this.#version = changes.version
    }
    return this.#rows
  }

  async #with(before: readonly KeyRow[], records: readonly KeyRecord[]): Promise<readonly KeyRow[]> {
    const byId = new Map(before.map(row => [row.view.id, row]))
    for (const [i, record] of records.entries()) {
      if (i % SLICE_WORK === SLICE_WORK - 1) await nextTurn()
      byId.set(record.id, rowOf(record))
    }
    return [...byId.values()].sort((a, b) => (isNewerRow(a, b) ? -1 : 1))
  }

  forget(): void {
    this.#rows = []
    this.#version = undefined
  }
}
