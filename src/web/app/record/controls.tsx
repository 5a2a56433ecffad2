/** Import controls of a code, and the unit in which its quantity is declared. */
import { ControlItems, noControlsText, showKinds, Unit } from '../ui/controls.js'
import { showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

/** Shown at the top of a record: the unit, and each kind of control once. */
export function Facts({ record }: { record: WholeRecord }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { unit, controls } = record
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
        <dd>{kinds.length === 0 ? <span class="hint">{noControlsText(surroundings, record)}</span> : showKinds(t, kinds)}</dd>
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
