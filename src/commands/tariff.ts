import type { Catalog } from '../catalog/catalog.js'
import { type Amount, amountText } from '../catalog/tariff.js'
import { type Estimate, estimate, notesOf, vatRateText } from '../questions/tariff.js'
import { answered, findWritten, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { bold, harmless, table } from './terminal.js'

/** As HTTP renders an estimate. Amounts are written out, since JSON's numbers here may have more digits than Node's. */
function estimateJson(catalog: Catalog, answer: Estimate): string {
  const { record, currency, amounts } = answer
  const { records } = catalog
  const calculation = [
    ['declared_value', amountText(amounts.declaredValue)],
    ['currency', JSON.stringify(currency)],
    ['import_duty_rate', catalog.rateText(record)],
    ['import_duty_amount', amountText(amounts.dutyAmount)],
    ['vat_rate', vatRateText(catalog, answer)],
    ['vat_amount', amountText(amounts.vatAmount)],
    ['total_duties_taxes', amountText(amounts.totalDutiesTaxes)],
    ['landed_cost', amountText(amounts.landedCost)],
  ].map(([name, value]) => `"${name}":${value}`)
  const code = JSON.stringify(records.code(record))
  const product = JSON.stringify(records.description(record).en)
  const notes = JSON.stringify(notesOf(catalog, record))
  return `{"hs_code":${code},"product":${product},"calculation":{${calculation.join(',')}},"notes":${notes}}`
}

function printEstimate(catalog: Catalog, answer: Estimate, print: Print): void {
  const { record, currency, amounts } = answer
  const { records } = catalog
  const row = (name: string, amount: Amount, rate = '') => [name, amountText(amount), `${currency}  ${rate}`]
  const rows = [
    row('declared value', amounts.declaredValue),
    row('import duty', amounts.dutyAmount, `${catalog.rateText(record)} %`),
    row(
      'VAT',
      amounts.vatAmount,
      answer.withVat ? `${vatRateText(catalog, answer)} %` : 'not asked for: --vat',
    ),
    row('duties and taxes', amounts.totalDutiesTaxes),
    row('landed cost', amounts.landedCost),
  ]
  print(bold(records.code(record)))
  print(harmless(records.description(record).en))
  for (const line of table([{ title: '' }, { title: '', right: true }, { title: '' }], rows)) print(line)
  print(notesOf(catalog, record))
}

async function run(code: string, value: string, values: Values, print: Print): Promise<void> {
  const catalog = await openCatalog(values)
  const record = findWritten(catalog, code)
  const currency = values.currency === undefined ? undefined : String(values.currency)
  const withVat = values.vat !== undefined
  const answer = answered(
    estimate(catalog, catalog.records.code(record), value, currency, withVat, String(values.vat ?? '')),
  )
  if (values.json === true) print(estimateJson(catalog, answer))
  else printEstimate(catalog, answer, print)
}

export const tariffCommand: Command = {
  flags: { ...SNAPSHOT_FLAG, vat: text, currency: text, json: flag },
  words: ['CODE', 'VALUE'],
  optionalValues: ['vat'],
  run: (values, [code, value], print) => run(code as string, value as string, values, print),
}
