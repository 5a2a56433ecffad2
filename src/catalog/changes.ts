/** Changes from one version of the dataset to the next. */
import { CHANGE_KINDS, type ChangeKind, type Release } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'

/** A run of consecutive changes. */
export interface ChangeRun {
  first: number
  count: number
}

export class Changes {
  /** JSON of all changes, separated by commas. */
  readonly arena: Uint8Array
  readonly #offset: Uint32Array

  constructor(
    { changeArena, changeOffset }: Columns,
    /** Newest first. */
    readonly releases: readonly Release[],
  ) {
    this.arena = changeArena
    this.#offset = changeOffset
  }

  /** Newest first; the last one is the version before the first known changes. */
  get versions(): readonly string[] {
    const oldest = this.releases.at(-1)?.before
    return oldest === undefined ? [] : [...this.releases.map(({ version }) => version), oldest]
  }

  start(change: number): number {
    return this.#offset[change]
  }

  /** Without the trailing comma. */
  end(change: number): number {
    return this.#offset[change + 1] - 1
  }

  /** The changes after a version, which must be one of `versions`. */
  after(version: string, kind?: ChangeKind): ChangeRun[] {
    const runs: ChangeRun[] = []
    let first = 0
    for (const release of this.releases) {
      if (release.version === version) break
      release.counts.forEach((count, i) => {
        if (count > 0 && (kind === undefined || CHANGE_KINDS[i] === kind)) runs.push({ first, count })
        first += count
      })
    }
    return runs
  }
}
