/** The tree as HTML: sections that open without script, and every branch on the way to a code. */
import type { ListedRecord, Section } from '../../answers/shapes.js'
import type { Catalog } from '../../catalog/catalog.js'
import { cut, fillText } from '../app/text/written.js'
import type { CarriedAnswers } from './catalog-answers.js'
import { type Markup, type Piece, tag } from './markup.js'
import { CHEVRON, DESCRIPTION_CHARS, GO, type Look, type RenderedView } from './render-parts.js'
import { renderStrings } from './render-strings.js'

interface Tree {
  look: Look
  catalog: Catalog
  answers: CarriedAnswers
  /** The code whose branches are open; '' for none. */
  wanted: string
}

export function renderBrowse(tree: Tree, sections: readonly Section[], openSection: string): RenderedView {
  const { look, wanted } = tree
  const { t } = look
  const roots = sections.map(({ section, title, chapters }) => {
    const level = section === null ? 1 : 2
    const rows = chapters.map(({ hs_code, description }) => node(tree, hs_code, look.ourWords(description), null, level))
    if (section === null || rows.length === 0) return rows
    const isOpen = section === openSection || chapters.some(({ hs_code }) => wanted.startsWith(hs_code))
    return tag(
      'li',
      { 'data-level': 1 },
      tag('details', { open: isOpen }, sectionRow(look, section, look.ourWords(title)), tag('ul', {}, rows)),
    )
  })
  const main = tag(
    'div',
    {},
    tag('header', { class: 'page-head' }, tag('h1', {}, t.browseTitle), tag('p', { class: 'hint keys-hint' }, t.browseText)),
    tag('div', { class: 'tree-place' }, tag('ul', { class: 'tree', 'aria-label': t.treeLabel }, roots)),
  )
  return { ...headOf(tree), main }
}

function headOf({ look, catalog, wanted }: Tree): { title: string; description: string } {
  const texts = renderStrings[look.lang]
  const record = wanted === '' ? -1 : catalog.trie.find(wanted)
  if (record < 0) return { title: look.t.browseTitle, description: texts.browseDescription }
  const parts = { code: wanted, words: look.words(catalog.records.description(record)) }
  return {
    title: fillText(texts.branchTitle, parts),
    description: cut(fillText(texts.branchDescription, parts), DESCRIPTION_CHARS),
  }
}

function sectionRow({ t }: Look, section: string, words: Markup): Markup {
  return tag(
    'summary',
    { class: 'tree-row' },
    tag('span', { class: 'twist' }, CHEVRON),
    tag('span', { class: 'tree-section' }, tag('span', { class: 'unseen' }, fillText(t.section, { number: '' })), section),
    tag('span', { class: 'tree-words' }, ' ', words),
  )
}

function node(tree: Tree, code: string, words: Markup, rate: Piece, level: number): Markup {
  const { look, wanted } = tree
  const isLeaf = code.length >= look.longestLine
  const isOpen = !isLeaf && wanted.startsWith(code)
  const label = fillText(look.t.openRecord, { code })
  const href = isLeaf ? look.toCode(code) : look.toBranch(code)
  const row = tag(
    'div',
    { class: isOpen ? 'tree-row open' : 'tree-row' },
    tag('span', { class: 'twist' }, !isLeaf && CHEVRON),
    look.code(code),
    tag('span', { class: 'tree-words' }, tag('a', { href, 'aria-current': code === wanted ? 'true' : null }, words)),
    rate,
    tag('a', { class: 'tree-open', href: look.toCode(code), 'aria-label': label, title: label }, GO),
  )
  return tag('li', { 'data-level': level }, row, isOpen && below(tree, code, level))
}

function below(tree: Tree, code: string, level: number): Piece {
  const { look } = tree
  const rows = childrenShown(tree, code).map(({ hs_code, description, tariff_rate, rate }) =>
    node(tree, hs_code, look.ourWords(description), look.badge(tariff_rate, rate), level + 1),
  )
  return tag('ul', {}, rows)
}

/** A single child that only repeats the words is passed over, as in src/web/app/browse/tree-node.ts. */
function childrenShown({ look, catalog, answers }: Tree, code: string): ListedRecord[] {
  const record = catalog.trie.find(code)
  if (record < 0) return []
  const words = look.words(catalog.records.description(record))
  let children = answers.addChildren(record)
  for (;;) {
    const [only] = children
    const isRepeated = children.length === 1 && only !== undefined && look.words(only.description) === words
    if (!isRepeated || only.level >= look.longestLine) return children
    children = answers.addChildren(catalog.trie.find(only.hs_code))
  }
}
