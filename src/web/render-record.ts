/** A record as HTML: what src/web/page/views/record.ts shows first, for readers without script and for previews. */

import type { LookupExtras, PathStep, RateOrigin } from '../answers/shapes.js'
import { SUBHEADING_DIGITS } from '../codes/levels.js'
import { fill, fillText, type Markup, type Piece, tag } from './markup.js'
import { rateRange } from './page/written.js'
import { renderControls, renderFacts } from './render-controls.js'
import { cut, directionOf, type Look, leftToRight, type RenderedView, TREE, type WholeRecord } from './render-parts.js'
import { renderStrings } from './render-strings.js'

/** As many as the page shows at first above subheadings. */
const FEW_LINES = 10

export function renderRecord(look: Look, record: WholeRecord): RenderedView {
  const { t } = look
  const { hs_code, level, path, children, lines, tariff_rate, rate } = record
  const isLine = level >= look.longestLine
  const main = tag(
    'article',
    { class: 'record', 'data-level': level },
    crumbs(look, path, hs_code),
    tag(
      'header',
      { class: 'record-head' },
      tag(
        'div',
        { class: 'record-code' },
        tag('h1', {}, tag('span', { class: 'unseen' }, fillText(t.record, { code: '' })), look.code(hs_code)),
        look.badge(tariff_rate, rate),
        tag('span', { class: 'level' }, look.levelName(level)),
        !record.is_active && tag('span', { class: 'badge badge-high' }, t.inactive),
      ),
      declared(look, record, isLine),
      words(look, record),
      renderFacts(look, record),
      examples(look, record),
    ),
    record.controls.items.length > 0 && part('controls', t.controlsTitle, null, renderControls(look, record)),
    tag('div', { class: 'pair' }, duty(look, record)),
    level < SUBHEADING_DIGITS && part('below', t.childrenTitle, null, list(look, children.items, children.total)),
    !isLine &&
      lines.total > 0 &&
      part(
        'lines',
        t.linesTitle(look.longestLine),
        t.linesText,
        list(look, lines.items.slice(0, level < SUBHEADING_DIGITS ? FEW_LINES : lines.items.length), lines.total),
      ),
  )
  return { title: `${hs_code} ${look.words(record.description)}`, description: describe(look, record), main }
}

function describe(look: Look, { hs_code, description, path, tariff_rate, rate }: WholeRecord): string {
  const texts = renderStrings[look.lang]
  const tariff = look.t.countries[rate.country ?? ''] ?? ''
  const parts = { code: hs_code, words: look.words(description), rate: look.rateText(tariff_rate, rate), tariff }
  const under = path.length === 0 ? '' : fillText(texts.under, { path: look.pathText(path) })
  return cut(fillText(texts.recordDescription, parts) + under)
}

function part(name: string, title: string, text: string | null, body: Piece): Markup {
  return tag(
    'section',
    { class: `part part-${name}`, 'aria-labelledby': `part-${name}` },
    tag('h2', { id: `part-${name}` }, title),
    text !== null && tag('p', { class: 'hint' }, text),
    body,
  )
}

function list(look: Look, items: LookupExtras['lines']['items'], total: number): Markup {
  return tag(
    'div',
    { class: 'paged' },
    tag(
      'ul',
      { class: 'codes' },
      items.map(item => look.codeRow(item)),
    ),
    total > items.length && tag('p', { class: 'hint' }, look.t.shownOf(items.length, total)),
  )
}

function crumbs(look: Look, path: readonly PathStep[], last: string): Markup {
  const steps = path.map(({ hs_code, description }) =>
    tag('li', {}, tag('a', { href: look.toCode(hs_code) }, look.code(hs_code), ' ', look.ourWords(description))),
  )
  return tag(
    'nav',
    { class: 'crumbs', 'aria-label': look.t.path },
    tag('ol', {}, steps, tag('li', { 'aria-current': 'page' }, look.code(last))),
    tag('a', { class: 'in-tree', href: look.toBranch(last) }, TREE, look.t.seeInTree),
  )
}

function declared(look: Look, { lines }: WholeRecord, isLine: boolean): Piece {
  const { t } = look
  const [only] = lines.items
  if (isLine) return tag('p', { class: 'declared' }, t.thisIsLine)
  if (lines.total === 1 && only !== undefined)
    return tag('p', { class: 'declared' }, fill(t.onlyLine, { code: look.codeLink(only.hs_code) }))
  return lines.total > 1 && tag('p', { class: 'declared' }, tag('a', { href: '#part-lines' }, t.chooseLine(lines.total)))
}

/** Both languages, the reader's first. */
function words(look: Look, { description }: WholeRecord): Markup {
  const column = (lang: 'en' | 'ar') =>
    tag(
      'div',
      {},
      tag(
        'div',
        { dir: directionOf(lang) },
        tag('span', { class: 'tongue' }, lang === 'ar' ? look.t.inArabic : look.t.inEnglish),
        tag('p', { lang }, description[lang] || tag('span', { class: 'hint' }, look.t.noWords)),
      ),
    )
  return tag('div', { class: 'words' }, column(look.lang), column(look.other))
}

function examples(look: Look, { examples: names }: WholeRecord): Piece {
  const row = (lang: 'en' | 'ar') =>
    names[lang].length > 0 &&
    tag(
      'ul',
      { lang, dir: directionOf(lang) },
      names[lang].map(name => tag('li', {}, name)),
    )
  const rows = [row(look.lang), row(look.other)]
  if (rows.every(one => one === false)) return null
  return tag('div', { class: 'names' }, tag('h2', { class: 'tongue' }, look.t.namesTitle), rows)
}

function duty(look: Look, { hs_code, tariff_rate, rate }: WholeRecord): Markup {
  const { t } = look
  const status = look.statusText(rate)
  const country = t.countries[rate.country ?? ''] ?? ''
  const certainty = rate.certainty ?? ''
  return tag(
    'section',
    { class: 'part part-duty', 'aria-labelledby': 'part-duty' },
    tag('h2', { id: 'part-duty' }, rate.country === undefined ? t.dutyTitle : fillText(t.dutyTitleIn, { country })),
    tag(
      'p',
      { class: 'duty-figure' },
      status ?? leftToRight(look.rateText(tariff_rate, rate)),
      status === null && rate.max === 0 && tag('span', { class: 'free' }, t.free),
    ),
    statusNote(look, rate, tariff_rate, country),
    status === null && rate.min !== rate.max && tag('p', { class: 'warning' }, t.rateMixed),
    tag(
      'p',
      { class: `certainty certainty-${certainty}` },
      tag('b', {}, t.certainty[certainty] ?? certainty),
      ' ',
      t.certaintyText[certainty] ?? '',
    ),
    rate.country !== undefined && listNote(look, rate, country),
    tag('p', {}, rate.from === hs_code ? t.rateOwn : fill(t.rateFrom, { code: look.codeLink(rate.from) })),
    rate.source !== null &&
      tag(
        'p',
        { class: 'source' },
        tag('span', { class: 'tongue' }, t.source),
        tag('span', { lang: 'en', dir: 'auto' }, rate.source),
      ),
  )
}

function statusNote({ t }: Look, origin: RateOrigin, rate: number, country: string): Piece {
  if (origin.status === 'normal') return null
  const text = origin.status === 'prohibited' ? t.rateProhibited : t.rateUnknown
  return tag('p', { class: 'warning' }, fill(text, { country, rate: leftToRight(rateRange(rate, rate)) }))
}

function listNote({ t }: Look, { list, date }: RateOrigin, country: string): Markup {
  const shown = list ? fill(t.rateList, { country, list: leftToRight(list), date: leftToRight(date ?? list) }) : null
  return tag('p', { class: 'rate-list' }, shown ?? fill(t.rateCommon, { country }))
}
