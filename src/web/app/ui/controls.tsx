/** Import controls of goods, and the unit in which their quantity is declared. */
import type { Control, HsRecord, LookupExtras } from '../../../answers/shapes.js'
import type { Strings } from '../text/strings.js'
import { fillText } from '../text/written.js'
import { leftToRight, showSource, showWords } from './parts.js'
import { type Surroundings, useSurroundings } from './surroundings.js'

export function Unit({ unit }: { unit: LookupExtras['unit'] }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  return (
    <>
      {unit === null ? (
        <span class="hint">{t.unitDiffers}</span>
      ) : (
        <>
          {showWords(surroundings, unit.name)}{' '}
          <span class="hint">
            ({leftToRight(unit.code)}
            {unit.unece !== null && [t.comma, leftToRight(`UN/ECE ${unit.unece}`)]})
          </span>
        </>
      )}{' '}
      {unit?.certainty === 'assumed' && <span class="hint">{t.unitAssumed}</span>}
    </>
  )
}

export const showKinds = (t: Strings, kinds: readonly Control['kind'][]) =>
  kinds.map(kind => (
    <span key={kind} class={`badge control-${kind}`}>
      {t.controlKinds[kind]}
    </span>
  ))

/** "No control listed" would be misleading if lines or countries have controls; the text then says which. */
export function noControlsText(
  { t, longestLine }: Surroundings,
  record: HsRecord & Pick<LookupExtras, 'rate' | 'countries'>,
): string {
  const { level, rate, countries } = record
  const controlled = countries.filter(({ controls }) => controls.length > 0).map(({ country }) => t.countries[country] ?? country)
  if (controlled.length > 0 && rate.country === undefined)
    return fillText(t.controlsByCountry, { countries: controlled.join(t.comma) })
  return level < longestLine ? t.controlsByLine : t.controlsNone
}

export function ControlItems({ items }: { items: readonly Control[] }) {
  return (
    <ul class="controls">
      {items.map(control => (
        <Item key={`${control.scope} ${control.kind} ${control.reason.en}`} control={control} />
      ))}
    </ul>
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
