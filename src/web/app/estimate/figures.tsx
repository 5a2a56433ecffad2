/** Amounts of an estimate, rounded to the currency's decimals or exact. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { grouped, inCurrency, placesOf, rounded } from '../text/amounts.js'
import { fill, leftToRight } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { appliedMinimum, type WithMinimum } from './shipment.js'

/** Whether amounts show all digits. The choice stays for the next code. */
const isExact = signal(false)

export interface Figure {
  exact: string
  /** Only for a total of amounts that were rounded first: the sum of the rounded amounts. */
  sum?: string
}

function hasMore({ exact, sum = exact }: Figure, places: number): boolean {
  return (exact.split('.')[1]?.length ?? 0) > places || rounded(exact, places) !== rounded(sum, places)
}

export function Amount({ figure, currency }: { figure: Figure; currency: string }) {
  const places = placesOf(currency)
  const shown = isExact.value && hasMore(figure, places) ? figure.exact : rounded(figure.sum ?? figure.exact, places)
  return (
    <bdi dir="ltr">
      <span>{grouped(shown)}</span>
      <small>{currency}</small>
    </bdi>
  )
}

export interface FigureRow {
  label: ComponentChildren
  /** Name of the amount in `calculation`. */
  name: string
  figure: Figure
}

export function FigureList({ rows, currency }: { rows: readonly FigureRow[]; currency: string }) {
  return (
    <dl>
      {rows.map(({ label, name, figure }, at) => (
        <div key={at} class={name === 'landed_cost' ? 'landed' : undefined}>
          <dt>{label}</dt>
          <dd data-figure={name}>
            <Amount figure={figure} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Switches to exact amounts; shown only if rounding hides digits of `figures`. */
export function ExactSwitch({ figures, currency }: { figures: readonly Figure[]; currency: string }) {
  const { t } = useSurroundings()
  const places = placesOf(currency)
  if (!figures.some(figure => hasMore(figure, places))) return null
  return (
    <div class="ways">
      <button type="button" class="button" aria-pressed={isExact.value} onClick={() => (isExact.value = !isExact.value)}>
        {t.calcExact}
      </button>
    </div>
  )
}

/** " 0.15 %, minimum 15.00 SAR"; nothing if the minimum was not charged. */
export function Minimum({ charge, currency }: { charge: WithMinimum; currency: string }) {
  const { t } = useSurroundings()
  const minimum = appliedMinimum(charge)
  if (minimum === null) return null
  const parts = { rate: leftToRight(`${charge.rate} %`), amount: leftToRight(inCurrency(minimum, currency)) }
  return <small class="minimum"> {fill(t.calcMinimum, parts)}</small>
}
