/** Other shipments that this browser stores, and stored work of the former pages. */
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { Offer, Work } from './kept.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Shipment } from './state.js'

const NAMED = 3
const CHARS = 40

/** The first codes or words, by which the visitor recognises a shipment. */
function nameOf({ rows }: Shipment): string {
  const names = rows.map(({ text }) => (text.code.trim() || text.words.trim()).slice(0, CHARS)).filter(name => name !== '')
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ' …' : '')
}

interface Props {
  others: readonly Work[]
  former: readonly Offer[]
  isLink: boolean
  open: (work: Work) => void
  remove: (work: Work) => void
  openFormer: (offer: Offer) => void
  settleFormer: () => void
}

export function OtherWorks({ others, former, isLink, open, remove, openFormer, settleFormer }: Props) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const time = new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short' })
  const named = (shipment: Shipment, savedMs: number) => (
    <span>
      {s.keptRows(shipment.rows.length, time.format(savedMs))} <bdi>{nameOf(shipment)}</bdi>
    </span>
  )
  return (
    <div role="status">
      {former.length > 0 && (
        <section class="ship-others ship-former">
          <h2>{s.oldTitle}</h2>
          <p class="hint">{s.oldText}</p>
          <ul>
            {former.map(offer => (
              <li key={offer.savedMs}>
                {named(offer.shipment, offer.savedMs)}
                <button type="button" class="button" onClick={() => openFormer(offer)}>
                  {s.openKept}
                </button>
              </li>
            ))}
          </ul>
          <div class="row">
            <button type="button" class="button" onClick={settleFormer}>
              {s.oldNo}
            </button>
          </div>
        </section>
      )}
      {others.length > 0 && (
        <section class="ship-others">
          <p>{isLink ? s.fromLink : s.alsoKept}</p>
          <ul>
            {others.map(work => (
              <li key={work.id}>
                {named(work.shipment, work.savedMs)}
                <button type="button" class="button" onClick={() => open(work)}>
                  {s.openKept}
                </button>
                <button type="button" class="quiet square" aria-label={s.removeKept} onClick={() => remove(work)}>
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
