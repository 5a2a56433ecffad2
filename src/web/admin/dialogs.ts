/** Dialogs: create, rotate and revoke a key, and show a new one once. */

import { announce, type Child, fill, fillText, h, icon, replace } from '../app/dom/dom.js'
import { copy } from '../app/shared/clipboard.js'
import { type Answer, ask, type Key, type ListedKey, type NewKey } from './api.js'
import { figure, lang, ltr, moment, t } from './language.js'

const LIMIT_MAX = 2_000_000_000
const TIERS = { free: [30, 1_000], basic: [60, 5_000], pro: [200, 50_000] } as const

export const titleOf = ({ name, id }: Key): Child => (name === '' ? ltr(h('code', {}, id)) : h('bdi', {}, name))
export const titleText = ({ name, id }: Key) => (name === '' ? id : name)

const pathOf = ({ id }: Key, action: string) => `/keys/${encodeURIComponent(id)}/${action}`

function complaintOf(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): Child {
  if (answer.kind === 'offline') return t.failed
  if (answer.kind === 'token') return t.tokenWrong
  return fill(t.broken, { reason: h('bdi', { lang: 'en' }, answer.message) })
}

/** Opens a dialog whose form `send`s something, and closes it once that succeeded. */
function openForm<T>(
  title: Child,
  content: Child,
  go: { label: string; isStrong: boolean },
  send: (complain: (text: string) => void) => Promise<Answer<T>> | undefined,
  done: (data: T) => void,
): void {
  const complaint = h('p', { class: 'complaint', role: 'alert' })
  const submit = h('button', { class: `button${go.isStrong ? ' button-strong' : ' button-warn'}` }, go.label)
  const onsubmit = async (event: Event) => {
    event.preventDefault()
    replace(complaint)
    const sent = send(text => replace(complaint, text))
    if (sent === undefined) return
    // a second click must not create a second key
    submit.disabled = true
    const answer = await sent
    submit.disabled = false
    if (answer.kind !== 'ok') return replace(complaint, complaintOf(answer))
    dialog.close()
    done(answer.data)
  }
  // what cannot be undone is not done by Enter alone
  const cancel = h(
    'button',
    { type: 'button', class: 'button', autofocus: !go.isStrong, onclick: () => dialog.close() },
    t.cancel,
  )
  const dialog = h(
    'dialog',
    { class: 'notice', 'aria-labelledby': 'dialog-title', onclose: () => dialog.remove() },
    h('h2', { id: 'dialog-title' }, title),
    h('form', { class: 'dialog-form', onsubmit }, content, complaint, h('div', { class: 'ways' }, submit, cancel)),
  )
  document.body.append(dialog)
  dialog.showModal()
}

/** The only place where a key is shown; it leaves the page with the dialog. */
export function showNewKey(made: NewKey): void {
  const box = h(
    'code',
    { id: 'new-key', dir: 'ltr', tabindex: 0, role: 'textbox', 'aria-readonly': 'true', 'aria-labelledby': 'new-key-label' },
    made.key,
  )
  let isCopied = false
  const label = h('span', {}, t.copy)
  const copyIt = async () => {
    isCopied = await copy(made.key, undefined, dialog)
    label.textContent = isCopied ? t.copied : t.copyFailed
    announce(label.textContent)
    if (!isCopied) getSelection()?.selectAllChildren(box)
  }
  const dialog = h(
    'dialog',
    {
      class: 'notice',
      'aria-labelledby': 'dialog-title',
      // Escape would lose a key that nobody has copied
      oncancel: (event: Event) => {
        if (!isCopied) event.preventDefault()
      },
      onclose: () => dialog.remove(),
    },
    h('h2', { id: 'dialog-title' }, t.newKey),
    h('p', {}, titleOf(made), besideName(made)),
    h('p', {}, t.newKeyText),
    made.old_key_until && h('p', {}, fill(t.oldKeyWorks, { time: ltr(`${moment(made.old_key_until)} UTC`) })),
    h(
      'div',
      { class: 'dialog-form' },
      h('div', { class: 'field' }, h('span', { id: 'new-key-label', class: 'hint' }, t.newKeyLabel), box),
      h(
        'div',
        { class: 'ways' },
        h(
          'button',
          { type: 'button', class: 'button button-strong', autofocus: true, onclick: () => void copyIt() },
          icon('copy'),
          label,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, t.saved),
      ),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
}

const besideName = ({ name, id }: Key): Child => name !== '' && [' ', ltr(h('code', { class: 'hint' }, id))]

const field = (id: string, label: string, input: Child) => h('div', { class: 'field' }, h('label', { for: id }, label), input)

export function openCreate(changed: () => void): void {
  const name = h('input', { id: 'key-name', type: 'text', dir: 'auto', maxlength: 200, autocomplete: 'off', autofocus: true })
  const tier = h(
    'select',
    { id: 'key-tier' },
    Object.entries(TIERS).map(([one, [minute, day]]) =>
      h('option', { value: one }, fillText(t.tierText, { tier: one, minute: figure(minute), day: figure(day) })),
    ),
  )
  const expires = h('input', { id: 'key-expires', type: 'date', min: new Date().toISOString().slice(0, 10), lang })
  const limit = (id: string) =>
    h('input', { id, type: 'text', dir: 'ltr', inputmode: 'numeric', autocomplete: 'off', placeholder: t.ownHint })
  const [minute, day] = [limit('key-minute'), limit('key-day')]
  const unlimited = h('input', { id: 'key-unlimited', type: 'checkbox' })
  unlimited.addEventListener('change', () => {
    for (const one of [minute, day]) one.disabled = unlimited.checked
  })
  const limitOf = ({ value, disabled }: HTMLInputElement) => {
    const text = value.replaceAll(/[\s,]/g, '')
    if (disabled || text === '') return null
    return /^[0-9]{1,10}$/.test(text) && Number(text) <= LIMIT_MAX ? Number(text) : undefined
  }
  openForm<NewKey>(
    t.create,
    [
      field('key-name', t.name, name),
      field('key-tier', t.tier, tier),
      field('key-expires', t.expires, expires),
      h('div', { class: 'row limits' }, field('key-minute', t.ownMinute, minute), field('key-day', t.ownDay, day)),
      h('label', { class: 'choice' }, unlimited, h('span', {}, t.noLimits)),
    ],
    { label: t.createGo, isStrong: true },
    complain => {
      const [perMinute, perDay] = [limitOf(minute), limitOf(day)]
      if (perMinute === undefined || perDay === undefined) {
        complain(t.limitWrong)
        return undefined
      }
      return ask<NewKey>('/keys', {
        tier: tier.value,
        name: name.value.trim(),
        expires: expires.value === '' ? null : expires.value,
        per_minute: perMinute,
        per_day: perDay,
        unlimited: unlimited.checked,
      })
    },
    made => {
      changed()
      showNewKey(made)
    },
  )
}

export function openRotate(key: ListedKey, changed: () => void): void {
  const grace = h(
    'select',
    { id: 'grace' },
    Object.entries(t.graces).map(([value, text]) => h('option', { value }, text)),
  )
  openForm<NewKey>(
    fill(t.rotateTitle, { name: titleOf(key) }),
    [h('p', {}, t.rotateText), field('grace', t.grace, grace)],
    { label: t.rotate, isStrong: false },
    () => ask<NewKey>(pathOf(key, 'rotate'), grace.value === '' ? {} : { grace: grace.value }),
    made => {
      changed()
      showNewKey(made)
    },
  )
}

export function openRevoke(key: ListedKey, changed: () => void): void {
  openForm<Key>(
    fill(t.revokeTitle, { name: titleOf(key) }),
    h('p', {}, t.revokeText),
    { label: t.revokeGo, isStrong: false },
    () => ask<Key>(pathOf(key, 'revoke'), {}),
    ({ id }) => {
      changed()
      announce(fillText(t.revoked, { id }))
    },
  )
}
