/** Renders the tree with the browser's components. All branches on the path to a code are open. */
import { h } from 'preact'
import type { Catalog } from '../../catalog/catalog.js'
import { type Branch, isOpen, namesTo, opened, type Place, withCachedChildren } from '../app/browse/branches.js'
import { plainItem, TreePage } from '../app/browse/tree.js'
import { cut, fillText } from '../app/text/written.js'
import { wordsIn } from '../app/ui/surroundings.js'
import type { CarriedAnswers } from './catalog-answers.js'
import { DESCRIPTION_CHARS, type Look, type RenderedView, renderIn } from './render-parts.js'
import { renderStrings } from './render-strings.js'

export function renderBrowse(look: Look, answers: CarriedAnswers, place: Place): RenderedView {
  const { catalog, tree, closedSections } = answers.from
  const open = opened(tree, namesTo(tree, place))
  const whole = withCachedChildren(look, open, ({ code, offset }) => answers.addChildren(catalog.trie.find(code), offset))
  const wanted = place.code
  const root = (branch: Branch): string => {
    const render = () => renderIn(look, plainItem({ surroundings: look, tree: whole, wanted }, branch, 1))
    if (!branch.isSection || isOpen(whole, branch)) return render()
    const key = `${look.key} ${branch.id}`
    return closedSections.get(key) ?? closedSections.keep(key, render())
  }
  const frame = renderIn(look, h(TreePage, { tree: { ...whole, roots: [] }, wanted }))
  const main = frame.replace('</ul>', () => `${whole.roots.map(root).join('')}</ul>`)
  return { ...headOf(look, catalog, wanted), main }
}

function headOf(look: Look, catalog: Catalog, wanted: string): { title: string; description: string } {
  const texts = renderStrings[look.lang]
  const record = wanted === '' ? -1 : catalog.trie.find(wanted)
  if (record < 0) return { title: look.t.browseTitle, description: texts.browseDescription }
  const parts = { code: wanted, words: wordsIn(look, catalog.records.description(record)) }
  return {
    title: fillText(texts.branchTitle, parts),
    description: cut(fillText(texts.branchDescription, parts), DESCRIPTION_CHARS),
  }
}
