/** Which branches of the tree are open, for Back, a reload and a switch of languages: the address names only one way down. */
import { openBranches, type Place, type Tree } from './branches.js'

const KEPT = 'hsapi-tree'
/** Each costs a request after a reload. */
const OPEN_MAX = 12

interface Position {
  at: string
  open: string[]
}

/** A browser may forbid storage; the position then lives as long as the page. */
let position: Position = { at: '', open: [] }
try {
  position = { ...position, ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') }
} catch {}

const nameOf = ({ code, section }: Place) => code || section

/** `place` is what the address names. */
export function savePosition(place: Place, tree: Tree): void {
  const open = openBranches(tree).map(({ name }) => name)
  position = { at: nameOf(place), open: open.slice(0, OPEN_MAX) }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(position))
  } catch {}
}

/** The names of what was open when the address was written. */
export const keptOpen = (place: Place): readonly string[] => (nameOf(place) === position.at ? position.open : [])
