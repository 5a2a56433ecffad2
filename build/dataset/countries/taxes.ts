/** taxes.csv of a country: goods subject to excise, and goods whose VAT rate is not the standard one. */
import { APPLIES, COUNTRY_CERTAINTIES, type CountryTax, TAX_NAMES, TAX_UNITS } from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { parseTable, type TableRow } from '../table.js'
import { RowChecks, UniqueKeys } from './row-checks.js'

export const TAXES_FILE = 'taxes.csv'
const COLUMNS = [
  'tax',
  'prefix',
  'rate',
  'amount',
  'unit',
  'sugar_from',
  'sugar_below',
  'minimum',
  'applies',
  'goods_en',
  'goods_ar',
  'condition_en',
  'condition_ar',
  'since',
  'until',
  'source',
  'certainty',
] as const

type TaxCells = TableRow<(typeof COLUMNS)[number]>

export interface TaxRow extends Omit<CountryTax, 'source'> {
  /** Prefix of the codes that the tax covers; '' covers all. */
  prefix: string
  source: string
  line: number
}

export function parseTaxes(text: string, file: string, defects: Defect[]): TaxRow[] {
  const keys = new UniqueKeys()
  return parseTable(text, file, COLUMNS, defects).map(cells => {
    const checks = new RowChecks(file, cells.line, defects)
    const { tax, prefix, sugar_from, since, goods_en, condition_en } = cells
    keys.add([tax, prefix, sugar_from, since, goods_en, condition_en].join('\n'), cells.line, 'the same tax', checks)
    checkTax(cells, checks)
    return taxOf(cells)
  })
}

function checkTax(cells: TaxCells, checks: RowChecks): void {
  const { rate, amount, unit, sugar_from, sugar_below, minimum } = cells
  checks.oneOf('tax', cells.tax, TAX_NAMES)
  checks.prefix(cells.prefix)
  checks.percent('rate', rate)
  checks.decimal('amount', amount)
  checks.decimal('minimum', minimum)
  checks.decimal('sugar', sugar_from)
  checks.decimal('sugar', sugar_below)
  checks.oneOf('applies', cells.applies, APPLIES)
  checks.oneOf('unit', unit, ['', ...TAX_UNITS])
  if (rate !== '' && amount !== '') checks.report('a tax has a rate or an amount, not both')
  if (rate === '' && amount === '' && cells.applies === 'yes') checks.report('the tax has neither rate nor amount')
  if (cells.tax === 'vat' && (amount !== '' || minimum !== '')) checks.report('VAT must have a rate and no amount')
  if ((amount !== '' || minimum !== '') !== (unit !== ''))
    checks.report('a unit needs an amount or a minimum, and an amount or a minimum needs a unit')
  if ((sugar_from !== '' || sugar_below !== '') && unit !== 'l')
    checks.report('sugar_from and sugar_below need an amount per litre (unit l)')
  if (sugar_from !== '' && sugar_below !== '' && Number(sugar_from) >= Number(sugar_below))
    checks.report(`sugar_from ${sugar_from} is not below sugar_below ${sugar_below}`)
  checks.bilingual('name of the goods', cells.goods_en, cells.goods_ar)
  checks.optionalBilingual('condition', cells.condition_en, cells.condition_ar)
  checks.period(cells.since, cells.until)
  checks.oneOf('certainty', cells.certainty, COUNTRY_CERTAINTIES)
}

function taxOf(cells: TaxCells): TaxRow {
  return {
    tax: cells.tax as TaxRow['tax'],
    prefix: cells.prefix,
    rate: cells.rate,
    amount: cells.amount,
    unit: cells.unit as TaxRow['unit'],
    sugarFrom: cells.sugar_from,
    sugarBelow: cells.sugar_below,
    minimum: cells.minimum,
    applies: cells.applies as TaxRow['applies'],
    goods: { en: cells.goods_en, ar: cells.goods_ar },
    condition: { en: cells.condition_en, ar: cells.condition_ar },
    since: cells.since,
    until: cells.until,
    source: cells.source,
    certainty: cells.certainty as TaxRow['certainty'],
    line: cells.line,
  }
}
