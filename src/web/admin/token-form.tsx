/** Asks for the admin token. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStrings } from './language.js'

export function TokenForm({ isWrong, enter }: { isWrong: boolean; enter: (token: string) => void }) {
  const t = useStrings()
  const input = useRef<HTMLInputElement>(null)
  const box = { type: 'password', dir: 'ltr', autocomplete: 'off', spellcheck: false } as const
  const [complaint, setComplaint] = useState(isWrong ? t.tokenWrong : '')
  const focus = () => input.current?.focus()
  useEffect(focus, [])
  const submit = (event: Event) => {
    event.preventDefault()
    const token = input.current?.value ?? ''
    if (token !== '') return enter(token)
    setComplaint(t.tokenMissing)
    focus()
  }
  return (
    <section class="notice" data-state="token">
      <h2>{t.tokenTitle}</h2>
      <p>{t.tokenText}</p>
      <form class="key-form" onSubmit={submit}>
        <label for="token">{t.tokenLabel}</label>
        <div class="row">
          <input ref={input} id="token" {...box} aria-describedby="token-complaint" />
          <button type="submit" class="button button-strong">
            {t.tokenGo}
          </button>
        </div>
        <p class="complaint" id="token-complaint" role="alert">
          {complaint}
        </p>
      </form>
    </section>
  )
}
