/** In the head of a record: the unit, and each kind of control once. */
import { KindBadge, Unit } from '../ui/controls.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

export function Facts({ record: { level, rate, unit, controls } }: { record: WholeRecord }) {
  const { t, longestLine } = useSurroundings()
  const none = level < longestLine ? t.controlsByLine : rate.country === undefined ? t.controlsByCountry : t.controlsNone
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
        <dd>{kinds.length === 0 ? <span class="hint">{none}</span> : kinds.map(kind => <KindBadge key={kind} kind={kind} />)}</dd>
      </div>
    </dl>
  )
}
