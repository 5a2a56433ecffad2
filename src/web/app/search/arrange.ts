/** Orders results for display: lines follow their subheading, and the path is shown only where it changes. */
import { chapterOf, isLine, subheadingOf } from '../../../codes/levels.js'
import type { Code, Step } from '../data/api.js'
import { isPadded, withoutPadded } from '../data/padded.js'

export interface Row {
  one: Code
  /** Longer codes for the same goods: this code with zeros added. */
  padded: readonly string[]
  /**
   * The path to show: the codes above this code. If an earlier row has shown this path, only its last code. Null if the
   * previous row has the same path or is the parent.
   */
  way: readonly Step[] | null
  /** Whether the parent of the code is the result directly above. */
  isUnder: boolean
}

/**
 * Groups the lines of a subheading behind the subheading, or behind the first line if that comes first. Other results keep
 * their order.
 */
function gathered(page: readonly Code[]): Code[] {
  const places = new Map<string, Code[]>()
  for (const one of page) {
    const place = isLine(one.hs_code) ? subheadingOf(one.hs_code) : one.hs_code
    const there = places.get(place)
    // a subheading that comes after its lines keeps its place
    if (there && isLine(one.hs_code)) there.push(one)
    else places.set(there ? `${place} after` : place, [one])
  }
  return [...places.values()].flatMap(byParent)
}

/** Groups the lines of one subheading by parent, because some have an 8-digit code in between. */
function byParent(list: readonly Code[]): Code[] {
  const parents = new Map<string, Code[]>()
  for (const one of list) {
    const parent = placeOf(one.path ?? [])
    parents.set(parent, [...(parents.get(parent) ?? []), one])
  }
  return [...parents.values()].flat()
}

const placeOf = (path: readonly Step[]) => path.at(-1)?.hs_code ?? ''

/** Arranges each page separately, so that loading more never moves rows that are already shown. */
export function arrange(pages: readonly (readonly Code[])[]): Row[] {
  const rows: (Row & { padded: string[] })[] = []
  let place: string | null = null
  const shownPaths = new Set<string>()
  for (const one of pages.flatMap(gathered)) {
    const before = rows.at(-1)
    // a padded line that follows the code it repeats is shown in the row of that code
    if (before && isPadded(before.one, one)) {
      before.padded.push(one.hs_code)
      continue
    }
    const path = withoutPadded(one.path ?? [])
    const own = placeOf(path)
    const isBelow = before !== undefined && own === before.one.hs_code
    const isSame = own === place
    const way = isBelow || isSame ? null : shownPaths.has(own) ? path.slice(-1) : path
    rows.push({ one, padded: [], way, isUnder: isBelow || (isSame && before?.isUnder === true) })
    shownPaths.add(own)
    place = own
  }
  return rows
}

/** The chapters of the results, in the order of the results. */
export function chaptersOf(list: readonly Code[]): Step[] {
  const chapters = new Map<string, Step>()
  for (const { hs_code, description, path = [] } of list) {
    const chapter = chapterOf(hs_code)
    if (!chapters.has(chapter)) chapters.set(chapter, path[0] ?? { hs_code: chapter, description })
  }
  return [...chapters.values()]
}
