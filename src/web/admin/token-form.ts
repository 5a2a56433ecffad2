/** Asks for the admin token once. */
import { h } from '../app/dom/dom.js'
import { hasToken, keepToken } from './api.js'
import { t } from './language.js'

/** After a wrong token it says so. */
export function tokenForm(go: () => void): HTMLElement {
  const input = h('input', {
    id: 'token',
    type: 'password',
    dir: 'ltr',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'token-complaint',
  })
  const complaint = h('p', { class: 'complaint', id: 'token-complaint', role: 'alert' }, hasToken() && t.tokenWrong)
  const submit = (event: Event) => {
    event.preventDefault()
    if (input.value === '') {
      complaint.textContent = t.tokenMissing
      input.focus()
      return
    }
    keepToken(input.value)
    go()
  }
  return h(
    'section',
    { class: 'notice', 'data-state': 'token' },
    h('h2', {}, t.tokenTitle),
    h('p', {}, t.tokenText),
    h(
      'form',
      { class: 'key-form', onsubmit: submit },
      h('label', { for: 'token' }, t.tokenLabel),
      h('div', { class: 'row' }, input, h('button', { class: 'button button-strong' }, t.tokenGo)),
      complaint,
    ),
  )
}
