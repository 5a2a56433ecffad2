import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.js'
import { makeDirectory, writeFileAtomic } from '../files/atomic-file.js'
import { addSpent, type Spent, type Usage, type UsageStore } from './usage-store.js'

const FILE_VERSION = 1
const COUNT_MAX = 2 ** 31 - 1

/** A row that a server wrote, or an error that says what is wrong with it. */
function readRow(row: unknown): Usage {
  if (!Array.isArray(row) || typeof row[0] !== 'string') throw new Error('a row without an id')
  const [keyId, day, dayCount, minuteStartMs, minuteCount] = row as [string, ...unknown[]]
  const whole = (value: unknown, max: number) => {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > max)
      throw new Error(`a count that is no whole number from 0 to ${max}: ${JSON.stringify(value)}`)
    return value as number
  }
  return {
    keyId,
    day: whole(day, COUNT_MAX),
    dayCount: whole(dayCount, COUNT_MAX),
    minuteStartMs: whole(minuteStartMs, Number.MAX_SAFE_INTEGER),
    minuteCount: whole(minuteCount, COUNT_MAX),
  }
}

/** usage.json: one row per key, [id, day, dayCount, minuteStartMs, minuteCount]. One server writes it. */
export class UsageFile implements UsageStore {
  readonly #path: string
  /** What the file says. */
  #known = new Map<string, Usage>()

  constructor(directory: string) {
    this.#path = join(directory, 'usage.json')
  }

  async load(): Promise<Usage[]> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw new OperatorError(`HSAPI_DATA_DIR: ${this.#path}: ${(error as Error).message}`)
    }
    try {
      const { version, usage } = JSON.parse(text) as { version: number; usage: unknown[] }
      if (version !== FILE_VERSION) throw new Error('another version')
      this.#known = new Map(usage.map(readRow).map(row => [row.keyId, row]))
    } catch (error) {
      throw new OperatorError(
        `${this.#path}: this is not a usage file of version ${FILE_VERSION} (${(error as Error).message}); remove it to start counting anew`,
      )
    }
    return [...this.#known.values()]
  }

  async exchange(spent: readonly Spent[]): Promise<Usage[]> {
    const truth = spent.map(one => addSpent(this.#known.get(one.keyId), one))
    const after = new Map(this.#known)
    for (const usage of truth) after.set(usage.keyId, usage)
    // a day that is over is of no use to anyone
    const today = truth.reduce((latest, { day }) => Math.max(latest, day), 0)
    for (const { keyId, day } of after.values()) if (day < today) after.delete(keyId)
    await this.#write([...after.values()])
    this.#known = after
    return truth
  }

  async #write(usage: readonly Usage[]): Promise<void> {
    const rows = usage.map(u => JSON.stringify([u.keyId, u.day, u.dayCount, u.minuteStartMs, u.minuteCount]))
    await makeDirectory(dirname(this.#path), 0o700)
    const text = `{"version":${FILE_VERSION},"usage":[\n${rows.join(',\n')}\n]}\n`
    await writeFileAtomic(this.#path, text, 0o600)
  }
}
