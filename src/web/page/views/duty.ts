/** The rate with where it is written, where it was read and how sure it is; and what the code was before. */
import { toCode } from '../address.js'
import type { Code } from '../api.js'
import { fill, h } from '../dom.js'
import { t } from '../language.js'
import { code, codeLink, rateText } from '../parts.js'

export function duty(one: Code): HTMLElement {
  const { rate, hs_code, tariff_rate } = one
  const isMixed = rate !== undefined && rate.min !== rate.max
  const certainty = rate?.certainty ?? ''
  return h(
    'section',
    { class: 'part part-duty', 'aria-labelledby': 'part-duty' },
    h('h2', { id: 'part-duty' }, t.dutyTitle),
    h(
      'p',
      { class: 'duty-figure' },
      h('bdi', { dir: 'ltr' }, rateText(tariff_rate, rate)),
      (rate?.max ?? tariff_rate) === 0 && h('span', { class: 'free' }, t.free),
    ),
    isMixed && h('p', { class: 'warning' }, t.rateMixed),
    rate && [
      h(
        'p',
        { class: `certainty certainty-${certainty}` },
        h('b', {}, t.certainty[certainty] ?? certainty),
        ' ',
        t.certaintyText[certainty] ?? '',
      ),
      h('p', {}, rate.from === hs_code ? t.rateOwn : fill(t.rateFrom, { code: codeLink(rate.from) })),
      rate.source !== '' &&
        h(
          'p',
          { class: 'source' },
          h('span', { class: 'tongue' }, t.source),
          h('span', { lang: 'en', dir: 'auto' }, rate.source),
        ),
    ],
  )
}

/** Not in force yet: its codes have no pages. */
const COMING = '2028'

export function editions({ hs_code, editions: earlier = {} }: Code): HTMLElement {
  if (hs_code.length < 6) return h('p', { class: 'hint' }, t.editionShort)
  const own = hs_code.slice(0, 6)
  // the latest first: keys that are numbers come in ascending order
  const rows = Object.entries(earlier)
    .reverse()
    .map(([edition, codes]) => [
      h('dt', {}, h('bdi', { dir: 'ltr' }, `HS ${edition}`), edition === COMING && ` ${t.provisional}`),
      h(
        'dd',
        {},
        codes.length === 0
          ? t.editionNone
          : codes.length === 1 && codes[0] === own
            ? t.editionSame
            : codes.map(one =>
                edition === COMING
                  ? h('span', { class: 'chip' }, code(one))
                  : h('a', { class: 'chip', href: toCode(one) }, code(one)),
              ),
      ),
    ])
  return h('dl', { class: 'editions' }, rows)
}
