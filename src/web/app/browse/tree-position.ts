/** Which branches of the tree are open, for Back, a reload and a switch of languages: the address names only one way down. */
import type { TreeNode } from './tree-node.js'

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

const nameOf = ({ id, isSection }: TreeNode) => (isSection ? `section ${id}` : id)

function openBranches(nodes: readonly TreeNode[]): string[] {
  return nodes.filter(({ isOpen }) => isOpen).flatMap(node => [nameOf(node), ...openBranches(node.children)])
}

/** `at` is the code or section that the address names. */
export function savePosition(at: string, roots: readonly TreeNode[]): void {
  position = { at, open: openBranches(roots).slice(0, OPEN_MAX) }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(position))
  } catch {}
}

async function openAll(nodes: readonly TreeNode[], names: readonly string[]): Promise<void> {
  const wanted = nodes.filter(node => names.includes(nameOf(node)))
  await Promise.all(wanted.map(node => node.open().then(() => openAll(node.children, names))))
}

/** Opens again what was open when the address was written. */
export async function restorePosition(at: string, roots: readonly TreeNode[]): Promise<void> {
  if (at !== '' && at === position.at) await openAll(roots, position.open)
}
