/** A link that carries a key: its sender must not decide which key a visitor uses, so the visitor is asked. */
import { checkKey } from '../data/api.js'
import { changeKey, hasKeptKey, isKept, mode, takeKeyFromAddress } from '../data/key.js'
import { fill, h } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { t } from '../shared/language.js'

/** Enough to tell it from another, not to use it. */
const shortened = (key: string) => `${key.slice(0, 10)}…${key.slice(-4)}`

/** Where visitors need no key, a link cannot give them one. */
async function isOpen(): Promise<boolean> {
  try {
    return (await mode()).mode === 'open'
  } catch {
    return false
  }
}

export async function offerKeyFromAddress(): Promise<void> {
  const key = takeKeyFromAddress()
  if (key !== null && !isKept(key) && !(await isOpen())) offer(key)
}

function offer(key: string): void {
  const complaint = h('p', { class: 'complaint', role: 'alert' })
  const accept = async () => {
    complaint.textContent = ''
    const verdict = await checkKey(key)
    if (!dialog.open) return
    if (verdict === 'wrong') complaint.textContent = t.keyWrong
    else if (verdict === 'expired') complaint.textContent = t.keyExpired
    else if (verdict === 'unchecked') complaint.textContent = t.keyUnchecked
    else {
      dialog.close()
      changeKey(key)
    }
  }
  const dialog = h(
    'dialog',
    { class: 'notice', 'aria-labelledby': 'key-offer', onclose: () => dialog.remove() },
    h('h2', { id: 'key-offer' }, t.keyOfferTitle),
    h('p', {}, fill(t.keyOfferText, { key: h('bdi', { class: 'code', dir: 'ltr' }, shortened(key)) })),
    hasKeptKey() && h('p', {}, t.keyOfferReplaces),
    complaint,
    h(
      'div',
      { class: 'ways' },
      button(t.keyGo, () => void accept(), { class: 'button button-strong' }),
      // the focus is here, so that Enter pressed by mistake changes nothing
      button(t.keyOfferNo, () => dialog.close(), { autofocus: true }),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
}
