/** Keys of the tree: up and down move, left and right open and close, letters and digits jump. */
import { type Branch, isOpen, rowsOf, type Tree } from './branches.js'

/** The effect of a key. A key may have no effect, such as Down on the last row. */
export interface Move {
  to?: Branch | undefined
  toggle?: Branch
  /** The branch whose record the page opens. */
  follow?: Branch
}

/** Undefined if the tree does not handle the key. */
export function moveFor(tree: Tree, key: string, isRightToLeft: boolean): Move | undefined {
  const rows = rowsOf(tree)
  const at = rows.findIndex(({ branch }) => branch.name === tree.current)
  const row = rows[at]
  if (row === undefined) return undefined
  const { branch, parent } = row
  switch (key) {
    case 'ArrowDown':
      return { to: rows[at + 1]?.branch }
    case 'ArrowUp':
      return { to: rows[at - 1]?.branch }
    case 'Home':
      return { to: rows[0]?.branch }
    case 'End':
      return { to: rows.at(-1)?.branch }
    case isRightToLeft ? 'ArrowLeft' : 'ArrowRight':
      if (branch.isLeaf) return {}
      return isOpen(tree, branch) ? { to: tree.below[branch.name]?.[0] } : { toggle: branch }
    case isRightToLeft ? 'ArrowRight' : 'ArrowLeft':
      return isOpen(tree, branch) ? { toggle: branch } : { to: parent }
    case 'Enter':
      return branch.isSection ? { toggle: branch } : { follow: branch }
    case ' ':
      return branch.isLeaf ? { follow: branch } : { toggle: branch }
    default:
      return undefined
  }
}

/** The next branch whose text starts with the typed letters, wrapping around at the end. */
export function jump(tree: Tree, typed: string, textOf: (branch: Branch) => string): Branch | undefined {
  const rows = rowsOf(tree)
  const at = rows.findIndex(({ branch }) => branch.name === tree.current)
  // a single letter goes to the next branch; with further letters, the current branch may still match
  const start = typed.length > 1 ? at : at + 1
  const rotated = [...rows.slice(start), ...rows.slice(0, start)]
  return rotated.find(({ branch }) => textOf(branch).toLowerCase().startsWith(typed.toLowerCase()))?.branch
}
