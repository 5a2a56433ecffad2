import { type ExactEstimate, estimateJson, exactEstimate } from '../answers/estimate.js'
import type { CountryEstimate } from '../answers/shapes.js'
import { type Exact, exactShipment, exactText, limitsText } from '../answers/shipment.js'
import type { Catalog } from '../catalog/catalog.js'
import { decimalsOf, roundHalfUp } from '../catalog/currencies.js'
import { isoDay } from '../clock.js'
import { escapeControls } from '../control-characters.js'
import { OperatorError } from '../errors.js'
import { CURRENCY_DEFAULT } from '../limits.js'
import { readDestination } from '../questions/shipment/destination.js'
import { estimateShipment } from '../questions/shipment/estimate.js'
import { SHIPMENT_PARAMETERS, shipmentText } from '../questions/shipment/read.js'
import { estimate } from '../questions/tariff.js'
import { answerOrThrow, COUNTRY_HELP, findWritten, openCatalog, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { bold, printTable } from './terminal.js'

const COLUMNS = [{}, { right: true }, {}]

function printEstimate({ hs_code, product, calculation, notes }: ExactEstimate, withVat: boolean, print: Print): void {
  const { currency, import_duty_rate, vat_rate } = calculation
  const row = (name: string, amount: string, rate = '') => [name, amount, `${currency}  ${rate}`]
  const rows = [
    row('declared value', calculation.declared_value),
    row('import duty', calculation.import_duty_amount, `${import_duty_rate} %`),
    row('VAT', calculation.vat_amount, withVat ? `${vat_rate} %` : 'not included; add --vat'),
    row('duties and taxes', calculation.total_duties_taxes),
    row('landed cost', calculation.landed_cost),
  ]
  print(bold(hs_code))
  print(escapeControls(product))
  printTable(COLUMNS, rows, print)
  print(notes)
}

const CHARGE_NAMES = { duty: 'import duty', excise: 'excise', fee: 'fee', vat: 'VAT' } as const

/** Prints amounts with the decimals of the currency; with --json, they have every digit. */
function printShipment(estimate: Exact<CountryEstimate>, print: Print): void {
  const { calculation, rounded, charges, converted, country, list } = estimate
  const { currency } = calculation
  const places = decimalsOf(currency)
  const row = (name: string, amount: { toFixed(): string }, note = '') => [name, amount.toFixed(), `${currency}  ${note}`]
  const rows = [row('customs value', rounded.declared_value)]
  for (const charge of charges) {
    const { kind, rate, unit_amount, unit, basis, amount, certainty } = charge
    const formula =
      rate === null
        ? unit_amount === null
          ? ''
          : `${unit_amount.toFixed()} × ${basis.toFixed()} ${unit}`
        : `${rate.toFixed()} %${limitsText(charge)}`
    rows.push(row(CHARGE_NAMES[kind], roundHalfUp(amount, places), [formula, certainty].filter(Boolean).join(', ')))
  }
  rows.push(row('duties and taxes', rounded.total_duties_taxes), row('landed cost', rounded.landed_cost))
  print(`${bold(estimate.hs_code)}  ${country}${list === null ? '' : `, list of ${list}`}`)
  print(escapeControls(estimate.product))
  printTable(COLUMNS, rows, print)
  if (converted !== undefined)
    print(
      `${converted.landed_cost.toFixed()} ${converted.currency} at ${converted.rate.toFixed()} (${converted.certainty} fixed rate)`,
    )
  const { origin, threshold } = estimate
  if (origin?.agreement) print(`Origin ${origin.country}: ${origin.agreement.name.en}. ${origin.agreement.proof.en}`)
  if (threshold !== null) print(threshold.rule.en)
  for (const { en } of estimate.warnings) print(en)
  print(`Not included: ${estimate.not_included.map(({ en }) => en).join(' ')}`)
  print(estimate.notes)
}

const COUNTRY_FLAGS = ['as-of', 'convert', ...SHIPMENT_PARAMETERS]

const textOf = (values: Values, name: string) => String(values[name] ?? '')

/** Estimates with the charges of --country; undefined without --country. */
function shipmentOf(catalog: Catalog, values: Values, code: string, value: string): Exact<CountryEstimate> | undefined {
  const terms = { country: textOf(values, 'country'), asOf: textOf(values, 'as-of') }
  const destination = answerOrThrow(readDestination(catalog, terms, isoDay(Date.now())))
  if (destination === undefined) {
    const alone = COUNTRY_FLAGS.find(name => values[name] !== undefined)
    if (alone !== undefined) throw new OperatorError(`--${alone} needs --country`)
    return undefined
  }
  const question = {
    code,
    value,
    currency: values.currency === undefined ? undefined : String(values.currency),
    withVat: values['no-vat'] === true ? false : undefined,
    vatRate: textOf(values, 'vat'),
    convert: values.convert === true,
    shipment: shipmentText(name => textOf(values, name)),
  }
  return exactShipment(catalog, answerOrThrow(estimateShipment(catalog, destination, question)))
}

const HELP = `Usage: hsapi tariff CODE VALUE [options]

Estimates import duty, VAT and landed cost for a code and a CIF value, without rounding. CODE may have any form that
"hsapi lookup" accepts.

  --vat [RATE]     include VAT: at the dataset's rate, or at this percentage
  --currency ABC   the currency to print (${CURRENCY_DEFAULT}); nothing is converted
  --json           print the data of /api/v1/tariff/calculate

With --country, the rates, excise, fees and VAT of that Gulf state are used, each with source and certainty.

  ${COUNTRY_HELP}
  --no-vat         leave out the country's VAT; --vat RATE replaces it
  --freight N, --insurance N  added to VALUE, which is then the value of the goods without these costs
  --origin CC      country of origin, for trade agreements
  --quantity N     with --unit l (litres), u (pieces) or g (grams), for excise by quantity
  --sugar N        grams of sugar per 100 ml, for excise on drinks
  --convert        add the amount in the country's currency, at its fixed rate
  ${SNAPSHOT_HELP}`

export const tariffCommand: Command = {
  help: HELP,
  flags: {
    ...SNAPSHOT_FLAG,
    vat: text,
    'no-vat': flag,
    currency: text,
    country: text,
    'as-of': text,
    convert: flag,
    ...Object.fromEntries(SHIPMENT_PARAMETERS.map(name => [name, text])),
    json: flag,
  },
  words: ['CODE', 'VALUE'],
  optionalValues: ['vat'],
  run: async (values, [code, value], print) => {
    const catalog = await openCatalog(values)
    const hsCode = catalog.records.code(findWritten(catalog, code))
    const shipment = shipmentOf(catalog, values, hsCode, value)
    if (shipment !== undefined) return values.json === true ? print(exactText(shipment)) : printShipment(shipment, print)
    const currency = values.currency === undefined ? undefined : String(values.currency)
    const withVat = values.vat !== undefined
    const answer = answerOrThrow(estimate(catalog, hsCode, value, currency, withVat, textOf(values, 'vat')))
    const shown = exactEstimate(catalog, answer)
    if (values.json === true) print(estimateJson(shown))
    else printEstimate(shown, answer.withVat, print)
  },
}
