import t from 'tap'
import { Decimal } from '../../src/catalog/amount.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { Refusal } from '../../src/questions/refusal.js'
import { readDestination } from '../../src/questions/shipment/destination.js'
import { estimateShipment, type ShipmentEstimate, type ShipmentQuestion } from '../../src/questions/shipment/estimate.js'
import { estimateItem, refusesAll, sumUp } from '../../src/questions/shipment/invoice.js'
import { NO_SHIPMENT, type ShipmentText } from '../../src/questions/shipment/read.js'
import { roundedCost } from '../../src/questions/shipment/rounded.js'
import { type CountryMeta, TAX_UNITS, taxUnitUnece } from '../../src/snapshot/country-format.js'
import type { SnapshotMeta } from '../../src/snapshot/format.js'
import { fixtureSnapshot } from '../support/service.js'

const snapshot = await fixtureSnapshot()
const catalog = new Catalog(snapshot)
const DAY = '2026-03-01'

type Terms = Partial<Omit<ShipmentQuestion, 'shipment'> & ShipmentText> & { country?: string; asOf?: string }

function destinationOf({ country = 'SA', asOf = DAY }: Terms, data = catalog) {
  const found = readDestination(data, { country, asOf }, '2026-11-18')
  if (found === undefined || found instanceof Refusal) throw new Error(found?.message)
  return found
}

function questionOf(code: string, { country: _, asOf: __, ...terms }: Terms): ShipmentQuestion {
  const { origin, freight, insurance, quantity, unit, sugar, ...others } = { ...NO_SHIPMENT, ...terms }
  const shipment = { origin, freight, insurance, quantity, unit, sugar }
  const plain = { code, value: '1000', currency: 'SAR', withVat: undefined, vatRate: '', convert: undefined }
  return { ...plain, ...others, shipment }
}

const estimateOrRefusal = (code: string, terms: Terms = {}, data = catalog) =>
  estimateShipment(data, destinationOf(terms, data), questionOf(code, terms))

function estimate(code: string, terms: Terms = {}, data = catalog): ShipmentEstimate {
  const found = estimateOrRefusal(code, terms, data)
  if (found instanceof Refusal) throw new Error(found.message)
  return found
}

const textOf = (list: readonly { en: string }[]) => list.map(({ en }) => en).join('\n')
const warnings = (code: string, terms: Terms = {}) => textOf(estimate(code, terms).warnings)
const leftOut = (code: string, terms: Terms = {}) => textOf(estimate(code, terms).notIncluded)

t.test('a refusal names the invalid parameter and the accepted values', async t => {
  for (const [code, terms, parameter, message] of [
    ['8517', { origin: 'XX' }, 'origin', /must be the two-letter ISO code/],
    ['8517', { freight: 'x' }, 'freight', /must be a number of at most 15 digits/],
    ['8517', { freight: '0x' }, 'freight', /must be a number/],
    ['8517', { insurance: '-1' }, 'insurance', /must be a number/],
    ['010221', { quantity: '5' }, 'unit', /is needed with quantity: l, u, g/],
    ['010221', { quantity: '5', unit: 'kg' }, 'unit', /must be l \(litres\), u \(pieces\) or g \(grams\)/],
    ['010221', { unit: 'l' }, 'quantity', /is needed with unit/],
    ['010221', { quantity: '0', unit: 'l' }, 'quantity', /must be a number from 0\.01/],
    ['010221', { sugar: '100.5' }, 'sugar', /per 100 ml, from 0 to 100/],
    ['010221', { sugar: 'sweet' }, 'sugar', /per 100 ml, from 0 to 100/],
    ['903110', { sugar: '5' }, 'sugar', /there is no excise by sugar on these goods/],
    ['010229', { sugar: '5' }, 'sugar', /there is no excise by sugar on these goods/],
    ['903110', { quantity: '5', unit: 'l' }, 'unit', /there is no excise by quantity on these goods/],
    ['8523', { quantity: '5', unit: 'l' }, 'unit', /there is no excise by quantity on these goods/],
    ['010221', { quantity: '5', unit: 'u' }, 'unit', /excise on these goods is charged by l\./],
    ['8517', { convert: null }, 'convert', /must be 1, true, 0 or false/],
    ['8517', { convert: true, currency: 'EUR' }, 'convert', /is not possible from EUR to SAR: there is no fixed rate/],
  ] as const) {
    const found = estimateOrRefusal(code, terms)
    t.match(
      found,
      { name: 'invalidParameter', message, details: { parameter } },
      `${code} with ${JSON.stringify(terms)} is refused`,
    )
  }
  const plain = estimate('8517').cost.landedCost.toFixed()
  for (const freight of ['0', '0.00', '000', '00.0'])
    t.equal(estimate('8517', { freight }).cost.landedCost.toFixed(), plain, freight)
  t.equal(estimate('010221', { sugar: '100', quantity: '1', unit: 'l' }).cost.exciseAmount.toFixed(), '1.09')
})

t.test(
  'prohibited goods, unknown rates, differing rates and use of the common tariff have warnings, and other goods have none',
  async t => {
    const [all, some] = [/prohibits the import of these goods/, /prohibits the import of some goods/]
    t.match(warnings('851718'), all)
    t.notMatch(warnings('851718'), some)
    t.match(warnings('8517'), some)
    t.notMatch(warnings('8517'), all)
    for (const code of ['851713', '010221', '903110']) t.notMatch(warnings(code), /prohibits/, code)
    t.match(warnings('852351'), /import rate of Saudi Arabia for this code is not known/)
    t.notMatch(warnings('852321'), /is not known/)
    t.match(warnings('8523'), /Lines below this code carry 15 to 20 percent/)
    t.notMatch(warnings('852321'), /Lines below/)
    t.match(warnings('8523'), /Codes below this one are taxed differently/)
    t.notMatch(warnings('852321'), /taxed differently/)
    const common = /only some deviations from the common tariff are known/
    t.match(warnings('852329', { country: 'AE' }), common)
    t.notMatch(warnings('852321', { country: 'AE' }), common, 'no warning if the country has a rate for the code')
    t.notMatch(warnings('852329'), common, 'no warning if the list of the country has every line')
  },
)

t.test('an agreement makes the goods that it covers duty-free, and uncertain or unknown treatment has a warning', async t => {
  const free = estimate('852321', { origin: 'EG' })
  t.match(free, { dutyRate: '0', preference: { isFree: true, applied: { agreement: { agreement: 'gafta' } } } })
  t.match(free.charges[0], { kind: 'duty', name: { en: /Greater Arab/ }, certainty: 'published', date: '2005-01-01' })
  t.equal(free.cost.dutyAmount.toFixed(), '0')
  t.notMatch(textOf(free.warnings), /not certain|not known|Lines below/)
  t.notMatch(
    warnings('8523', { origin: 'EG' }),
    /Lines below this code carry/,
    'no warning about differing rates, because no duty is charged',
  )

  t.match(estimate('8517', { origin: 'CH' }).preference, { isFree: true })
  t.match(warnings('8517', { origin: 'CH' }), /It is not certain which rate .*Agreement with EFTA grants these goods/)
  t.notMatch(warnings('852351', { origin: 'CH' }), /grants these goods/, 'no warning if the certainty is "derived"')
  for (const code of ['903110', '01']) {
    t.match(estimate(code, { origin: 'CH' }), { preference: { isFree: false }, dutyRate: '5' }, code)
    t.match(warnings(code, { origin: 'CH' }), /It is not known which rate .* grants these goods\. The full rate/, code)
  }
  t.match(
    estimate('0101', { origin: 'CH' }),
    { preference: { isFree: false } },
    'an agreement that grants the common rate changes nothing',
  )
  t.notMatch(warnings('0101', { origin: 'CH' }), /grants these goods/)

  const named = /A lower rate under another agreement: Agreement of the Emirates with India/
  t.match(leftOut('8523', { country: 'AE', origin: 'IN' }), named)
  t.match(estimate('8523', { country: 'AE', origin: 'IN' }).preference, { isFree: false, applied: undefined })
  t.notMatch(leftOut('8523', { country: 'AE', origin: 'EG' }), /another agreement/)
  t.match(estimate('8523', { origin: 'IN' }).preference, { isFree: false, applied: undefined, warnings: [], notIncluded: [] })
})

const changed = (meta: Partial<SnapshotMeta>) => new Catalog({ ...snapshot, meta: { ...snapshot.meta, ...meta } })

t.test('if several agreements cover the goods, the one that makes them duty-free applies, and no other is mentioned', async t => {
  const agreements = snapshot.meta.agreements.map(one => ({ ...one, members: [...one.members, 'EG'] })).reverse()
  const several = changed({ agreements })
  const found = estimate('0101', { country: 'AE', origin: 'EG', currency: 'AED' }, several)
  t.match(found, { dutyRate: '0', preference: { isFree: true, applied: { agreement: { agreement: 'gafta' } } } })
  t.notMatch(textOf(found.notIncluded), /another agreement/)
  const withoutFree = changed({ agreements: agreements.filter(({ agreement }) => agreement !== 'gafta') })
  const taxed = estimate('0101', { country: 'AE', origin: 'EG', currency: 'AED' }, withoutFree)
  t.match(taxed.preference, { isFree: false, applied: { agreement: { agreement: 'efta' } } })
  t.match(textOf(taxed.notIncluded), /another agreement: Agreement of the Emirates with India/)
})

t.test('excise that may apply is mentioned but not charged', async t => {
  const countries = snapshot.meta.countries.map(country => ({
    ...country,
    taxes: country.taxes.map(tax => (tax.tax === 'excise' ? { ...tax, applies: 'perhaps' as const } : tax)),
  }))
  const doubtful = changed({ countries })
  for (const [code, message] of [
    ['852321', /Excise that may apply: Recording media, 50 percent/],
    ['010221', /Excise that may apply: Drinks with sugar, SAR 1\.09 a litre/],
  ] as const) {
    const found = estimate(code, {}, doubtful)
    t.match(textOf(found.notIncluded), message)
    t.equal(found.cost.exciseAmount.toFixed(), '0')
    t.equal(found.exciseInputs, null, 'no further input is required')
    t.notOk(
      found.charges.some(({ kind }) => kind === 'excise'),
      `${code} has no charge for excise`,
    )
  }
})

t.test('anti-dumping duties are mentioned only for goods of their origin', async t => {
  t.match(warnings('852351', { origin: 'CN' }), /Anti-dumping duty on flash memory from CN/)
  for (const origin of ['', 'IN'])
    t.notMatch(warnings('852351', { origin }), /Anti-dumping/, `no anti-dumping duty for the origin "${origin}"`)
})

t.test('excise by value has a warning about the retail price; for excise by quantity, the missing inputs are named', async t => {
  const retail = /Excise is charged on the excise price/
  t.match(estimate('852321'), { exciseInputs: null })
  t.match(warnings('852321'), retail)
  t.notMatch(warnings('852351'), retail, 'no warning if the rate is zero')
  t.match(estimate('010221').exciseInputs, { unit: 'l', sugar: true })
  t.match(leftOut('010221'), /send sugar \(grams per 100 ml\), quantity and unit=l/)
  t.match(leftOut('010221', { sugar: '5' }), /send quantity in litres and unit=l/)
  t.match(
    estimate('010221', { sugar: '4.99' }).charges[1],
    { kind: 'excise', amount: { s: 1 } },
    'if the excise per litre is zero, no quantity is needed',
  )
  t.notMatch(leftOut('010221', { sugar: '4.99' }), /Excise on/)
  const litres = { sugar: '5', quantity: '10', unit: 'l' }
  t.equal(estimate('010221', litres).cost.exciseAmount.toFixed(), '10.9', 'sugar of 5 g is in the tier that starts at 5 g')
  t.match(leftOut('010221', { ...litres, currency: 'EUR' }), /to EUR, which has no fixed exchange rate/)
  t.match(estimate('010229').exciseInputs, { unit: 'u', sugar: false })
  const pieces = { quantity: '10000', unit: 'u' }
  t.equal(
    estimate('010229', pieces).cost.exciseBase.toFixed(),
    '4000',
    'the excise is charged on the minimum price of 10,000 pieces',
  )
  t.equal(estimate('010229').cost.exciseBase.toFixed(), '1075', 'without a quantity, the excise is charged on value and duty')
})

t.test(
  'fees whose limits cannot be converted are mentioned, a VAT rate that may be lower is mentioned, and charges have their dates',
  async t => {
    t.match(leftOut('8517', { currency: 'EUR' }), /Its limits cannot be converted to EUR, which has no fixed exchange rate/)
    t.notMatch(leftOut('8517'), /Its limits/)
    t.match(leftOut('8517'), /Fee that may apply: Inspection, SAR 100/)
    t.match(warnings('851713'), /VAT may be 0 percent: Telephones \(if registered\)/)
    t.notMatch(warnings('010121'), /VAT may be/)
    t.match(estimate('010121').charges.at(-1), {
      kind: 'vat',
      name: { en: 'Horses' },
      date: '2020-07-01',
      certainty: 'published',
    })
    t.match(estimate('8517').charges.at(-1), { kind: 'vat', name: null, date: '2020-07-01', certainty: 'published' })
    t.match(estimate('8517', { vatRate: '7' }).charges.at(-1), { kind: 'vat', source: null, certainty: null, date: null })
    t.match(estimate('852321').charges[1], { kind: 'excise', date: '2019-12-01' })
    t.match(
      estimate('8517').charges.find(({ kind }) => kind === 'fee'),
      { date: '2024-10-06', minimum: { s: 1 }, maximum: { s: 1 } },
    )
  },
)

t.test('a parcel below the threshold has the threshold in its estimate', async t => {
  t.match(estimate('8517', { value: '999.99' }).threshold, { below: '1000' })
  t.equal(estimate('8517', { value: '1000' }).threshold, undefined)
  t.equal(estimate('8523', { value: '10' }).threshold, undefined, 'the threshold does not apply to these goods')
  t.equal(estimate('8517', { value: '990', freight: '10' }).threshold, undefined, 'freight counts towards the threshold')
  t.equal(
    estimate('8517', { value: '10', currency: 'EUR' }).threshold,
    undefined,
    'without a fixed exchange rate, the threshold is not known',
  )
})

t.test('the date of an estimate is today by default and selects the list of rates', async t => {
  const read = (asOf?: string) => readDestination(catalog, { country: 'SA', asOf }, '2026-11-18')
  t.match(read(), { day: '2026-11-18', view: { list: '2026-02-25' } })
  t.match(read('2025-12-01'), { day: '2025-12-01', view: { list: '2025-11-03' } })
})

t.test('invalid terms of the whole invoice refuse all of it; other refusals apply to single items', async t => {
  const destination = destinationOf({})
  const item = (code: string, terms: Terms = {}) => estimateItem(catalog, destination, questionOf(code, terms))
  for (const terms of [{ currency: 'riyal' }, { vatRate: '101' }, { withVat: null }, { convert: null }])
    t.ok(refusesAll(item('8517', terms)), `${JSON.stringify(terms)} refuses the whole invoice`)
  for (const one of [item('8517', { origin: 'XX' }), item('77'), item('8517')]) t.notOk(refusesAll(one))

  const question = questionOf('8517', {})
  const empty = sumUp(catalog, destination, question, [item('77')])
  t.match(empty, { fees: [], currency: 'USD' }, 'an invoice without accepted items has no fees')
  t.equal(empty.totals.landedCost.toFixed(), '0')
})

t.test('an item of an invoice names the fees that neither it nor the invoice includes', async t => {
  const destination = destinationOf({})
  const terms = { currency: 'EUR' }
  const alone = estimateShipment(catalog, destination, questionOf('851713', terms))
  const item = estimateItem(catalog, destination, questionOf('851713', terms))
  if (alone instanceof Refusal || item instanceof Refusal) return void t.fail('no estimate')
  const ofFees = ({ notIncluded }: ShipmentEstimate) => notIncluded.filter(({ code }) => code.startsWith('fee_'))
  t.ok(
    ofFees(item).some(({ code }) => code === 'fee_needs_currency'),
    'a fee with a limit in SAR needs an exchange rate',
  )
  t.strictSame(ofFees(item), ofFees(alone))
  t.strictSame(sumUp(catalog, destination, questionOf('851713', terms), [item]).fees, [])
})

t.test('VAT of an invoice is charged on the value and on exactly those charges that the country includes', async t => {
  const vatOf = (terms: Terms, data = catalog) => {
    const items = ['851713', '903110'].map(code => estimateItem(data, destinationOf(terms, data), questionOf(code, terms)))
    const { totals, fees } = sumUp(data, destinationOf(terms, data), questionOf('851713', terms), items)
    return [fees.length, totals.feesAmount.toFixed(), totals.vatAmount.toFixed()]
  }
  const including = (base: CountryMeta['vat']['base']) => {
    const { countries } = snapshot.meta
    return changed({ countries: countries.map(meta => ({ ...meta, vat: { ...meta.vat, base } })) })
  }
  t.strictSame(vatOf({}), [1, '15', '309.75'], 'VAT is 15 percent of 1000, of 1050 and of the fee')
  t.strictSame(vatOf({}, including(['duty', 'excise'])), [1, '15', '307.5'], 'VAT is not charged on the fee')
  t.strictSame(vatOf({}, including(['fees'])), [1, '15', '302.25'], 'VAT is not charged on the duty')
  t.strictSame(vatOf({}, including([])), [1, '15', '300'], 'VAT is charged on the value only')
  t.strictSame(vatOf({ vatRate: '10' }), [1, '15', '206.5'], "the caller's rate also applies to the fee")
  t.strictSame(vatOf({ withVat: false }), [1, '15', '0'])
  t.strictSame(vatOf({ country: 'AE', currency: 'AED' }), [0, '0', '102.5'], 'VAT is 5 percent of 1000 and of 1050')
})

const withCountry = (edit: (meta: CountryMeta) => Partial<CountryMeta>) =>
  changed({ countries: snapshot.meta.countries.map(meta => ({ ...meta, ...edit(meta) })) })

t.test(
  'insurance does not count towards a threshold on goods and freight, but counts towards one on the customs value',
  async t => {
    const parcel = { value: '900', freight: '99', insurance: '50' }
    t.equal(estimate('8517', parcel).threshold, undefined)
    const goodsAndFreight = withCountry(({ thresholds }) => ({
      thresholds: thresholds.map(one => ({ ...one, basis: 'goods_freight' as const })),
    }))
    t.match(estimate('8517', parcel, goodsAndFreight).threshold, { below: '1000' })
    t.equal(estimate('8517', { ...parcel, freight: '100' }, goodsAndFreight).threshold, undefined)
  },
)

t.test('an origin without a duty-free agreement leaves the warnings about the rate in place', async t => {
  for (const origin of ['IN', 'US'])
    t.match(warnings('8523', { origin }), /Lines below this code carry 15 to 20 percent/, `origin ${origin}`)
  t.match(warnings('852351', { origin: 'IN' }), /import rate of Saudi Arabia for this code is not known/)
})

t.test('if it is doubtful what an agreement grants, the full rate is charged with a warning', async t => {
  const doubtful = changed({
    agreements: snapshot.meta.agreements.map(one => ({
      ...one,
      terms: one.terms.map(term => ({ ...term, treatment: 'doubtful' as const })),
    })),
  })
  const found = estimate('8517', { origin: 'CH' }, doubtful)
  t.match(found, { dutyRate: '0', preference: { isFree: false, applied: { agreement: { agreement: 'efta' } } } })
  t.match(textOf(found.warnings), /It is not known which rate .*Agreement with EFTA grants these goods/)
})

t.test('a charge names the source and date of its own row; without a date, it has none', async t => {
  const common = catalog.rateOf(catalog.trie.find('851718')).source
  const prohibited = estimate('851718').charges[0]
  t.equal(prohibited?.source, common?.source, 'prohibited goods have the rate of the common tariff, and its source')
  t.equal(prohibited?.date, common?.date)

  const undated = withCountry(({ taxes, fees, vat }) => ({
    taxes: taxes.map(row => ({ ...row, since: '' })),
    fees: fees.map(row => ({ ...row, since: '' })),
    vat: { ...vat, date: '' },
  }))
  const horses = estimate('010121', {}, undated).charges
  t.match(horses.at(-1), { kind: 'vat', name: { en: 'Horses' }, date: null })
  t.equal(estimate('8517', {}, undated).charges.at(-1)?.date, null)
  t.match(estimate('852321', {}, undated).charges[1], { kind: 'excise', date: null })
  const dated = withCountry(({ taxes }) => ({ taxes: taxes.map(row => ({ ...row, since: '' })) }))
  t.equal(estimate('010121', {}, dated).charges.at(-1)?.date, null, 'not the date of the standard rate')
  const agreements = snapshot.meta.agreements.map(one => ({ ...one, inForce: '' }))
  t.match(estimate('852321', { origin: 'EG' }, changed({ agreements })).charges[0], { name: { en: /Greater Arab/ }, date: null })
})

t.test('excise in percent has no unit, even if a minimum price is set by piece', async t => {
  const pieces = { quantity: '10000', unit: 'u' }
  const [, excise] = estimate('010229', pieces).charges
  t.match(excise, { kind: 'excise', unit: null, unitAmount: null })
  t.equal(excise?.rate?.toFixed(), '100')
})

t.test('a quantity is accepted for excise that may apply', async t => {
  const doubtful = withCountry(({ taxes }) => ({ taxes: taxes.map(tax => ({ ...tax, applies: 'perhaps' as const })) }))
  const found = estimate('010221', { quantity: '5', unit: 'l', sugar: '5' }, doubtful)
  t.match(textOf(found.notIncluded), /Excise that may apply: Drinks with sugar/)
})

t.test('sugar of 0 is in the lowest tier', async t => {
  for (const sugar of ['0', '0.0']) {
    const found = estimate('010221', { sugar, quantity: '10', unit: 'l' })
    t.match(found.charges[1], { kind: 'excise', name: { en: 'Drinks with little sugar' } }, sugar)
    t.equal(found.cost.exciseAmount.toFixed(), '0')
  }
})

t.test('a fee that may apply is described as such in any currency', async t => {
  t.match(leftOut('8517', { currency: 'EUR' }), /Fee that may apply: Inspection, SAR 100/)
})

t.test('if a row certainly sets the VAT rate, rows that may apply are not mentioned', async t => {
  const certainty = new Map([
    ['Drinks with little sugar', { rate: '3', applies: 'perhaps' as const }],
    ['Drinks with sugar', { rate: '7', applies: 'yes' as const }],
  ])
  const both = withCountry(({ taxes }) => ({
    taxes: taxes.map(tax => {
      const row = certainty.get(tax.goods.en)
      return row === undefined ? tax : { ...tax, ...row, tax: 'vat' as const }
    }),
  }))
  const found = estimate('010221', {}, both)
  t.equal(found.vatRate.toFixed(), '7')
  t.notMatch(textOf(found.warnings), /VAT may be/)
})

t.test("a converted estimate has the rate to six decimals, and amounts with the decimals of the country's currency", async t => {
  const found = estimate('8517', { currency: 'AED', convert: true }).converted
  t.equal(found?.rate.toFixed(), '1.021103', '3.75 / 3.6725')
  const thousandths = withCountry(() => ({ decimals: 3 }))
  const precise = estimate('8517', { value: '0.33', currency: 'AED', convert: true }, thousandths).converted
  t.equal(precise?.amounts.customsValue.toFixed(), '0.337')
})

t.test('a rounded total is the sum of the rounded charges', async t => {
  const small = new Decimal('0.004')
  const charges = { dutyAmount: small, exciseAmount: small, feesAmount: small, vatAmount: small }
  const rounded = roundedCost({ customsValue: new Decimal('1.004'), ...charges }, 2)
  t.equal(rounded.totalDutiesTaxes.toFixed(), '0')
  t.equal(rounded.landedCost.toFixed(), '1')
})

t.test('taxes by litre, piece and gram have the UN/ECE codes of these units', async t => {
  t.strictSame(
    TAX_UNITS.map(unit => [unit, taxUnitUnece(unit)]),
    [
      ['l', 'LTR'],
      ['u', 'H87'],
      ['g', 'GRM'],
    ],
  )
  t.equal(taxUnitUnece(null), null)
})
