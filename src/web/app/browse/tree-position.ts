/** Keeps open branches for Back, reload and a change of language: the address names only one path. */
import { openBranches, type Place, type Tree } from './branches.js'

const KEPT = 'hsapi-tree'
/** Maximum number of stored branches, because each is requested again after a reload. */
const OPEN_MAX = 12

interface Position {
  at: string
  open: string[]
}

/** If the browser forbids storage, the position lasts as long as the page. */
let position: Position = { at: '', open: [] }
try {
  position = { ...position, ...JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') }
} catch {}

const nameOf = ({ code, section }: Place) => code || section

/** `place` comes from the address. */
export function savePosition(place: Place, tree: Tree): void {
  const open = openBranches(tree).map(({ name }) => name)
  position = { at: nameOf(place), open: open.slice(0, OPEN_MAX) }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(position))
  } catch {}
}

/** Names of the branches that were open at this address. */
export const keptOpen = (place: Place): readonly string[] => (nameOf(place) === position.at ? position.open : [])
