/** Goods that people look for under a code, with links to where they belong. */
import { toCode } from '../address.js'
import type { Code } from '../api.js'
import { type Child, h } from '../dom.js'
import { t } from '../language.js'
import { code, ourWords } from '../parts.js'

type Pointers = NonNullable<Code['see_also']>['items']

const SHOWN_FIRST = 6

const list = (pointers: Pointers) =>
  h(
    'ul',
    { class: 'codes pointers' },
    pointers.map(({ what, hs_code, description }) =>
      h('li', {}, h('a', { href: toCode(hs_code) }, h('b', {}, ourWords(what)), code(hs_code), ourWords(description))),
    ),
  )

export function seeAlso({ see_also: pointers }: Code): Child {
  if (pointers === undefined || pointers.items.length === 0) return null
  const { items } = pointers
  const rest = items.slice(SHOWN_FIRST)
  return [
    list(items.slice(0, SHOWN_FIRST)),
    rest.length > 0 && h('details', { class: 'more-pointers' }, h('summary', {}, t.morePointers(rest.length)), list(rest)),
  ]
}
