/** Import controls of a code, and the unit in which its quantity is declared. */
import type { Control } from '../../../answers/shapes.js'
import type { Strings } from '../text/strings.js'
import { fillText } from '../text/written.js'
import { leftToRight, showSource, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

/** In the head of a record: the unit, and each kind of control once. */
export function Facts({ record: { level, rate, unit, controls, countries } }: { record: WholeRecord }) {
  const surroundings = useSurroundings()
  const { t, longestLine } = surroundings
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
          {unit === null ? (
            <span class="hint">{t.unitDiffers}</span>
          ) : (
            <>
              {showWords(surroundings, unit.name)} <span class="hint">({leftToRight(unit.code)})</span>
            </>
          )}{' '}
          {unit?.certainty === 'assumed' && <span class="hint">{t.unitAssumed}</span>}
        </dd>
      </div>
      <div>
        <dt>{t.controlsTitle}</dt>
        <dd>{kinds.length === 0 ? <span class="hint">{none()}</span> : showKinds(t, kinds)}</dd>
      </div>
    </dl>
  )
}

export const showKinds = (t: Strings, kinds: readonly Control['kind'][]) =>
  kinds.map(kind => (
    <span key={kind} class={`badge control-${kind}`}>
      {t.controlKinds[kind]}
    </span>
  ))

export function ControlList({ controls: { items, note } }: { controls: WholeRecord['controls'] }) {
  const surroundings = useSurroundings()
  return (
    <>
      <ul class="controls">
        {items.map(control => (
          <Item key={`${control.scope} ${control.kind} ${control.reason.en}`} control={control} />
        ))}
      </ul>
      <p class="hint">{showWords(surroundings, note)}</p>
    </>
  )
}

function Item({ control: { kind, scope, authority, reason, source, date, certainty } }: { control: Control }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  return (
    <li>
      <p class="control-head">
        {showKinds(t, [kind])}
        <b>{scope === 'GCC' ? t.controlsGcc : (t.countries[scope] ?? scope)}</b>
        {authority !== null && (
          <span>
            <span lang="en" dir="ltr">
              {authority}
            </span>
          </span>
        )}
      </p>
      <p>{showWords(surroundings, reason)}</p>
      <p class="note-number">
        {t.controlCertainty[certainty]}
        {' · '}
        {showSource(surroundings, source)}
        {' · '}
        {leftToRight(date)}
      </p>
    </li>
  )
}
