/** What a visitor takes to other programs: the code, a row, paper. */
import { csvCells, spreadsheetText } from '../../../tables/csv-text.js'
import type { Code } from '../data/api.js'
import { copy } from '../shared/clipboard.js'
import { t } from '../shared/language.js'
import { announce, type Child, h, type IconName, icon, replace } from './dom.js'

const TOLD_MS = 1600

const face = (name: IconName, label: Child) => [icon(name), h('span', {}, label)]

export function copyButton(name: string, label: string, text: () => string, html?: () => string): HTMLElement {
  const made = h('button', { type: 'button', class: 'button', 'data-copy': name }, face('copy', label))
  made.addEventListener('click', async () => {
    const isDone = await copy(text(), html?.())
    replace(made, face(isDone ? 'check' : 'close', isDone ? t.copied : t.copyFailed))
    announce(isDone ? t.copied : t.copyFailed)
    setTimeout(() => replace(made, face('copy', label)), TOLD_MS)
  })
  return made
}

export function rowOf({ hs_code, description, tariff_rate }: Code): string {
  return csvCells([hs_code, description.en, description.ar, String(tariff_rate)].map(spreadsheetText))
}

/** `gather` null: the page has another button that prints. */
export function takeAlong(one: Code, gather: (() => Promise<unknown>) | null): HTMLElement {
  const print = h('button', { type: 'button', class: 'button' }, face('print', t.print))
  print.addEventListener('click', async () => {
    print.disabled = true
    replace(print, face('print', t.preparing))
    await gather?.()
    print.disabled = false
    replace(print, face('print', t.print))
    window.print()
  })
  return h(
    'div',
    { class: 'tools', role: 'group', 'aria-label': t.tools },
    copyButton('code', t.copyCode, () => one.hs_code),
    copyButton('row', t.copyRow, () => rowOf(one)),
    gather !== null && print,
  )
}
