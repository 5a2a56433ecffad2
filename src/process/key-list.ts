/** All keys as operators see them, kept in memory only while somebody views the list. */
import { type KeyQuery, OFFSET_MAX } from '../admin/key-fields.js'
import { KeyRefusal } from '../keys/key-record.js'
import { type KeyView, keyStatus } from '../keys/key-view.js'
import { nextTurn, SLICE_WORK } from '../slices.js'
import type { KeyRow, KeyRows } from './key-rows.js'
import { oneAtATime } from './one-at-a-time.js'

/** More keys would take too much of the server's memory. */
export const LISTED_KEYS_MAX = OFFSET_MAX
const FORGET_MS = 60_000
/** Number of rows that are compared per slice. */
const SLICE_ROWS = 4 * SLICE_WORK

export class KeyList {
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly rows: KeyRows,
    /** Returns an upper bound for the number of keys. */
    private readonly count: () => number,
  ) {}

  readonly #read = oneAtATime(async (): Promise<readonly KeyRow[]> => {
    if (this.count() > LISTED_KEYS_MAX)
      throw new KeyRefusal('many', `there are more than ${LISTED_KEYS_MAX} keys; "hsapi keys list" shows all`)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.rows.forget(), FORGET_MS)
    this.#timer.unref()
    return this.rows.read()
  })

  /** Returns a page of the keys that match, newest first. */
  async find({ search, status, offset, limit }: KeyQuery, today: string): Promise<{ views: KeyView[]; total: number }> {
    const rows = await this.#read()
    const wanted = search.trim().toLowerCase()
    if (wanted === '' && status === undefined)
      return { views: rows.slice(offset, offset + limit).map(({ view }) => view), total: rows.length }
    const views: KeyView[] = []
    let total = 0
    for (const [i, { view, text }] of rows.entries()) {
      if (i % SLICE_ROWS === SLICE_ROWS - 1) await nextTurn()
      if (wanted !== '' && !text.includes(wanted)) continue
      if (status !== undefined && keyStatus(view, today) !== status) continue
      if (total >= offset && views.length < limit) views.push(view)
      total++
    }
    return { views, total }
  }

  async get(id: string): Promise<KeyView | undefined> {
    return (await this.#read()).find(({ view }) => view.id === id)?.view
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.rows.forget()
  }
}
