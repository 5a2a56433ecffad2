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
