import { isoDay } from '../clock.js'
import { appendDecision } from '../decisions/decisions-file.js'
import { OperatorError } from '../errors.js'
import { readConfig } from '../settings/config.js'
import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { findWritten, openSnapshot, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import { type Command, text } from './command.js'
import { dayOf, required } from './values.js'

const HELP = `Usage: hsapi decide CODE --who NAME [--sku SKU] [--gtin GTIN] [--text TEXT] [--country CC] [--why TEXT] [--date DAY] [--file FILE]

Adds a row to a company's own decisions. For this product, classify then returns status decided and lists this code first.
At least one of --sku, --gtin and --text is needed. The file is created if there is none; a running server reads it at a reload.

  --who NAME       who decided
  --sku SKU        the product's own number
  --gtin GTIN      its GTIN, with the check digit
  --text TEXT      its title; letter case, accents and punctuation do not matter
  --country CC     only for this country: ${COUNTRY_CODES.join(', ')} (all)
  --why TEXT       the reason
  --date DAY       day of the decision (today)
  --file FILE      the file (HSAPI_DECISIONS)
  ${SNAPSHOT_HELP}`

export const decideCommand: Command = {
  help: HELP,
  flags: { ...SNAPSHOT_FLAG, who: text, sku: text, gtin: text, text, country: text, why: text, date: text, file: text },
  words: ['CODE'],
  run: async (values, [written], print) => {
    const who = required(values, 'who', 'the person who decided')
    const file = values.file ?? readConfig(process.env).decisions
    if (file === undefined) throw new OperatorError('--file is missing, and HSAPI_DECISIONS is not set')
    const catalog = await openSnapshot(values)
    const code = catalog.records.code(findWritten(catalog, written))
    const cell = (name: string) => String(values[name] ?? '')
    const day = dayOf(values) ?? isoDay(Date.now())
    const [sku, gtin, title, country, why] = ['sku', 'gtin', 'text', 'country', 'why'].map(cell)
    await appendDecision(String(file), { sku, gtin, text: title, code, country, who, day, why })
    print(`${file}: ${code} for ${[sku, gtin, title].filter(one => one !== '').join(', ')}`)
  },
}
