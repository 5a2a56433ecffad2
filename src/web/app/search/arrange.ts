/** Results in the order in which they are shown: lines under their subheading, the place in the tariff only where it changes. */
import { chapterOf, isLine, subheadingOf } from '../../../codes/levels.js'
import type { Code, Step } from '../data/api.js'
import { isPadded, withoutPadded } from '../data/padded.js'

export interface Row {
  one: Code
  /** Codes that repeat this one with more digits. */
  padded: readonly string[]
  /**
   * The codes above it; only the nearest where a row has shown them all before. Null where they are those of the row before, or the
   * row before itself.
   */
  way: readonly Step[] | null
  /** The code above it is shown as a result right above. */
  isUnder: boolean
}

/** Lines of one subheading follow the first of them, or the subheading itself if that comes first. The rest keeps its order. */
function gathered(page: readonly Code[]): Code[] {
  const places = new Map<string, Code[]>()
  for (const one of page) {
    const place = isLine(one.hs_code) ? subheadingOf(one.hs_code) : one.hs_code
    const there = places.get(place)
    // a subheading after its lines stays where it was found
    if (there && isLine(one.hs_code)) there.push(one)
    else places.set(there ? `${place} after` : place, [one])
  }
  return [...places.values()].flatMap(byParent)
}

/** Lines of one subheading may differ in what is between: those of one parent come together. */
function byParent(list: readonly Code[]): Code[] {
  const parents = new Map<string, Code[]>()
  for (const one of list) {
    const parent = placeOf(one.path ?? [])
    parents.set(parent, [...(parents.get(parent) ?? []), one])
  }
  return [...parents.values()].flat()
}

const placeOf = (path: readonly Step[]) => path.at(-1)?.hs_code ?? ''

/** A page that comes later changes nothing of those before it: nobody's place in the list moves. */
export function arrange(pages: readonly (readonly Code[])[]): Row[] {
  const rows: (Row & { padded: string[] })[] = []
  let place: string | null = null
  const met = new Set<string>()
  for (const one of pages.flatMap(gathered)) {
    const before = rows.at(-1)
    // codes are found in their order: a padded one follows what it repeats
    if (before && isPadded(before.one, one)) {
      before.padded.push(one.hs_code)
      continue
    }
    const path = withoutPadded(one.path ?? [])
    const own = placeOf(path)
    const isBelow = before !== undefined && own === before.one.hs_code
    const isSame = own === place
    const way = isBelow || isSame ? null : met.has(own) ? path.slice(-1) : path
    rows.push({ one, padded: [], way, isUnder: isBelow || (isSame && before?.isUnder === true) })
    met.add(own)
    place = own
  }
  return rows
}

/** The chapters of what is shown, in its order. */
export function chaptersOf(list: readonly Code[]): Step[] {
  const chapters = new Map<string, Step>()
  for (const { hs_code, description, path = [] } of list) {
    const chapter = chapterOf(hs_code)
    if (!chapters.has(chapter)) chapters.set(chapter, path[0] ?? { hs_code: chapter, description })
  }
  return [...chapters.values()]
}
