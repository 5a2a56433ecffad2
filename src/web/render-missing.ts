/** A code that does not exist, as HTML: where it went, or the nearest one; as src/web/page/states.ts says it. */

import type { HsRecord } from '../answers/shapes.js'
import { headingOf } from '../codes/levels.js'
import { fill, fillText, type Markup, type Piece, tag } from './markup.js'
import { likelyOf } from './page/likely.js'
import { cut, type Look, leftToRight, type RenderedView } from './render-parts.js'
import { renderStrings } from './render-strings.js'

/** Of a code that is named in a page. */
const SHOWN_CHARS = 40

export interface Successors {
  edition: string
  records: readonly HsRecord[]
}

const search = (look: Look, q: string) =>
  tag('a', { class: 'button', href: look.to('/', { q }) }, fill(look.t.searchFor, { q: tag('bdi', {}, q) }))

function notice(title: Piece, text: Piece, ...ways: Piece[]): Markup {
  return tag(
    'section',
    { class: 'notice notice-missing', 'data-state': 'missing' },
    tag('h1', {}, title),
    tag('p', {}, text),
    tag('div', { class: 'ways' }, ways),
  )
}

export function renderMissing(look: Look, code: string, nearest: string, moved: Successors | undefined): RenderedView {
  const { t } = look
  const title = moved === undefined ? t.missingTitle : t.movedTitle
  const isOne = moved?.records.length === 1
  const text =
    moved !== undefined
      ? fill(isOne ? t.movedOne : t.movedSeveral, { edition: leftToRight(`HS ${moved.edition}`) })
      : nearest === ''
        ? t.missingText
        : fill(t.missingNearest, { code: look.codeLink(nearest) })
  const main = notice(
    fill(title, { code: look.code(code) }),
    text,
    moved !== undefined && successorList(look, code, moved.records),
    search(look, nearest === '' ? headingOf(code) : nearest),
    tag('a', { class: 'button', href: look.to(nearest === '' ? '/browse' : `/browse/${nearest}`) }, t.toBrowse),
  )
  return { title: fillText(title, { code }), description: fillText(renderStrings[look.lang].missingDescription, { code }), main }
}

function successorList(look: Look, code: string, records: readonly HsRecord[]): Markup {
  const codes = records.map(({ hs_code }) => hs_code)
  const likely = likelyOf(code, codes)
  const rare = codes.filter(one => !likely.includes(one))
  const byCode = new Map(records.map(record => [record.hs_code, record]))
  const row = (hsCode: string) => {
    const words = look.ourWords((byCode.get(hsCode) as HsRecord).description)
    return tag('li', {}, tag('a', { href: look.toCode(hsCode) }, look.code(hsCode), tag('span', {}, words)))
  }
  const list = (shown: readonly string[]) => tag('ul', { class: 'codes' }, shown.map(row))
  return tag(
    'div',
    { class: 'successors' },
    list(likely),
    rare.length > 0 && tag('details', { class: 'rare' }, tag('summary', {}, look.t.movedRare(rare.length)), list(rare)),
  )
}

/** `text` is whatever the address had. */
export function renderNotCode(look: Look, text: string): RenderedView {
  const { t } = look
  const shown = cut(text, SHOWN_CHARS)
  const title = fillText(t.notCodeTitle, { code: shown })
  const main = notice(fill(t.notCodeTitle, { code: tag('bdi', {}, shown) }), t.notCodeText, search(look, shown))
  return { title, description: title, main }
}
