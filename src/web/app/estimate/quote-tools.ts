/** An estimate taken to somebody: its address, and a sheet to print. */
import { announce, type Child, h, icon, replace } from '../dom/dom.js'
import { copyButton } from '../dom/take-along.js'
import { t } from '../shared/language.js'

const TOLD_MS = 1600

/** Paper shows the sheet alone; the page itself is as before once it is printed. */
async function printSheet(make: () => Promise<HTMLElement>): Promise<void> {
  const sheet = await make()
  // the first page in English that shows Arabic words may not have their face yet
  await document.fonts.load('1em Cairo', 'ر')
  document.querySelector('body > .sheet')?.remove()
  document.body.append(sheet)
  const root = document.documentElement
  root.dataset.print = 'sheet'
  const end = () => {
    sheet.remove()
    delete root.dataset.print
  }
  window.addEventListener('afterprint', end, { once: true })
  window.print()
}

/** `link` and `make` are asked when they are needed: amounts change. */
export function quoteTools(link: () => string, make: () => Promise<HTMLElement>, ...others: Child[]): HTMLElement {
  const print = h('button', { type: 'button', class: 'button', 'data-print-sheet': true })
  const show = (label: string) => replace(print, icon('print'), h('span', {}, label))
  show(t.printSheet)
  print.addEventListener('click', () =>
    printSheet(make).catch(() => {
      show(t.checkFileFailed)
      announce(t.checkFileFailed)
      setTimeout(() => show(t.printSheet), 2 * TOLD_MS)
    }),
  )
  return h('div', { class: 'quote-tools' }, copyButton('link', t.copyLink, link), print, others)
}
