/** An estimate by the common tariff: duty and VAT. */
import type { ComponentChildren } from 'preact'
import type { TariffEstimate } from '../../../answers/shapes.js'
import { fill, leftToRight } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { ExactSwitch, FigureList, type FigureRow } from './figures.js'
import { readExact } from './shipment.js'

export function CommonEstimate({ text }: { text: string }) {
  const { t } = useSurroundings()
  const { calculation, notes } = readExact<TariffEstimate>(text)
  const { currency } = calculation
  const withRate = (label: string, rate: string) => [label, ' ', leftToRight(`${rate} %`)]
  const row = (label: ComponentChildren, name: keyof typeof calculation): FigureRow => ({
    label,
    name,
    figure: { exact: calculation[name] },
  })
  const rows = [
    row(withRate(t.calcDuty, calculation.import_duty_rate), 'import_duty_amount'),
    row(withRate(t.calcVatAmount, calculation.vat_rate), 'vat_amount'),
    row(t.calcTotal, 'total_duties_taxes'),
    row(t.calcLanded, 'landed_cost'),
  ]
  // regexp-ignore: dataset text, our own notes
  const range = /carry ([\d.]+) to ([\d.]+) percent/.exec(notes)
  return (
    <>
      <FigureList rows={rows} currency={currency} />
      <ExactSwitch figures={rows.map(({ figure }) => figure)} currency={currency} />
      {range && <p class="warning">{fill(t.rateRange, { from: range[1], to: range[2] })}</p>}
      <p class="hint">{t.calcNote}</p>
    </>
  )
}
