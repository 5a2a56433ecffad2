/** Dialogs: create, rotate and revoke a key, and show a new one once. */
import type { ComponentChildren, DialogHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../app/shared/announce.js'
import { copy } from '../app/shared/clipboard.js'
import { fillText } from '../app/text/written.js'
import { fill, Icon, leftToRight } from '../app/ui/parts.js'
import { type Answer, ask, type Key, type ListedKey, type NewKey } from './api.js'
import { figure, moment, useStrings } from './language.js'
import { newKeyIn, TIERS } from './new-key.js'
import { button, field, options } from './parts.js'
import type { AdminStrings } from './strings.js'

export type Opened = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: ListedKey } | { kind: 'made'; made: NewKey }
export type Open = (dialog: Opened) => void

interface Props {
  opened: Opened
  open: Open
  close: () => void
  /** Requests keys and figures again. */
  refresh: () => void
}

export const titleText = ({ name, id }: Key) => (name === '' ? id : name)
const titleOf = ({ name, id }: Key) => (name === '' ? leftToRight(<code>{id}</code>) : <bdi>{name}</bdi>)

export function KeyDialog({ opened, ...props }: Props) {
  const t = useStrings()
  if (opened.kind === 'made') return <MadeKey made={opened.made} close={props.close} />
  return <FormDialog form={formOf(t, opened)} {...props} />
}

interface Form {
  title: ComponentChildren
  fields: ComponentChildren
  go: string
  /** Whether the action destroys nothing, so that Enter alone may confirm it. */
  isHarmless: boolean
  /** Sends the form, or returns why it cannot be sent. */
  send: (form: FormData) => Promise<Answer<Key | NewKey>> | string
}

function formOf(t: AdminStrings, opened: Exclude<Opened, { kind: 'made' }>): Form {
  if (opened.kind === 'create') {
    const send = (form: FormData) => {
      const wanted = newKeyIn(form)
      return wanted === undefined ? t.limitWrong : ask<NewKey>('/keys', wanted)
    }
    return { title: t.create, fields: <CreateFields />, go: t.createGo, isHarmless: true, send }
  }
  const { kind, key } = opened
  const name = titleOf(key)
  const path = `/keys/${encodeURIComponent(key.id)}/${kind}`
  if (kind === 'revoke') {
    const title = fill(t.revokeTitle, { name })
    return { title, fields: <p>{t.revokeText}</p>, go: t.revokeGo, isHarmless: false, send: () => ask<Key>(path, {}) }
  }
  const grace = (
    <select id="grace" name="grace">
      {options(t.graces)}
    </select>
  )
  return {
    title: fill(t.rotateTitle, { name }),
    fields: [<p key="text">{t.rotateText}</p>, field('grace', t.grace, grace)],
    go: t.rotate,
    isHarmless: false,
    send: form => ask<NewKey>(path, form.get('grace') === '' ? {} : { grace: form.get('grace') }),
  }
}

const closeAround = (event: Event) => (event.currentTarget as Element).closest('dialog')?.close()

type DialogProps = Pick<DialogHTMLAttributes, 'onCancel' | 'onClose' | 'children'> & { title: ComponentChildren }

function Dialog({ title, children, ...on }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class="notice" aria-labelledby="dialog-title" {...on}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}

/** A dialog whose form sends a request; it closes when the request has succeeded. */
function FormDialog({ form, open, close, refresh }: Omit<Props, 'opened'> & { form: Form }) {
  const t = useStrings()
  const { title, fields, go, isHarmless, send } = form
  const [complaint, setComplaint] = useState<ComponentChildren>('')
  const [isSent, setSent] = useState(false)
  const submit = async (event: { currentTarget: HTMLFormElement; preventDefault: () => void }) => {
    event.preventDefault()
    const dialog = event.currentTarget.closest('dialog')
    const sent = send(new FormData(event.currentTarget))
    setComplaint(typeof sent === 'string' ? sent : '')
    if (typeof sent === 'string') return
    // a second click must not create a second key
    setSent(true)
    const answer = await sent
    setSent(false)
    if (answer.kind !== 'ok') return setComplaint(complaintOf(t, answer))
    dialog?.close()
    refresh()
    if ('key' in answer.data) open({ kind: 'made', made: answer.data })
    else announce(fillText(t.revoked, { id: answer.data.id }))
  }
  return (
    <Dialog title={title} onClose={close}>
      <form class="dialog-form" onSubmit={submit}>
        {fields}
        <p class="complaint" role="alert">
          {complaint}
        </p>
        <div class="ways">
          <button type="submit" class={`button ${isHarmless ? 'button-strong' : 'button-warn'}`} disabled={isSent}>
            {go}
          </button>
          {button(t.cancel, closeAround, { autofocus: !isHarmless })}
        </div>
      </form>
    </Dialog>
  )
}

function complaintOf(t: AdminStrings, answer: Exclude<Answer<unknown>, { kind: 'ok' }>): ComponentChildren {
  if (answer.kind === 'offline') return t.failed
  if (answer.kind === 'token') return t.tokenWrong
  return fill(t.broken, { reason: <bdi lang="en">{answer.message}</bdi> })
}

function CreateFields() {
  const t = useStrings()
  const [isUnlimited, setUnlimited] = useState(false)
  const text = (id: string, name: string) => ({ id, name, type: 'text', autocomplete: 'off' }) as const
  const own = { dir: 'ltr', inputmode: 'numeric', placeholder: t.ownHint, disabled: isUnlimited } as const
  const tiers = Object.entries(TIERS).map(([tier, [minute, day]]) => [
    tier,
    fillText(t.tierText, { tier, minute: figure(minute), day: figure(day) }),
  ])
  const tier = (
    <select id="key-tier" name="tier">
      {options(Object.fromEntries(tiers))}
    </select>
  )
  const today = new Date().toISOString().slice(0, 10)
  const choose = (event: { currentTarget: HTMLInputElement }) => setUnlimited(event.currentTarget.checked)
  return (
    <>
      {field('key-name', t.name, <input {...text('key-name', 'name')} dir="auto" maxlength={200} autofocus />)}
      {field('key-tier', t.tier, tier)}
      {field('key-expires', t.expires, <input id="key-expires" name="expires" type="date" min={today} />)}
      <div class="row limits">
        {field('key-minute', t.ownMinute, <input {...text('key-minute', 'per_minute')} {...own} />)}
        {field('key-day', t.ownDay, <input {...text('key-day', 'per_day')} {...own} />)}
      </div>
      <label class="choice">
        <input id="key-unlimited" name="unlimited" type="checkbox" onChange={choose} />
        <span>{t.noLimits}</span>
      </label>
    </>
  )
}

/** Attributes of the box with a new key. It is not an input, which would show only a part of a long key. */
const BOX = { dir: 'ltr', tabIndex: 0, role: 'textbox', 'aria-readonly': true, 'aria-labelledby': 'new-key-label' } as const

/** The only place where a key is shown. Closing the dialog removes it from the page. */
function MadeKey({ made, close }: { made: NewKey; close: () => void }) {
  const t = useStrings()
  const { key, name, id, old_key_until } = made
  const box = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState<boolean>()
  const copyKey = async () => {
    const isDone = await copy(key, undefined, box.current?.closest('dialog') ?? undefined)
    setCopied(isDone)
    announce(isDone ? t.copied : t.copyFailed)
    if (!isDone && box.current) getSelection()?.selectAllChildren(box.current)
  }
  // Escape would close the dialog before the visitor has copied the key
  const cancel = (event: Event) => {
    if (!isCopied) event.preventDefault()
  }
  const label = isCopied === undefined ? t.copy : isCopied ? t.copied : t.copyFailed
  const copyFace = [<Icon key="icon" name="copy" />, <span key="text">{label}</span>]
  return (
    <Dialog title={t.newKey} onCancel={cancel} onClose={close}>
      <p>
        {titleOf(made)}
        {name !== '' && [' ', leftToRight(<code class="hint">{id}</code>)]}
      </p>
      <p>{t.newKeyText}</p>
      {old_key_until && <p>{fill(t.oldKeyWorks, { time: leftToRight(`${moment(old_key_until)} UTC`) })}</p>}
      <div class="dialog-form">
        <div class="field">
          <span id="new-key-label" class="hint">
            {t.newKeyLabel}
          </span>
          <code ref={box} id="new-key" {...BOX}>
            {key}
          </code>
        </div>
        <div class="ways">
          {button(copyFace, copyKey, { class: 'button button-strong', autofocus: true })}
          {button(t.saved, closeAround)}
        </div>
      </div>
    </Dialog>
  )
}
