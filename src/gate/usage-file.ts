import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory, writeFileAtomic } from '../atomic-file.js'
import { OperatorError } from '../errors.js'
import type { Usage, UsageStore } from './usage-store.js'

const FILE_VERSION = 1

/** usage.json: one row per key, [id, day, dayCount, minuteStartMs, minuteCount]. */
export class UsageFile implements UsageStore {
  readonly #path: string

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
      const { version, usage } = JSON.parse(text) as { version: number; usage: unknown[][] }
      if (version !== FILE_VERSION) throw new Error('another version')
      return usage.map(row => {
        const [keyId, day, dayCount, minuteStartMs, minuteCount] = row
        if (typeof keyId !== 'string') throw new Error('a row without an id')
        const count = (value: unknown) => {
          if (typeof value !== 'number' || !(value >= 0)) throw new Error('a count that is no number')
          return value
        }
        return {
          keyId,
          day: count(day),
          dayCount: count(dayCount),
          minuteStartMs: count(minuteStartMs),
          minuteCount: count(minuteCount),
        }
      })
    } catch (error) {
      throw new OperatorError(
        `${this.#path}: this is not a usage file of version ${FILE_VERSION} (${(error as Error).message}); remove it to start counting anew`,
      )
    }
  }

  async save(usage: Usage[]): Promise<void> {
    const rows = usage.map(u => JSON.stringify([u.keyId, u.day, u.dayCount, u.minuteStartMs, u.minuteCount]))
    await makeDirectory(dirname(this.#path), 0o700)
    await writeFileAtomic(
      this.#path,
      `{"version":${FILE_VERSION},"usage":[\n${rows.join(',\n')}\n]}\n`,
      0o600,
    )
  }
}
