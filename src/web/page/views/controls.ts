/** What importing the goods is subject to, and the unit that their quantity is declared in. */
import type { Control } from '../../../answers/shapes.js'
import type { Code } from '../api.js'
import { type Child, h } from '../dom.js'
import { t } from '../language.js'
import { ourWords } from '../parts.js'

const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

export const kindBadge = (kind: Control['kind']) => h('span', { class: `badge control-${kind}` }, t.controlKinds[kind])

const scopeName = (scope: Control['scope']) => (scope === 'GCC' ? t.controlsGcc : (t.countries[scope] ?? scope))

export function unitName({ unit }: Code): Child {
  if (!unit) return null
  return [ourWords(unit.name), ' ', h('span', { class: 'hint' }, '(', leftToRight(unit.code), ')')]
}

export const unitHint = ({ unit }: Code): Child => unit?.certainty === 'assumed' && h('span', { class: 'hint' }, t.unitAssumed)

/** Short, in the head of a record: each kind once. */
export function facts(one: Code): Child {
  const unit = unitName(one)
  const kinds = [...new Set((one.controls?.items ?? []).map(({ kind }) => kind))]
  return h(
    'dl',
    { class: 'facts' },
    h('div', {}, h('dt', {}, t.unitTitle), h('dd', {}, unit ?? h('span', { class: 'hint' }, t.unitDiffers), ' ', unitHint(one))),
    one.controls !== undefined &&
      h(
        'div',
        {},
        h('dt', {}, t.controlsTitle),
        h('dd', {}, kinds.length === 0 ? h('span', { class: 'hint' }, t.controlsNone) : kinds.map(kindBadge)),
      ),
  )
}

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

/** Null where none is listed: the head of the record says so. */
export function controls({ controls: found }: Code): Child {
  if (found === undefined || found.items.length === 0) return null
  return [h('ul', { class: 'controls' }, found.items.map(controlItem)), h('p', { class: 'hint' }, ourWords(found.note))]
}
