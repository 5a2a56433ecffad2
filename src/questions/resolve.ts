import type { Catalog } from '../catalog/catalog.js'
import { isCode } from '../codes/code.js'
import { SUBHEADING_DIGITS, subheadingOf } from '../codes/levels.js'
import { readCode, Unreadable } from '../codes/readings.js'
import { relationOf } from './editions.js'
import { invalidParameter, type Refusal } from './refusal.js'
import { oneOf } from './wording.js'

export type ResolveStatus = 'found' | 'normalised' | 'ambiguous' | 'moved' | 'unknown' | 'invalid'

export interface Resolved {
  input: string
  status: ResolveStatus
  /** -1 if there is no record. If several may be meant: the one with the digits of an earlier edition's code, or -1. */
  record: number
  /** Records, likeliest first. */
  candidates: readonly number[]
  /** For an unknown code, the record of its longest existing prefix; otherwise -1. */
  nearest: number
  reason?: string
}

const NONE = -1

const NAMED_YEAR = /\b\d{4}\b/

/** The year in the name of the dataset's own edition. */
export function ownEdition({ meta }: Catalog): string {
  return NAMED_YEAR.exec(meta.edition)?.[0] ?? ''
}

/** Checks the year of an edition; defaults to the dataset's own edition. */
export function readEdition(catalog: Catalog, year = ''): string | Refusal {
  const current = ownEdition(catalog)
  const years = [current, ...catalog.editions.years].filter(name => name !== '')
  if (year === '' || years.includes(year)) return year === '' ? current : year
  return invalidParameter('edition', `must be ${oneOf(years)}`)
}

/** Resolves codes as people write them. `year` comes from `readEdition`. */
export class Resolver {
  readonly #catalog: Catalog
  readonly #year: string
  readonly #isCurrent: boolean

  constructor(catalog: Catalog, year: string) {
    this.#catalog = catalog
    this.#year = year
    this.#isCurrent = year === ownEdition(catalog)
  }

  resolve(input: string): Resolved {
    if (isCode(input) && this.#exists(input)) return this.#resolveCodes(input, [input])
    const read = readCode(input, this.#exists)
    if (read instanceof Unreadable)
      return { input, status: 'invalid', record: NONE, candidates: [], nearest: NONE, reason: read.reason }
    return read.codes.length > 0 ? this.#resolveCodes(input, read.codes) : this.#unknown(input, read.digits)
  }

  /** Codes of another edition are recognised by their first six digits. */
  readonly #exists = (code: string): boolean => {
    if (this.#isCurrent || code.length < SUBHEADING_DIGITS) return this.#catalog.trie.find(code) >= 0
    return this.#targets(code).length > 0
  }

  #targets(code: string): Uint32Array {
    return this.#catalog.editions.targets(this.#year, subheadingOf(code))
  }

  #resolveCodes(input: string, codes: readonly string[]): Resolved {
    const [code = ''] = codes
    if (codes.length > 1) {
      const candidates = [...new Set(codes.flatMap(one => this.#recordsOf(one)))]
      return { input, status: 'ambiguous', record: NONE, candidates, nearest: NONE }
    }
    return this.#isCurrent || code.length < SUBHEADING_DIGITS ? this.#found(input, code) : this.#fromEdition(input, code)
  }

  #recordsOf(code: string): readonly number[] {
    if (this.#isCurrent || code.length < SUBHEADING_DIGITS) return [this.#catalog.trie.find(code)]
    return [...this.#targets(code)]
  }

  #found(input: string, code: string): Resolved {
    const status = code === input ? 'found' : 'normalised'
    return { input, status, record: this.#catalog.trie.find(code), candidates: [], nearest: NONE }
  }

  #fromEdition(input: string, code: string): Resolved {
    const six = subheadingOf(code)
    const targets = this.#targets(six)
    const relation = relationOf(this.#catalog, six, targets)
    if (relation === 'same') return this.#found(input, six)
    const candidates = [...targets]
    if (relation === 'moved') return { input, status: 'moved', record: candidates[0], candidates, nearest: NONE }
    const same = this.#catalog.trie.find(six)
    const record = candidates.includes(same) ? same : NONE
    return { input, status: 'ambiguous', record, candidates, nearest: NONE }
  }

  /** For a code of an earlier edition, the candidates are the current codes that replaced it. */
  #unknown(input: string, digits: readonly string[]): Resolved {
    const { trie, level, editions } = this.#catalog
    let nearest = NONE
    let candidates: readonly number[] = []
    for (const code of digits) {
      const above = trie.nearest(code)
      if (above >= 0 && (nearest < 0 || level[above] > level[nearest])) nearest = above
      if (candidates.length === 0 && code.length >= SUBHEADING_DIGITS)
        candidates = [...(editions.lastTargets(subheadingOf(code)) ?? [])]
    }
    return { input, status: 'unknown', record: NONE, candidates, nearest }
  }
}

export function refuseCodes(codes: unknown, max: number): Refusal | undefined {
  if (!Array.isArray(codes) || codes.length < 1 || codes.length > max)
    return invalidParameter('codes', `must be a list of 1 to ${max} codes`)
  // codes sent as numbers have lost their leading zeros
  if (codes.every(code => typeof code === 'string')) return undefined
  return invalidParameter('codes', 'must contain strings, such as "0902"')
}
