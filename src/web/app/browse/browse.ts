/** The tariff as a tree: sections, chapters, headings, down to lines. After the ARIA pattern; the address has the way down. */
import { type Route, toBrowse, toCode } from '../data/address.js'
import { ask, type Section, type Step } from '../data/api.js'
import { facts } from '../data/facts.js'
import { CHAPTERS_PATH } from '../data/first-paths.js'
import { h, replace } from '../dom/dom.js'
import { Slot, skeleton } from '../dom/slot.js'
import { t } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { treeKeys } from './tree-keys.js'
import { TreeNode } from './tree-node.js'
import { restorePosition, savePosition } from './tree-position.js'

type BrowseRoute = Extract<Route, { page: 'browse' }>

export function browseView(page: Page, first: BrowseRoute): View {
  const place = h('div', { class: 'tree-place' })
  const slot = new Slot(place)
  const tree = h('ul', { role: 'tree', class: 'tree', 'aria-label': t.treeLabel })
  let roots: TreeNode[] = []
  let noted = ''

  const note = (node: TreeNode) => {
    noted = node.isSection ? toBrowse('', node.id) : toBrowse(node.id)
    page.note(noted)
    savePosition(node.id, roots)
  }
  const host = { note, open: (code: string) => page.go(toCode(code)) }
  treeKeys(tree, host)

  /** Opens every step on the way to a code, one after the other. */
  async function openDownTo({ code, section }: BrowseRoute): Promise<void> {
    const root = roots.find(({ id, children }) => id === section || children.some(one => code.startsWith(one.id)))
    await restorePosition(code || section, roots)
    if (root === undefined) return
    let node = root
    await node.open()
    for (;;) {
      const next = node.children.find(one => code.startsWith(one.id))
      if (next === undefined) break
      node = next
      if (node.id === code && node.isLeaf) break
      await node.open()
    }
    node.focus(true)
  }

  function draw(list: Section[], route: BrowseRoute): void {
    roots = list.flatMap(({ section, title, chapters }) => {
      const nodes = (level: number) => chapters.map((one: Step) => new TreeNode(one.hs_code, one.description, level, host))
      if (chapters.length === 0) return []
      // chapters outside all sections come last
      if (section === null) return nodes(1)
      return [TreeNode.section(section, title, nodes(2), host)]
    })
    replace(
      tree,
      roots.map(({ element }) => element),
    )
    roots[0]?.setTabStop(true)
    replace(place, tree)
    void openDownTo(route)
  }

  const load = (route: BrowseRoute) =>
    slot.load<Section[]>({
      ask: async signal => {
        await facts()
        return ask(CHAPTERS_PATH, { signal })
      },
      waiting: () => skeleton(12),
      show: list => draw(list, route),
    })

  replace(
    page.main,
    h('header', { class: 'page-head' }, h('h1', {}, t.browseTitle), h('p', { class: 'hint keys-hint' }, t.browseText)),
    place,
  )
  load(first)
  return {
    title: t.browseTitle,
    update: route => {
      if (route.page !== 'browse') return false
      if (location.pathname + location.search !== noted) load(route)
      return true
    },
    leave: () => slot.stop(),
  }
}
