/** Unit and import controls as HTML, as src/web/page/views/controls.ts shows them. */
import type { Control } from '../answers/shapes.js'
import { type Markup, type Piece, tag } from './markup.js'
import { type Look, leftToRight, type WholeRecord } from './render-parts.js'

const kindBadge = ({ t }: Look, kind: Control['kind']) => tag('span', { class: `badge control-${kind}` }, t.controlKinds[kind])

/** In the head of a record: the unit, and each kind of control once. */
export function renderFacts(look: Look, { unit, controls }: WholeRecord): Markup {
  const { t } = look
  const hint = (text: Piece) => tag('span', { class: 'hint' }, text)
  const row = (title: string, ...text: Piece[]) => tag('div', {}, tag('dt', {}, title), tag('dd', {}, text))
  const name = unit === null ? hint(t.unitDiffers) : [look.ourWords(unit.name), ' ', hint(['(', leftToRight(unit.code), ')'])]
  const kinds = [...new Set(controls.items.map(({ kind }) => kind))]
  return tag(
    'dl',
    { class: 'facts' },
    row(t.unitTitle, name, ' ', unit?.certainty === 'assumed' && hint(t.unitAssumed)),
    row(t.controlsTitle, kinds.length === 0 ? hint(t.controlsNone) : kinds.map(kind => kindBadge(look, kind))),
  )
}

/** Null where none is listed: the head of the record says so. */
export function renderControls(look: Look, { controls }: WholeRecord): Piece {
  if (controls.items.length === 0) return null
  const items = controls.items.map(control => item(look, control))
  return [tag('ul', { class: 'controls' }, items), tag('p', { class: 'hint' }, look.ourWords(controls.note))]
}

function item(look: Look, { kind, scope, authority, reason, source, date, certainty }: Control): Markup {
  const { t } = look
  return tag(
    'li',
    {},
    tag(
      'p',
      { class: 'control-head' },
      kindBadge(look, kind),
      tag('b', {}, scope === 'GCC' ? t.controlsGcc : (t.countries[scope] ?? scope)),
      authority !== null && tag('span', {}, tag('span', { lang: 'en', dir: 'ltr' }, authority)),
    ),
    tag('p', {}, look.ourWords(reason)),
    tag(
      'p',
      { class: 'note-number' },
      t.controlCertainty[certainty],
      ' · ',
      tag('span', { lang: 'en', dir: 'auto' }, source),
      ' · ',
      leftToRight(date),
    ),
  )
}
