/** The rate with where it is written, where it was read and how sure it is; and what the code was before. */
import { SUBHEADING_DIGITS, subheadingOf } from '../../../codes/levels.js'
import { toCode } from '../address.js'
import type { Code, RateOrigin } from '../api.js'
import { type Child, fill, fillText, h } from '../dom.js'
import { t } from '../language.js'
import { code, codeLink, rateText, statusText } from '../parts.js'

const leftToRight = (text: string) => h('bdi', { dir: 'ltr' }, text)

export function duty(one: Code): HTMLElement {
  const { rate, hs_code, tariff_rate } = one
  const status = statusText(rate)
  const isMixed = status === null && rate !== undefined && rate.min !== rate.max
  const certainty = rate?.certainty ?? ''
  return h(
    'section',
    { class: 'part part-duty', 'aria-labelledby': 'part-duty' },
    h('h2', { id: 'part-duty' }, rate?.country ? fillText(t.dutyTitleIn, { country: nameOf(rate) }) : t.dutyTitle),
    h(
      'p',
      { class: 'duty-figure' },
      status ?? leftToRight(rateText(tariff_rate, rate)),
      status === null && (rate?.max ?? tariff_rate) === 0 && h('span', { class: 'free' }, t.free),
    ),
    rate && statusNote(rate, tariff_rate),
    isMixed && h('p', { class: 'warning' }, t.rateMixed),
    rate && [
      h(
        'p',
        { class: `certainty certainty-${certainty}` },
        h('b', {}, t.certainty[certainty] ?? certainty),
        ' ',
        t.certaintyText[certainty] ?? '',
      ),
      rate.country && listNote(rate),
      h('p', {}, rate.from === hs_code ? t.rateOwn : fill(t.rateFrom, { code: codeLink(rate.from) })),
      rate.source &&
        h(
          'p',
          { class: 'source' },
          h('span', { class: 'tongue' }, t.source),
          h('span', { lang: 'en', dir: 'auto' }, rate.source),
        ),
    ],
  )
}

const nameOf = ({ country }: RateOrigin) => t.countries[country ?? ''] ?? ''

function statusNote(origin: RateOrigin, rate: number): Child {
  if (origin.status === 'normal') return null
  const text = origin.status === 'prohibited' ? t.rateProhibited : t.rateUnknown
  const shown = leftToRight(rateText(rate))
  return h('p', { class: 'warning' }, fill(text, { country: nameOf(origin), rate: shown }))
}

/** Which list of the country speaks; where none does, the source is that of the common tariff. */
function listNote(origin: RateOrigin): HTMLElement {
  const country = nameOf(origin)
  const { list, date } = origin
  const text = list ? fill(t.rateList, { country, list: leftToRight(list), date: leftToRight(date ?? list) }) : null
  return h('p', { class: 'rate-list' }, text ?? fill(t.rateCommon, { country }))
}

/** Not in force yet: its codes have no pages. */
const COMING = '2028'

export function editions({ hs_code, editions: earlier = {} }: Code): HTMLElement {
  if (hs_code.length < SUBHEADING_DIGITS) return h('p', { class: 'hint' }, t.editionShort)
  const own = subheadingOf(hs_code)
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
