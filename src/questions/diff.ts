import type { Catalog } from '../catalog/catalog.js'
import { type TermsDifference, termsDifference } from './diff-terms.js'

export type Words = ReturnType<Catalog['records']['description']>

/** A code that only one of two datasets has. */
export interface AddedOrRemovedCode {
  hs_code: string
  description: Words
  rate: string
}

export interface Change<Value> {
  hs_code: string
  old: Value
  new: Value
}

/** Each list is in code order. */
export interface Difference extends TermsDifference {
  added: AddedOrRemovedCode[]
  removed: AddedOrRemovedCode[]
  words: Change<Words>[]
  /** Duty rates in percent. */
  rates: Change<string>[]
  active: Change<boolean>[]
}

/** Skips padded lines if the code that they repeat was also added or removed. */
function codesOnlyIn(catalog: Catalog, other: Catalog): AddedOrRemovedCode[] {
  const found: AddedOrRemovedCode[] = []
  for (const record of inOrder(catalog)) {
    const hs_code = catalog.records.code(record)
    if (other.trie.find(hs_code) >= 0) continue
    if (catalog.isPadded(record)) {
      const repeated = catalog.records.code(catalog.source[record])
      if (other.trie.find(repeated) < 0) continue
    }
    found.push({ hs_code, description: catalog.records.description(record), rate: catalog.rateText(record) })
  }
  return found
}

function inOrder({ meta, records }: Catalog): number[] {
  const codes = Array.from({ length: meta.records }, (_, record) => records.code(record))
  return codes.map((_, record) => record).sort((a, b) => (codes[a] < codes[b] ? -1 : 1))
}

/** Taxes that ended before `day` are not compared. */
export function difference(before: Catalog, after: Catalog, day: string): Difference {
  const records = inOrder(after)
  const changes: Difference = {
    ...termsDifference(before, after, records, day),
    added: codesOnlyIn(after, before),
    removed: codesOnlyIn(before, after),
    words: [],
    rates: [],
    active: [],
  }
  for (const record of records) {
    const hs_code = after.records.code(record)
    const earlier = before.trie.find(hs_code)
    // a padded line changes together with the code that it repeats
    if (earlier < 0 || (after.isPadded(record) && before.isPadded(earlier))) continue
    const [old, now] = [before.records.description(earlier), after.records.description(record)]
    if (old.en !== now.en || old.ar !== now.ar) changes.words.push({ hs_code, old, new: now })
    const [oldRate, rate] = [before.rateText(earlier), after.rateText(record)]
    if (Number(oldRate) !== Number(rate)) changes.rates.push({ hs_code, old: oldRate, new: rate })
    const [wasActive, isActive] = [before.active[earlier] === 1, after.active[record] === 1]
    if (wasActive !== isActive) changes.active.push({ hs_code, old: wasActive, new: isActive })
  }
  return changes
}
