/** What importing the goods is subject to, and the unit that their quantity is declared in. */
import type { Control } from '../../../answers/shapes.js'
import type { Code } from '../data/api.js'
import { type Child, h } from '../dom/dom.js'
import { ourWords } from '../dom/parts.js'
import { t } from '../shared/language.js'

const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

const kindBadge = (kind: Control['kind']) => h('span', { class: `badge control-${kind}` }, t.controlKinds[kind])

const scopeName = (scope: Control['scope']) => (scope === 'GCC' ? t.controlsGcc : (t.countries[scope] ?? scope))

export function unitName({ unit }: Code): Child {
  if (!unit) return null
  return [ourWords(unit.name), ' ', h('span', { class: 'hint' }, '(', leftToRight(unit.code), ')')]
}

export const unitHint = ({ unit }: Code): Child => unit?.certainty === 'assumed' && h('span', { class: 'hint' }, t.unitAssumed)

export function controlItem({ kind, scope, authority, reason, source, date, certainty }: Control): HTMLElement {
  return h(
    'li',
    {},
    h(
      'p',
      { class: 'control-head' },
      kindBadge(kind),
      h('b', {}, scopeName(scope)),
      authority !== null && h('span', {}, h('span', { lang: 'en', dir: 'ltr' }, authority)),
    ),
    h('p', {}, ourWords(reason)),
    h(
      'p',
      { class: 'note-number' },
      t.controlCertainty[certainty],
      ' · ',
      h('span', { lang: 'en', dir: 'auto' }, source),
      ' · ',
      leftToRight(date),
    ),
  )
}
