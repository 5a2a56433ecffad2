/** An estimate for a country: every charge with its basis and source, then notes and warnings. */
import { useEffect } from 'preact/hooks'
import { announce } from '../shared/announce.js'
import { grouped, inCurrency } from '../text/amounts.js'
import { fillText } from '../text/written.js'
import { fill, Icon, leftToRight, showSource } from '../ui/parts.js'
import { useSurroundings, wordsIn } from '../ui/surroundings.js'
import { Amount, ExactSwitch, FigureList, type FigureRow, Minimum } from './figures.js'
import {
  appliedMinimum,
  type ExactCharge,
  type ExactEstimate,
  FIGURE_OF,
  isInputMissing,
  needsOf,
  readExact,
} from './shipment.js'

export function CountryEstimateView({ text }: { text: string }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const data = readExact(text)
  const { calculation, charges, warnings } = data
  const { currency } = calculation
  const parts: FigureRow[] =
    calculation.goods_value === undefined
      ? []
      : [
          { label: t.calcGoods, name: 'goods_value', figure: { exact: calculation.goods_value } },
          { label: t.calcFreight, name: 'freight', figure: { exact: calculation.freight ?? '0' } },
          { label: t.calcInsurance, name: 'insurance', figure: { exact: calculation.insurance ?? '0' } },
          { label: t.calcCif, name: 'declared_value', figure: { exact: calculation.declared_value } },
        ]
  const landed = { exact: calculation.landed_cost, sum: data.rounded.landed_cost }
  const sums: FigureRow[] = [
    {
      label: t.calcCharges,
      name: 'total_duties_taxes',
      figure: { exact: calculation.total_duties_taxes, sum: data.rounded.total_duties_taxes },
    },
    { label: t.calcLanded, name: 'landed_cost', figure: landed },
  ]
  const figures = [...parts, ...sums].map(({ figure }) => figure).concat(charges.map(({ amount }) => ({ exact: amount })))
  // the estimate is long, so only its last line is announced
  useEffect(() => announce(`${t.calcLanded} ${inCurrency(landed.sum, currency)}`), [text])
  return (
    <>
      {parts.length > 0 && <FigureList rows={parts} currency={currency} />}
      {charges.map((charge, at) => (
        <Charge key={`${charge.kind} ${at}`} name={`${charge.kind} ${at}`} charge={charge} currency={currency} />
      ))}
      <FigureList rows={sums} currency={currency} />
      <ExactSwitch figures={figures} currency={currency} />
      <ConvertedNote data={data} />
      <ParcelNote data={data} />
      <OriginNote data={data} />
      <Sentences name="calc-warnings" title={t.calcWarnings} list={warnings.map(warning => wordsIn(surroundings, warning))} />
      <LeftOut data={data} />
      <p class="hint">{t.calcEstimate}</p>
    </>
  )
}

/** Charges that the visitor has opened stay open for the next code. */
const opened = new Set<string>()

function Charge({ charge, name: key, currency }: { charge: ExactCharge; name: string; currency: string }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { kind, name, rate, unit, unit_amount } = charge
  const labels = {
    duty: t.calcDuty,
    excise: t.calcExcise,
    fee: name ? wordsIn(surroundings, name) : t.calcFees,
    vat: t.calcVatAmount,
  }
  const perUnit =
    unit !== null && unit_amount !== null && fill(t.calcUnit[unit] ?? '{amount}', { amount: leftToRight(unit_amount) })
  return (
    <details
      class="charge"
      data-charge={kind}
      open={opened.has(key)}
      onToggle={({ currentTarget: { open } }) => (open ? opened.add(key) : opened.delete(key))}
    >
      <summary>
        <span class="charge-name">
          <Icon name="chevron" />
          {labels[kind]}
          {appliedMinimum(charge) === null ? (
            <> {rate !== null ? leftToRight(`${rate} %`) : perUnit}</>
          ) : (
            <Minimum charge={charge} currency={currency} />
          )}
        </span>
        <span class="charge-amount" data-figure={FIGURE_OF[kind]}>
          <Amount figure={{ exact: charge.amount }} currency={currency} />
        </span>
      </summary>
      <div class="charge-how">
        {name && kind !== 'fee' && <p>{wordsIn(surroundings, name)}</p>}
        <Basis charge={charge} currency={currency} />
      </div>
    </details>
  )
}

function Basis({ charge, currency }: { charge: ExactCharge; currency: string }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { basis, unit, source, certainty, date } = charge
  const measured = `${grouped(basis)} ${unit === null ? currency : (t.calcQuantity[unit] ?? '')}`
  return (
    <>
      <p>{fill(t.calcBasis, { basis: <bdi>{measured}</bdi> })}</p>
      {source === null ? (
        <p>{t.calcOwnRate}</p>
      ) : (
        <p>
          {t.source}: {showSource(surroundings, source)}
          {date !== null && (
            <>
              {' '}
              <span>({fill(t.calcSince, { date: leftToRight(date) })})</span>
            </>
          )}
        </p>
      )}
      {certainty !== null && (
        <p>
          <b>{t.certainty[certainty] ?? certainty}</b> {t.certaintyText[certainty] ?? ''}
        </p>
      )}
    </>
  )
}

/** The landed cost in the country's currency, with the exchange rate. */
function ConvertedNote({ data: { converted } }: { data: ExactEstimate }) {
  const { t } = useSurroundings()
  if (converted === undefined) return null
  const { currency, rate, landed_cost } = converted
  const parts = { amount: leftToRight(inCurrency(landed_cost, currency)), rate: leftToRight(`${rate} ${currency}`) }
  return <p class="hint calc-converted">{fill(t.calcConverted, parts)}</p>
}

/** The country's rule for parcels, which the amounts do not take into account. */
function ParcelNote({ data: { threshold } }: { data: ExactEstimate }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  if (threshold === null) return null
  const { rule, source, certainty } = threshold
  return (
    <div class="calc-parcel">
      <p>{wordsIn(surroundings, rule)}</p>
      <p class="hint">
        {t.certainty[certainty] ?? certainty}. {t.source}: {showSource(surroundings, source)}
      </p>
    </div>
  )
}

export function OriginNote({ data: { origin } }: { data: Pick<ExactEstimate, 'origin'> }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  if (origin === null) return null
  const { agreement } = origin
  if (agreement === null) return <p class="hint">{t.calcNoAgreement}</p>
  const parts = { name: wordsIn(surroundings, agreement.name), proof: wordsIn(surroundings, agreement.proof) }
  return <p class="calc-origin">{fillText(t.calcAgreement[agreement.treatment] ?? '{name}', parts)}</p>
}

/** The API's text about a missing input names request parameters, so it is replaced by one that names the page's fields. */
function LeftOut({ data }: { data: ExactEstimate }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const needs = needsOf(data).sugar ? t.calcNeedsSugar : t.calcNeedsExcise
  const list = data.not_included.map(text => (isInputMissing(text) ? needs : wordsIn(surroundings, text)))
  return <Sentences name="calc-not-included" title={t.calcNotIncluded} list={list} />
}

function Sentences({ name, title, list }: { name: string; title: string; list: readonly string[] }) {
  if (list.length === 0) return null
  return (
    <section class={`calc-list ${name}`}>
      <h3>{title}</h3>
      <ul>
        {list.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}
