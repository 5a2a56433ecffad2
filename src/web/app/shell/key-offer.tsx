/** Asks the visitor before using a key from a link: the sender must not decide which key a visitor uses. */
import { render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { checkKey } from '../data/api.js'
import { changeKey, hasKeptKey, isKept, mode, takeKeyFromAddress } from '../data/key.js'
import { mounted } from '../shared/mounted.js'
import { Button } from '../shared/notices.js'
import { fill } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'

/** Long enough to recognise the key, too short to use it. */
const shortened = (key: string) => `${key.slice(0, 10)}…${key.slice(-4)}`

/** Whether visitors need no key; then a key in a link is ignored. */
async function isOpen(): Promise<boolean> {
  try {
    return (await mode()).mode === 'open'
  } catch {
    return false
  }
}

export async function offerKeyFromAddress(): Promise<void> {
  const key = takeKeyFromAddress()
  if (key === null || isKept(key) || (await isOpen())) return
  const host = mounted(<KeyOffer offered={key} end={() => end()} />)
  const end = () => {
    render(null, host)
    host.remove()
  }
  document.body.append(host)
  host.querySelector('dialog')?.showModal()
}

function KeyOffer({ offered, end }: { offered: string; end: () => void }) {
  const { t } = useSurroundings()
  const dialog = useRef<HTMLDialogElement>(null)
  const [complaint, setComplaint] = useState('')
  const close = () => dialog.current?.close()
  const accept = async () => {
    setComplaint('')
    const verdict = await checkKey(offered)
    if (!dialog.current?.open) return
    if (verdict !== 'good') return setComplaint({ wrong: t.keyWrong, expired: t.keyExpired, unchecked: t.keyUnchecked }[verdict])
    close()
    changeKey(offered)
  }
  return (
    <dialog ref={dialog} class="notice" aria-labelledby="key-offer" onClose={end}>
      <h2 id="key-offer">{t.keyOfferTitle}</h2>
      <p>
        {fill(t.keyOfferText, {
          key: (
            <bdi class="code" dir="ltr">
              {shortened(offered)}
            </bdi>
          ),
        })}
      </p>
      {hasKeptKey() && <p>{t.keyOfferReplaces}</p>}
      <p class="complaint" role="alert">
        {complaint}
      </p>
      <div class="ways">
        <Button isStrong onClick={() => void accept()}>
          {t.keyGo}
        </Button>
        {/* this button has the focus, so that Enter pressed by mistake changes nothing */}
        <button type="button" class="button" autofocus onClick={close}>
          {t.keyOfferNo}
        </button>
      </div>
    </dialog>
  )
}
