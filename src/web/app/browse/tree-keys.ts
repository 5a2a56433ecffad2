/** Keys in the tree: up and down walk, one side opens, the other closes, letters and digits jump. */
import { nodeOf, type TreeHost, type TreeNode } from './tree-node.js'

const TYPED_MS = 700

export function treeKeys(tree: HTMLElement, host: TreeHost): void {
  let typed = ''
  let typedAt = 0
  // closed branches hold no items, so all that are there can be seen
  const visible = () => [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')]

  const jump = (from: TreeNode, char: string) => {
    typed = performance.now() - typedAt > TYPED_MS ? char : typed + char
    typedAt = performance.now()
    const items = visible()
    const at = items.indexOf(from.row)
    const start = typed.length > 1 ? at : at + 1
    const turned = [...items.slice(start), ...items.slice(0, start)]
    nodeOf(turned.find(item => item.textContent?.trim().toLowerCase().startsWith(typed)) ?? null)?.focus(false)
  }

  tree.addEventListener('keydown', event => {
    const element = (event.target as Element).closest('[role=treeitem]')
    const node = nodeOf(element)
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return
    const isRtl = document.documentElement.dir === 'rtl'
    const inward = isRtl ? 'ArrowLeft' : 'ArrowRight'
    const outward = isRtl ? 'ArrowRight' : 'ArrowLeft'
    const items = visible()
    const at = items.indexOf(node.row)
    const to = (item: Element | null | undefined) => nodeOf(item ?? null)?.focus(false)
    const actions: Record<string, () => void> = {
      ArrowDown: () => to(items[at + 1]),
      ArrowUp: () => to(items[at - 1]),
      Home: () => to(items[0]),
      End: () => to(items.at(-1)),
      [inward]: () => {
        if (node.isLeaf) return
        if (node.isOpen) to(node.children[0]?.row)
        else node.toggle()
      },
      [outward]: () => {
        if (node.isOpen) node.toggle()
        else to(node.element.parentElement?.closest('li')?.querySelector('[role=treeitem]'))
      },
      Enter: () => (node.isSection ? node.toggle() : host.open(node.id)),
      ' ': () => (node.isLeaf ? host.open(node.id) : node.toggle()),
    }
    const action = actions[event.key]
    if (action) action()
    else if (event.key.length === 1 && event.key !== '/') jump(node, event.key.toLowerCase())
    else return
    event.preventDefault()
    event.stopPropagation()
  })
}
