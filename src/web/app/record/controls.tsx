/** Import controls of a code, and the unit in which its quantity is declared. */
import { fillText } from '../text/written.js'
import { ControlItems, showKinds, Unit } from '../ui/controls.js'
import { showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

/** In the head of a record: the unit, and each kind of control once. */
export function Facts({ record: { level, rate, unit, controls, countries } }: { record: WholeRecord }) {
  const { t, longestLine } = useSurroundings()
  const elsewhere = countries.filter(({ controls }) => controls.length > 0).map(({ country }) => t.countries[country] ?? country)
  const none = () => {
    if (elsewhere.length > 0 && rate.country === undefined)
      return fillText(t.controlsByCountry, { countries: elsewhere.join(t.comma) })
    return level < longestLine ? t.controlsByLine : t.controlsNone
  }
  const kinds = [...new Set(controls.items.map(({ kind }) => kind))]
  return (
    <dl class="facts">
      <div>
        <dt>{t.unitTitle}</dt>
        <dd>
          <Unit unit={unit} />
        </dd>
      </div>
      <div>
        <dt>{t.controlsTitle}</dt>
        <dd>{kinds.length === 0 ? <span class="hint">{none()}</span> : showKinds(t, kinds)}</dd>
      </div>
    </dl>
  )
}

export function ControlList({ controls: { items, note } }: { controls: WholeRecord['controls'] }) {
  const surroundings = useSurroundings()
  return (
    <>
      <ControlItems items={items} />
      <p class="hint">{showWords(surroundings, note)}</p>
    </>
  )
}
