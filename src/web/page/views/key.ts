/** Asks the visitor for a key, and forgets it again. */
import { forgetAnswers } from '../answer.js'
import { h } from '../dom.js'
import { forgetKey, keepKey, keptKey } from '../key.js'
import { t } from '../language.js'

const SHAPE = /^hs_\S+$/

/** Dispatched at the window: the page asks for everything again. */
export const KEY_CHANGED = 'hsapi-key-changed'

export function changed(): void {
  forgetAnswers()
  window.dispatchEvent(new Event(KEY_CHANGED))
}

export function keyForm(reason: 'missing' | 'wrong' | 'expired'): HTMLElement {
  const complaint = h('p', { class: 'complaint', id: 'key-complaint', role: 'alert' })
  if (reason === 'wrong') complaint.textContent = t.keyWrong
  if (reason === 'expired') complaint.textContent = t.keyExpired
  const input = h('input', {
    id: 'key',
    name: 'key',
    type: 'text',
    dir: 'ltr',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'hs_…',
    'aria-describedby': 'key-complaint',
    'aria-invalid': reason !== 'missing' && 'true',
    // a refused key can be corrected instead of typed once more
    value: reason === 'missing' ? null : keptKey(),
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const key = input.value.trim()
    if (!SHAPE.test(key)) {
      complaint.textContent = t.keyShape
      input.focus()
      return
    }
    keepKey(key)
    changed()
  }
  return h(
    'section',
    { class: 'notice notice-key', 'data-state': 'key' },
    h('h2', {}, t.keyTitle),
    h('p', {}, t.keyText),
    h(
      'form',
      { class: 'key-form', onsubmit: submit },
      h('label', { for: 'key' }, t.keyLabel),
      h('div', { class: 'row' }, input, h('button', { class: 'button button-strong' }, t.keyGo)),
      complaint,
    ),
  )
}

export function forget(): void {
  forgetKey()
  changed()
}
