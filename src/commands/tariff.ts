import { type ExactEstimate, estimateJson, exactEstimate } from '../answers/estimate.js'
import { estimate } from '../questions/tariff.js'
import { answered, findWritten, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { bold, escapeControls, table } from './terminal.js'

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
  for (const line of table([{ title: '' }, { title: '', right: true }, { title: '' }], rows)) print(line)
  print(notes)
}

async function run(code: string, value: string, values: Values, print: Print): Promise<void> {
  const catalog = await openCatalog(values)
  const record = findWritten(catalog, code)
  const currency = values.currency === undefined ? undefined : String(values.currency)
  const withVat = values.vat !== undefined
  const answer = answered(estimate(catalog, catalog.records.code(record), value, currency, withVat, String(values.vat ?? '')))
  const shown = exactEstimate(catalog, answer)
  if (values.json === true) print(estimateJson(shown))
  else printEstimate(shown, answer.withVat, print)
}

export const tariffCommand: Command = {
  flags: { ...SNAPSHOT_FLAG, vat: text, currency: text, json: flag },
  words: ['CODE', 'VALUE'],
  optionalValues: ['vat'],
  run: (values, [code, value], print) => run(code as string, value as string, values, print),
}
