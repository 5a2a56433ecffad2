/** What a page shows as a request to the API, for people who go on with a program of their own. */
import type { Route } from '../data/address.js'
import { forCountry } from '../data/country.js'
import { recordPath } from '../data/first-paths.js'
import { query } from '../data/query.js'
import { fill, h } from '../dom/dom.js'
import { searchPath } from '../dom/states.js'
import { copyButton } from '../dom/take-along.js'
import { classifyPath, readSteps } from '../search/classify-steps.js'
import { SEARCH_PAGE } from '../search/search.js'
import { lang } from '../shared/language.js'
import { asRequestStrings } from './as-request-strings.js'
import { curlOf } from './curl.js'

/** As many as a request gives; few codes have more. */
const CHILDREN_MAX = 50

/** Below /api/v1/; null where a page has none. */
function pathOf(route: Route): string | null {
  switch (route.page) {
    case 'search':
      return searchPath(route.q.trim(), route.within, route.level, route.rate, 0, SEARCH_PAGE)
    case 'record':
      return recordPath(route.code)
    case 'browse':
      if (route.code === '') return 'chapters'
      return query(`hs-codes/${encodeURIComponent(route.code)}/children`, { limit: CHILDREN_MAX, include: 'rate' })
    case 'check':
      return route.codes === '' ? null : query('resolve', { codes: route.codes, edition: route.edition })
    case 'classify':
      return route.text === '' ? null : classifyPath(route.text, readSteps(route.within).at(-1))
    default:
      return null
  }
}

const inJavaScript = (address: string) => `const response = await fetch('${address}', {
  headers: { 'X-Api-Key': process.env.HSAPI_KEY },
})
const { data } = await response.json()
console.log(data)`

const inPython = (address: string) => `import json, os
from urllib.request import Request, urlopen

request = Request("${address}",
                  headers={"X-Api-Key": os.environ["HSAPI_KEY"]})
with urlopen(request) as response:
    print(json.load(response)["data"])`

function sample(name: string, label: string, text: string): HTMLElement {
  return h(
    'div',
    { class: 'request-sample' },
    h(
      'div',
      { class: 'request-name' },
      h('h2', {}, label),
      copyButton(`request-${name}`, asRequestStrings[lang].copy, () => text),
    ),
    // it scrolls, so the keyboard must reach it
    h('pre', { dir: 'ltr', tabindex: 0, role: 'region', 'aria-label': label, 'data-request': name }, h('code', {}, text)),
  )
}

export function showAsRequest(fold: HTMLElement, route: Route): void {
  const t = asRequestStrings[lang]
  const path = pathOf(route)
  const address = path === null ? '' : `${location.origin}/api/v1/${forCountry(path)}`
  const shown = h(
    'div',
    { class: 'request-samples' },
    path !== null && [
      h(
        'p',
        { class: 'hint' },
        fill(t.text, { name: h('code', { dir: 'ltr' }, 'HSAPI_KEY') }),
        ' ',
        h('a', { href: '/docs/http-api' }, t.more),
      ),
      sample('curl', 'curl', curlOf(address)),
      sample('javascript', 'JavaScript', inJavaScript(address)),
      sample('python', 'Python', inPython(address)),
    ],
  )
  fold.querySelector('.request-samples')?.remove()
  fold.append(shown)
}
