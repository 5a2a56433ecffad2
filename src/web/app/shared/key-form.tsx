/** Asks the visitor for a key. */
import { useRef, useState } from 'preact/hooks'
import { changeKey, keptKey } from '../data/key.js'
import { useSurroundings } from '../ui/surroundings.js'

const SHAPE = /^hs_\S+$/

export function KeyForm({ reason }: { reason: 'missing' | 'wrong' | 'expired' }) {
  const { t } = useSurroundings()
  const input = useRef<HTMLInputElement>(null)
  const [complaint, setComplaint] = useState({ missing: '', wrong: t.keyWrong, expired: t.keyExpired }[reason])
  const submit = (event: Event) => {
    event.preventDefault()
    const key = input.current?.value.trim() ?? ''
    if (SHAPE.test(key)) return changeKey(key)
    setComplaint(t.keyShape)
    input.current?.focus()
  }
  return (
    <section class="notice notice-key" data-state="key">
      <h2>{t.keyTitle}</h2>
      <p>{t.keyText}</p>
      <form class="key-form" onSubmit={submit}>
        <label for="key">{t.keyLabel}</label>
        <div class="row">
          <input
            ref={input}
            id="key"
            name="key"
            type="text"
            dir="ltr"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="hs_…"
            aria-describedby="key-complaint"
            aria-invalid={reason !== 'missing'}
            // keep a refused key in the field, so that it can be corrected
            defaultValue={reason === 'missing' ? '' : (keptKey() ?? '')}
          />
          <button type="submit" class="button button-strong">
            {t.keyGo}
          </button>
        </div>
        <p class="complaint" id="key-complaint" role="alert">
          {complaint}
        </p>
      </form>
    </section>
  )
}
