/** Buttons that star a code or add it to the comparison. */
import { useState } from 'preact/hooks'
import { COMPARED_MAX, compared, type KeptCode, starred, toggleCompared } from '../data/kept-codes.js'
import { fillText } from '../text/written.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { announce } from './announce.js'
import { CompareLink } from './compare-link.js'

export function StarButton({ one }: { one: KeptCode }) {
  const { t } = useSurroundings()
  const isOn = starred.has(one.hs_code)
  return (
    <button
      type="button"
      class="button"
      data-keep="star"
      aria-pressed={isOn}
      onClick={() => (isOn ? starred.remove(one.hs_code) : starred.add(one))}
    >
      <Icon name="star" />
      <span>{isOn ? t.starred : t.star}</span>
    </button>
  )
}

/** Buttons of a record. A link to the comparison appears once the code is in it, or if the comparison is full. */
export function KeepButtons({ one }: { one: KeptCode }) {
  const { t } = useSurroundings()
  const [isRefused, setRefused] = useState(false)
  const isOn = compared.has(one.hs_code)
  const isFull = isRefused && !isOn && compared.isFull()
  return (
    <div class="code-actions">
      <StarButton one={one} />
      <button
        type="button"
        class="button"
        data-keep="compare"
        aria-pressed={isOn}
        onClick={() => setRefused(!toggleCompared(one))}
      >
        <Icon name="compare" />
        <span>{isOn ? t.compared : t.compareAdd}</span>
      </button>
      {isFull && (
        <span class="hint" role="status">
          {t.compareFull(COMPARED_MAX)}
        </span>
      )}
      {(isOn || isFull) && <CompareLink />}
    </div>
  )
}

/** The small button in a row of a list. */
export function PickButton({ one }: { one: KeptCode }) {
  const { t } = useSurroundings()
  const label = fillText(t.comparePick, { code: one.hs_code })
  const pick = () => {
    if (!toggleCompared(one)) announce(t.compareFull(COMPARED_MAX))
  }
  return (
    <button
      type="button"
      class="pick"
      data-pick={one.hs_code}
      aria-pressed={compared.has(one.hs_code)}
      aria-label={label}
      title={label}
      onClick={pick}
    >
      <Icon name="compare" />
    </button>
  )
}
