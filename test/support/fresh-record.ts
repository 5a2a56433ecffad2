/** Bundled for a browser by the test of rendered records: renders each record there as if the server had not. */
import { h, render } from 'preact'
import { readCountry } from '../../src/web/app/data/country.js'
import type { RecordData } from '../../src/web/app/record/data.js'
import { RecordPage } from '../../src/web/app/record/record.js'
import { surroundings } from '../../src/web/app/shared/surroundings.js'
import { Surrounded } from '../../src/web/app/ui/surroundings.js'

export interface Rendered {
  address: string
  data: RecordData
  html: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests have no types of a browser
const browser = globalThis as any

browser.differences = (all: Rendered[]) =>
  all.flatMap(({ address, data, html }) => {
    browser.history.replaceState(null, '', address)
    readCountry(browser.location.search)
    const [fresh, server] = ['div', 'div'].map(tag => browser.document.createElement(tag))
    render(h(Surrounded, { value: surroundings() }, h(RecordPage, data)), fresh)
    server.innerHTML = html
    return normal(fresh).isEqualNode(normal(server)) ? [] : [{ address, fresh: fresh.innerHTML, server: server.innerHTML }]
  })

/** Components make a text node for each piece of text. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function normal(element: any) {
  element.normalize()
  return element
}
