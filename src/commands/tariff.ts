import { type ExactEstimate, estimateJson, exactEstimate } from '../answers/estimate.js'
import { estimate } from '../questions/tariff.js'
import { answered, findWritten, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, type Print, text } from './command.js'
import { bold, escapeControls, printTable } from './terminal.js'

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
  printTable([{}, { right: true }, {}], rows, print)
  print(notes)
}

export const tariffCommand: Command = {
  flags: { ...SNAPSHOT_FLAG, vat: text, currency: text, json: flag },
  words: ['CODE', 'VALUE'],
  optionalValues: ['vat'],
  run: async (values, [code, value], print) => {
    const catalog = await openCatalog(values)
    const record = findWritten(catalog, code)
    const currency = values.currency === undefined ? undefined : String(values.currency)
    const withVat = values.vat !== undefined
    const answer = answered(estimate(catalog, catalog.records.code(record), value, currency, withVat, String(values.vat ?? '')))
    const shown = exactEstimate(catalog, answer)
    if (values.json === true) print(estimateJson(shown))
    else printEstimate(shown, answer.withVat, print)
  },
}
