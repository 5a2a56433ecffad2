/** Changes from one version of the dataset to the next. */
import { CHANGE_KINDS, type ChangeKind, type Release, TERM_KINDS } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'
import { utf8Text } from './utf8.js'

/** A run of consecutive changes. */
export interface ChangeRun {
  first: number
  count: number
}

export interface ChangeSubject {
  code: string
  /** Whether the change also applies to all codes below. No separate changes are listed for these. */
  appliesBelow: boolean
}

interface Rendered {
  kind: ChangeKind
  hs_code: string
}

export class Changes {
  /** JSON of all changes, separated by commas. */
  readonly arena: Uint8Array
  readonly #offset: Uint32Array
  /** Parsed on first use. */
  #subjects: ChangeSubject[] | undefined

  constructor(
    { changeArena, changeOffset }: Columns,
    /** Releases, newest first. */
    readonly releases: readonly Release[],
  ) {
    this.arena = changeArena
    this.#offset = changeOffset
  }

  /** All known versions, newest first. The last one precedes the oldest release. */
  get versions(): readonly string[] {
    const oldest = this.releases.at(-1)?.before
    return oldest === undefined ? [] : [...this.releases.map(({ version }) => version), oldest]
  }

  start(change: number): number {
    return this.#offset[change]
  }

  /** The end of a change, without the trailing comma. */
  end(change: number): number {
    return this.#offset[change + 1] - 1
  }

  subjectOf(change: number): ChangeSubject {
    this.#subjects ??= (
      JSON.parse(`[${utf8Text(this.arena.subarray(0, Math.max(0, this.arena.length - 1)))}]`) as Rendered[]
    ).map(({ kind, hs_code }) => ({ code: hs_code, appliesBelow: (TERM_KINDS as readonly ChangeKind[]).includes(kind) }))
    return this.#subjects[change]
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
