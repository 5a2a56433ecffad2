/**
 * Where a word is at home: nearly every code of 0902 says tea, one of 2921 does. For every term and heading, and every
 * chapter, how much of the family speaks of it (cover), and how much of all that is said of it is said there (share).
 */
import { HOME_WORTH_MAX } from '../src/catalog/search/heading-evidence.js'
import type { BuildRecord } from './hierarchy.js'

/** A term's homes, the best of them. */
const HOMES_MAX = 12
/** Less than this is chance. */
const WORTH_MIN = 0.0004

export interface Families {
  /** Per term, where its homes begin; one more entry ends the last. */
  familyAt: Uint32Array
  /** The first four digits of a home, and how far it is about the term: the root of cover and share. */
  familyHeading: Uint16Array
  familyWorth: Uint16Array
}

/** How far a record speaks of a term, by term. */
export type Spoken = ReadonlyMap<string, number>

interface Home {
  number: number
  said: number
}

/** `spokenOf` tells of the record at a place, and is asked once for each. */
export function buildFamilies(
  records: BuildRecord[],
  spokenOf: (i: number) => Spoken,
  vocabulary: string[],
): Families {
  const sizes = new Map<number, number>()
  const homes = new Map<string, Map<number, number>>()
  const totals = new Map<string, number>()
  records.forEach(({ code }, i) => {
    const spoken = spokenOf(i)
    if (spoken.size === 0) return
    const numbers = [Number(code.slice(0, 2)) * 100]
    if (code.length >= 4) numbers.push(Number(code.slice(0, 4)))
    for (const number of numbers) sizes.set(number, (sizes.get(number) ?? 0) + 1)
    for (const [term, weight] of spoken) {
      let list = homes.get(term)
      if (list === undefined) {
        list = new Map()
        homes.set(term, list)
      }
      for (const number of numbers) list.set(number, (list.get(number) ?? 0) + weight)
      totals.set(term, (totals.get(term) ?? 0) + weight)
    }
  })
  const familyAt = new Uint32Array(vocabulary.length + 1)
  const headings: number[] = []
  const worths: number[] = []
  vocabulary.forEach((term, place) => {
    familyAt[place] = headings.length
    const total = totals.get(term) ?? 1
    const list: (Home & { cover: number; share: number })[] = []
    for (const [number, said] of homes.get(term) ?? []) {
      const cover = Math.min(1, said / (sizes.get(number) as number))
      const share = said / total
      if (cover * share >= WORTH_MIN) list.push({ number, said, cover, share })
    }
    list.sort((a, b) => b.cover * b.share - a.cover * a.share || a.number - b.number)
    for (const { number, cover, share } of list.slice(0, HOMES_MAX)) {
      headings.push(number)
      worths.push(Math.round(Math.sqrt(cover * share) * HOME_WORTH_MAX))
    }
  })
  familyAt[vocabulary.length] = headings.length
  return {
    familyAt,
    familyHeading: Uint16Array.from(headings),
    familyWorth: Uint16Array.from(worths),
  }
}
