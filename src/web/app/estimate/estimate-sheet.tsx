/** The calculator's estimate as a printed sheet. Loaded when a visitor prints it. */
import type { ComponentChildren, VNode } from 'preact'
import type { Control, Description, TariffEstimate } from '../../../answers/shapes.js'
import type { Code } from '../data/api.js'
import { grouped, inCurrency } from '../text/amounts.js'
import { sumOf } from '../text/decimals.js'
import { showCode, showIn } from '../ui/parts.js'
import {
  amountTable,
  both,
  countryName,
  type Fact,
  factTable,
  filled,
  inline,
  leftToRight,
  money,
  own,
  regionName,
  Sources,
  sentences,
  sheet,
  stacked,
  sumTable,
} from './sheet.js'
import { appliedMinimum, type ExactCharge, type ExactEstimate, isInputMissing, needsOf, readExact } from './shipment.js'

const HEAD = [own('charge'), own('basis'), own('rate'), own('amount')]

export function chargeName({ kind, name }: Pick<ExactCharge, 'kind' | 'name'>): Description {
  if (kind === 'fee' && name) return name
  const words = {
    duty: both('calcDuty'),
    excise: both('calcExcise'),
    fee: both('calcFees'),
    vat: both('calcVatAmount'),
  }[kind]
  return name ? { en: `${words.en} (${name.en})`, ar: `${words.ar} (${name.ar})` } : words
}

/** Null if the minimum was not charged. */
export function minimumText(charge: ExactCharge, currency: string): Description | null {
  const minimum = appliedMinimum(charge)
  if (minimum === null) return null
  const amount = inCurrency(minimum, currency)
  return filled(own('minimum'), { rate: `${charge.rate} %`, amount })
}

function rateOf(charge: ExactCharge, currency: string): ComponentChildren {
  const { rate, unit, unit_amount } = charge
  const minimum = minimumText(charge, currency)
  if (minimum !== null) return stacked(minimum)
  if (rate !== null) return leftToRight(`${rate} %`)
  if (unit === null || unit_amount === null) return inline(own('flat'))
  const per = own(words => words.perUnit[unit] ?? '')
  return stacked({ en: `${unit_amount} ${per.en}`, ar: `${unit_amount} ${per.ar}` })
}

function basisOf({ basis, unit }: ExactCharge, currency: string): ComponentChildren {
  if (unit === null) return money(basis, currency)
  const units = own(words => words.units[unit] ?? '')
  return stacked({ en: `${grouped(basis)} ${units.en}`, ar: `${grouped(basis)} ${units.ar}` })
}

const chargeRow = (charge: ExactCharge, currency: string, sources: Sources): ComponentChildren[] => [
  [inline(chargeName(charge)), sources.mark(charge.source)],
  basisOf(charge, currency),
  rateOf(charge, currency),
  money(charge.amount, currency),
]

const chargeTable = (charges: readonly ExactCharge[], currency: string, sources: Sources) =>
  amountTable(
    'sheet-charges',
    HEAD,
    1,
    charges.map(charge => chargeRow(charge, currency, sources)),
  )

/**
 * The charges and reliefs that the amounts leave out. A reader of the printed sheet cannot fill in a missing value, so the text
 * says that the value was not given.
 */
export function leftOut(data: ExactEstimate): Description[] {
  const { sugar } = needsOf(data)
  const needs = own(words => (sugar ? words.needsSugar : words.needsQuantity))
  return data.not_included.map(text => (isInputMissing(text) ? needs : text))
}

export function agreementText({ origin }: ExactEstimate): Description | null {
  if (origin === null) return null
  const { agreement } = origin
  // a warning already says this
  if (agreement?.treatment === 'doubtful') return null
  if (agreement === null) return both('calcNoAgreement')
  return filled(
    both(words => words.calcAgreement[agreement.treatment] ?? '{name}'),
    { name: agreement.name, proof: agreement.proof },
  )
}

function forCountry(text: string, sugar: string, currency: string, sources: Sources): ComponentChildren[] {
  const data = readExact(text)
  const { calculation, rounded, charges, threshold } = data
  const agreement = agreementText(data)
  const warnings = [...(agreement ? [agreement] : []), ...(threshold ? [threshold.rule] : []), ...data.warnings]
  const parts: (Fact | null)[] =
    calculation.goods_value === undefined
      ? []
      : [
          { label: both('calcGoods'), value: money(calculation.goods_value, currency) },
          { label: both('calcFreight'), value: money(calculation.freight ?? '0', currency) },
          { label: both('calcInsurance'), value: money(calculation.insurance ?? '0', currency) },
        ]
  return [
    factTable([
      data.origin && { label: both('calcOrigin'), value: inline(regionName(data.origin.country)) },
      ...parts,
      { label: both('calcCif'), value: money(calculation.declared_value, currency) },
      needsOf(data).sugar && sugar !== '' ? { label: own('sugar'), value: leftToRight(sugar) } : null,
    ]),
    chargeTable(charges, currency, sources),
    sums(rounded.total_duties_taxes, rounded.landed_cost, currency, true),
    sentences(both('calcWarnings'), warnings),
    sentences(both('calcNotIncluded'), leftOut(data)),
  ]
}

function byCommonTariff(one: Code, text: string, currency: string, sources: Sources): ComponentChildren[] {
  const { calculation } = readExact<TariffEstimate>(text)
  const { declared_value: value, import_duty_amount: duty } = calculation
  const charge = (kind: 'duty' | 'vat', basis: string, rate: string, amount: string, source: string | null): ExactCharge => {
    return {
      kind,
      name: null,
      rate,
      unit_amount: null,
      unit: null,
      unit_unece: null,
      minimum: null,
      maximum: null,
      basis,
      amount,
      source,
      certainty: null,
      date: null,
    }
  }
  const charges = [
    charge('duty', value, calculation.import_duty_rate, duty, one.rate?.source ?? null),
    charge('vat', sumOf([value, duty]), calculation.vat_rate, calculation.vat_amount, null),
  ]
  const { min = 0, max = 0, status } = one.rate ?? {}
  const ranges = filled(own('ranges'), { from: String(min), to: String(max) })
  return [
    factTable([{ label: both('calcCif'), value: money(value, currency) }]),
    chargeTable(charges, currency, sources),
    sums(calculation.total_duties_taxes, calculation.landed_cost, currency, false),
    sentences(both('calcWarnings'), [...(min === max ? [] : [ranges]), ...(status === 'prohibited' ? [own('prohibited')] : [])]),
    sentences(both('calcNotIncluded'), [own('noDestination'), own('exemptions')]),
  ]
}

function sums(total: string, landed: string, currency: string, hasFees: boolean): VNode {
  return sumTable([
    { label: both(words => (hasFees ? words.calcCharges : words.calcTotal)), amount: money(total, currency) },
    {
      label: both('calcLanded'),
      amount: (
        <b>
          {money(landed, currency)} {currency}
        </b>
      ),
    },
  ])
}

export function controlText({ kind, authority, reason }: Control): Description {
  const kinds = both(words => words.controlKinds[kind] ?? kind)
  const by = authority === null ? '' : ` (${authority})`
  return { en: `${kinds.en}: ${reason.en}${by}`, ar: `${kinds.ar}: ${reason.ar}${by}` }
}

interface Estimate {
  /** '' for the common tariff. */
  country: string
  /** Text of the API's answer. */
  text: string
  /** As typed; the answer does not contain it. */
  sugar: string
  address: string
}

export function estimateSheet(one: Code, { country, text, sugar, address }: Estimate): Promise<VNode> {
  const { currency } = readExact<TariffEstimate>(text).calculation
  const sources = new Sources()
  const amounts = country === '' ? byCommonTariff(one, text, currency, sources) : forCountry(text, sugar, currency, sources)
  const { description } = one
  return sheet(
    { title: own('estimateTitle'), address },
    factTable([
      { label: own('code'), value: <b>{showCode(one.hs_code)}</b> },
      {
        label: own('description'),
        value: (
          <>
            <div>{showIn('en', description.en)}</div>
            <div dir="rtl">{showIn('ar', description.ar)}</div>
          </>
        ),
      },
      { label: both('calcDestination'), value: inline(countryName(country)) },
      { label: own('currency'), value: leftToRight(currency) },
    ]),
    amounts,
    sentences(both('controlsTitle'), (one.controls?.items ?? []).map(controlText)),
    sources.view(),
  )
}
