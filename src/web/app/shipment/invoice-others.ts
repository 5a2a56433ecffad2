/** Invoices that this browser keeps beside the one that is shown. */
import { type Child, h, icon } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { lang } from '../shared/language.js'
import { words } from './invoice-words.js'
import type { Work } from './kept-invoices.js'

const CODES_SHOWN = 3

const time = new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short' })

/** Rows, time of the last change, and the first codes: enough to know it by. */
function nameOf({ rows, savedMs }: Work): Child {
  const codes = rows.map(({ code }) => code.trim()).filter(code => code !== '')
  const more = codes.length > CODES_SHOWN ? ' …' : ''
  return [
    words.kept(rows.length, time.format(savedMs)),
    ' ',
    h('bdi', { dir: 'ltr' }, codes.slice(0, CODES_SHOWN).join(', ') + more),
  ]
}

export function otherInvoices(
  works: readonly Work[],
  isLink: boolean,
  open: (work: Work) => void,
  remove: (work: Work) => void,
): Child {
  if (works.length === 0) return null
  const item = (work: Work) =>
    h(
      'li',
      {},
      h('span', {}, nameOf(work)),
      button(words.openKept, () => open(work)),
      h(
        'button',
        { type: 'button', class: 'quiet square', 'aria-label': words.removeKept, onclick: () => remove(work) },
        icon('close'),
      ),
    )
  return h('section', { class: 'inv-others' }, h('p', {}, isLink ? words.fromLink : words.alsoKept), h('ul', {}, works.map(item)))
}
