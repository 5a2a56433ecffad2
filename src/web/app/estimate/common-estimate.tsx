/** An estimate by the common tariff: duty and VAT. */
import type { TariffEstimate } from '../../../answers/shapes.js'
import { fill, leftToRight } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { Amount, ExactSwitch } from './figures.js'
import { readExact } from './shipment.js'

export function CommonEstimate({ text }: { text: string }) {
  const { t } = useSurroundings()
  const { calculation, notes } = readExact<TariffEstimate>(text)
  const { currency } = calculation
  const rows = [
    { label: t.calcDuty, name: 'import_duty_amount', rate: calculation.import_duty_rate },
    { label: t.calcVatAmount, name: 'vat_amount', rate: calculation.vat_rate },
    { label: t.calcTotal, name: 'total_duties_taxes' },
    { label: t.calcLanded, name: 'landed_cost' },
  ] as const
  // regexp-ignore: dataset text, notes of ours
  const range = /carry ([\d.]+) to ([\d.]+) percent/.exec(notes)
  return (
    <>
      <dl>
        {rows.map(({ label, name, ...row }) => (
          <div key={name} class={name === 'landed_cost' ? 'landed' : undefined}>
            <dt>
              {label}
              {'rate' in row && <> {leftToRight(`${row.rate} %`)}</>}
            </dt>
            <dd data-figure={name}>
              <Amount figure={{ exact: calculation[name] }} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      <ExactSwitch figures={rows.map(({ name }) => ({ exact: calculation[name] }))} currency={currency} />
      {range && <p class="warning">{fill(t.rateRange, { from: range[1], to: range[2] })}</p>}
      <p class="hint">{t.calcNote}</p>
    </>
  )
}
