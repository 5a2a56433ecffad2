/** Small buttons that choose a code for the comparison. */
import { useEffect, useState } from 'preact/hooks'
import { COMPARED_MAX, compared, KEPT_CHANGED, type KeptCode, toggleCompared } from '../data/kept-codes.js'
import { announce } from '../shared/announce.js'
import { fillText } from '../text/written.js'
import { Icon } from '../ui/parts.js'
import type { Surroundings } from '../ui/surroundings.js'

const chosen = () => new Set(compared.all().map(({ hs_code }) => hs_code))

/** A list reads the kept codes once for all its buttons. */
export function useChosen(): ReadonlySet<string> {
  const [now, setNow] = useState(chosen)
  useEffect(() => {
    const changed = () => setNow(chosen())
    window.addEventListener(KEPT_CHANGED, changed)
    window.addEventListener('storage', changed)
    return () => {
      window.removeEventListener(KEPT_CHANGED, changed)
      window.removeEventListener('storage', changed)
    }
  }, [])
  return now
}

export function showPick({ t }: Surroundings, one: KeptCode, isOn: boolean) {
  const label = fillText(t.comparePick, { code: one.hs_code })
  const press = () => {
    if (!toggleCompared(one)) announce(t.compareFull(COMPARED_MAX))
  }
  return (
    <button
      type="button"
      class="pick"
      data-pick={one.hs_code}
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={press}
    >
      <Icon name="compare" />
    </button>
  )
}
