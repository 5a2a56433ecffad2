/** Schemas and parameters of an estimate for a country. */
import * as limits from '../limits.js'
import { APPLIES, COUNTRY_CODES, TAX_UNITS, TREATMENTS } from '../snapshot/country-format.js'
import { CONTROL_KINDS } from '../snapshot/format.js'
import { LEFT_OUT, WARNINGS } from '../warnings.js'
import { country } from './country-parameters.js'
import { included } from './include-schemas.js'
import { query } from './operations.js'
import {
  amount,
  boolean,
  type Json,
  list,
  number,
  object,
  patterned,
  percentage,
  ref,
  string,
  stringOrNull,
  unece,
} from './schema-parts.js'

const ISO = '^[A-Za-z]{2}$'
const amountOrNull: Json = { type: ['number', 'null'] }
const charge = number(0, Number(limits.VALUE_MAX))

const ORIGIN = 'Country of origin, an ISO code: a trade agreement with it may lower the duty'
const FREIGHT = 'Freight to the border; value is then the value of the goods alone'
const QUANTITY = 'Quantity of the goods, for excise charged by litre, piece or gram'
const SUGAR = 'Grams of sugar per 100 ml, for excise on drinks'

export const INCLUDE_EXACT = 'exact: adds the amounts as decimal strings, which keep every digit'
export const EXACT = 'With include=exact: the amounts of calculation as decimal strings'
export const EXACT_TOTALS = 'With include=exact: the amounts of totals as decimal strings'

/** Schema of amounts as decimal strings. */
export const asText = (amounts: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(Object.keys(amounts).map(name => [name, patterned('^[0-9]+(?:\\.[0-9]+)?$')]))

export const shipmentParameters: readonly Json[] = [
  ...country,
  query('origin', patterned(ISO), `${ORIGIN}. Needs country, as do freight, insurance, quantity, unit, sugar and convert`, 'CN'),
  query('freight', charge, FREIGHT),
  query('insurance', charge, 'Insurance of the transport'),
  query('quantity', charge, QUANTITY),
  query('unit', { type: 'string', enum: TAX_UNITS }, 'Unit of quantity: l (litres), u (pieces), g (grams)'),
  query('sugar', number(0, limits.SUGAR_MAX), SUGAR),
  query(
    'convert',
    { type: 'string', enum: ['1', 'true', '0', 'false'] },
    "Adds the amounts in the country's currency, converted at fixed rates",
  ),
]

/** Fields of an invoice item. Numbers may be sent as text. */
export const shipmentItemFields: Readonly<Record<string, Json>> = {
  origin: { ...patterned(ISO), description: ORIGIN },
  freight: { type: ['number', 'string'], description: FREIGHT },
  insurance: { type: ['number', 'string'] },
  quantity: { type: ['number', 'string'], description: QUANTITY },
  unit: { type: 'string', enum: TAX_UNITS },
  sugar: { type: ['number', 'string'], description: SUGAR },
}

const costAmounts: Readonly<Record<string, Json>> = {
  declared_value: amount,
  import_duty_amount: amount,
  vat_amount: amount,
  total_duties_taxes: amount,
  landed_cost: amount,
  excise_amount: amount,
  fees_amount: amount,
}

const partsOfValue: Readonly<Record<string, Json>> = {
  goods_value: { ...amount, description: 'Only if freight or insurance was sent' },
  freight: amount,
  insurance: amount,
}

const certainty = { type: 'string', examples: ['published', 'reported', 'derived', 'uncertain'] }
const listed = (name: string, description: string): Json => ({ type: 'array', items: ref(name), description })

/** Schema of a sentence with a code. The code stays the same if the sentence is reworded. */
function coded(table: Readonly<Record<string, { means: string }>>): Json {
  const meanings = Object.entries(table).map(([code, { means }]) => `${code}: ${means}`)
  return object({ code: { type: 'string', enum: Object.keys(table), description: meanings.join('. ') }, en: string, ar: string })
}
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })

export const SHIPMENT_SCHEMAS: Readonly<Record<string, Json>> = {
  CostAmounts: object(costAmounts),
  ExactCostAmounts: object(asText({ ...costAmounts, ...partsOfValue }), Object.keys(partsOfValue)),
  Charge: object({
    kind: { type: 'string', enum: ['duty', 'excise', 'fee', 'vat'] },
    name: { ...orNull(ref('Description')), description: 'Name of the agreement, goods or fee; null if kind is sufficient' },
    rate: { ...amountOrNull, description: 'Percent of basis; null for an amount per unit or a flat fee' },
    unit_amount: { ...amountOrNull, description: 'For each unit of basis, in the declared currency' },
    unit: { type: ['string', 'null'], enum: [...TAX_UNITS, null] },
    unit_unece: unece,
    minimum: { ...amountOrNull, description: 'Minimum amount of a fee, in the declared currency; null if there is none' },
    maximum: { ...amountOrNull, description: 'Maximum amount of a fee, in the declared currency; null if there is none' },
    basis: amount,
    amount,
    source: { ...stringOrNull, description: 'Null if the caller sent the rate' },
    certainty: { ...stringOrNull, examples: certainty.examples },
    date: { ...stringOrNull, description: 'Date of the record in the source, or the day from which the rate applies' },
  }),
  CountryTerms: object({
    country: { type: 'string', enum: COUNTRY_CODES },
    tariff_rate: percentage,
    rate: included.rate as Json,
    vat_rate: { ...percentage, description: '0 if there is no VAT, or if the law exempts the goods' },
    vat_may_differ: { ...boolean, description: 'Some of the goods, or some users of them, may have another VAT rate' },
    excise: {
      type: 'array',
      items: ref('ExciseTerm'),
      description: 'Several if the rate depends on the sugar in a drink; empty if there is no excise',
    },
    taxes_differ: { ...boolean, description: 'Whether codes below this one have other taxes' },
    controls: {
      type: 'array',
      items: { type: 'string', enum: CONTROL_KINDS },
      description: 'Kinds of controls on the goods, including those of all GCC states; include=controls adds their reasons',
    },
  }),
  ExciseTerm: object({
    goods: ref('Description'),
    rate: { ...amountOrNull, description: 'Percent of the value; null for an amount per unit' },
    unit_amount: { ...amountOrNull, description: "For each unit, in the country's currency" },
    unit: { type: ['string', 'null'], enum: [...TAX_UNITS, null] },
    unit_unece: unece,
    currency: { type: 'string' },
    applies: { type: 'string', enum: APPLIES, description: 'perhaps: depends on something that the code does not show' },
  }),
  Origin: object({
    country: patterned('^[A-Z]{2}$'),
    agreement: orNull(
      object({
        name: ref('Description'),
        category: stringOrNull,
        treatment: { type: 'string', enum: TREATMENTS },
        proof: { ...ref('Description'), description: 'Proof of origin that customs asks for' },
        source: string,
        certainty,
      }),
    ),
  }),
  Threshold: object({
    below: amount,
    currency: string,
    duty: { type: 'string', const: 'free' },
    vat: { type: 'string', enum: ['free', 'charged', 'none'] },
    rule: ref('Description'),
    source: string,
    certainty,
  }),
  Warning: coded(WARNINGS),
  LeftOut: coded(LEFT_OUT),
  CountryEstimate: object(
    {
      hs_code: string,
      product: string,
      calculation: object(
        {
          declared_value: { ...amount, description: 'CIF: goods, freight and insurance' },
          currency: patterned('^[A-Z]{3}$'),
          import_duty_rate: amount,
          import_duty_amount: amount,
          vat_rate: percentage,
          vat_amount: {
            ...amount,
            description: 'Calculated on the CIF value, duty, excise and fees, as the law of the country requires',
          },
          total_duties_taxes: { ...amount, description: 'Duty, excise, fees and VAT' },
          landed_cost: amount,
          excise_amount: amount,
          fees_amount: amount,
          ...partsOfValue,
        },
        Object.keys(partsOfValue),
      ),
      notes: string,
      country: { type: 'string', enum: COUNTRY_CODES },
      list: { ...stringOrNull, description: "Date of the country's list; null if it has none" },
      charges: { type: 'array', items: ref('Charge'), description: 'Each charge with its basis and source' },
      excise_inputs: {
        ...orNull(object({ unit: { type: 'string', enum: TAX_UNITS }, sugar: boolean })),
        description: 'What excise depends on in addition to the value: a quantity in this unit, and sugar',
      },
      origin: orNull(ref('Origin')),
      threshold: {
        ...orNull(ref('Threshold')),
        description: 'The rule by which a parcel of this value is free of duty; the amounts do not take it into account',
      },
      rounded: {
        ...ref('CostAmounts'),
        description: 'Amounts rounded to the decimals of the currency; totals are sums of rounded amounts',
      },
      converted: object({
        currency: string,
        rate: amount,
        sources: { type: 'array', items: string },
        certainty,
        ...costAmounts,
      }),
      warnings: listed('Warning', 'Reasons to doubt the estimate'),
      not_included: listed('LeftOut', 'Charges and reliefs that the amounts leave out'),
      exact: { ...ref('ExactCostAmounts'), description: EXACT },
    },
    ['converted', 'exact'],
  ),
  CountryInvoice: object(
    {
      items: list({ anyOf: [ref('CountryEstimate'), ref('InvoiceItemError')] }, limits.INVOICE_ITEMS_MAX, 1),
      totals: ref('CostAmounts'),
      fees: {
        type: 'array',
        items: ref('Charge'),
        description: 'Fees charged once for the declaration; totals include them and their VAT',
      },
      rounded: ref('CostAmounts'),
      exact: { ...ref('ExactCostAmounts'), description: EXACT_TOTALS },
    },
    ['exact'],
  ),
}
