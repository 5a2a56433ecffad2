/** Renders pages in a browser without the server's HTML and compares both. The test of rendered pages bundles this file. */
import { type ComponentChildren, h, render } from 'preact'
import type { Section } from '../../src/answers/shapes.js'
import { awaited, type Place } from '../../src/web/app/browse/branches.js'
import { firstTree } from '../../src/web/app/browse/browse.js'
import { TreePage } from '../../src/web/app/browse/tree.js'
import { ask } from '../../src/web/app/data/api.js'
import { carry } from '../../src/web/app/data/carried.js'
import { readCountry } from '../../src/web/app/data/country.js'
import { recallFacts } from '../../src/web/app/data/facts.js'
import { CHAPTERS_PATH, type FirstAnswers } from '../../src/web/app/data/first-paths.js'
import type { RecordData } from '../../src/web/app/record/data.js'
import { RecordPage } from '../../src/web/app/record/record.js'
import { surroundings } from '../../src/web/app/shared/surroundings.js'
import { Surrounded } from '../../src/web/app/ui/surroundings.js'

interface Rendered {
  address: string
  html: string
}

export interface RenderedRecord extends Rendered {
  data: RecordData
}

export interface RenderedTree extends Rendered {
  place: Place
  answers: FirstAnswers
}

// biome-ignore lint/suspicious/noExplicitAny: tests are compiled without browser types
const browser = globalThis as any

function openAt(address: string): void {
  browser.history.replaceState(null, '', address)
  readCountry(browser.location.search)
}

browser.differences = (all: RenderedRecord[]) =>
  all.flatMap(({ data, ...rendered }) => {
    openAt(rendered.address)
    return difference(rendered, h(RecordPage, data))
  })

/** Renders the tree with the answers that the document contains, as the page does. */
browser.treeDifferences = async (all: RenderedTree[]) => {
  const found = []
  for (const { place, answers, ...rendered } of all) {
    carry(answers)
    openAt(rendered.address)
    const sections = await ask<Section[]>(CHAPTERS_PATH)
    if (!recallFacts() || sections.kind !== 'ok') throw new Error('the answers are not in the document')
    const tree = firstTree(surroundings(), sections.data, place)
    if (awaited(tree).length > 0) found.push({ ...rendered, awaited: awaited(tree) })
    found.push(...difference(rendered, h(TreePage, { tree, wanted: place.code })))
  }
  return found
}

function difference({ address, html }: Rendered, page: ComponentChildren) {
  const [fresh, server] = ['div', 'div'].map(tag => browser.document.createElement(tag))
  render(h(Surrounded, { value: surroundings() }, page), fresh)
  server.innerHTML = html
  return normal(fresh).isEqualNode(normal(server)) ? [] : [{ address, fresh: fresh.innerHTML, server: server.innerHTML }]
}

/** Joins adjacent text nodes, because components create one for each piece of text. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function normal(element: any) {
  element.normalize()
  return element
}
