import fc from 'fast-check'
import t from 'tap'
import { Decimal } from '../../src/catalog/amount.js'
import { type CostTerms, computeLandedCost, feeOf } from '../../src/catalog/landed-cost.js'

const decimal = (text: string) => new Decimal(text)
const PLAIN: CostTerms = {
  value: decimal('1000'),
  freight: undefined,
  insurance: undefined,
  dutyRate: decimal('5'),
  excise: undefined,
  fees: [],
  vatRate: decimal('15'),
  vatBase: ['duty', 'excise', 'fees'],
}

t.test('duty is charged on goods, freight and insurance; VAT is charged on all of these and the duty', async t => {
  const cost = computeLandedCost({
    ...PLAIN,
    value: decimal('900'),
    freight: decimal('80'),
    insurance: decimal('20'),
    fees: [{ rate: decimal('0.15'), amount: undefined, minimum: decimal('15'), maximum: decimal('500') }],
  })
  t.equal(cost.customsValue.toFixed(), '1000')
  t.equal(cost.dutyAmount.toFixed(), '50')
  t.equal(cost.feesAmount.toFixed(), '15', 'the fee is at least its minimum')
  t.equal(cost.vatAmount.toFixed(), '159.75', 'VAT is 15 % of 1065')
  t.equal(cost.landedCost.toFixed(), '1224.75')
})

t.test('excise by value is charged on customs value and duty, or on the minimum price', async t => {
  const rate = decimal('100')
  const byValue = computeLandedCost({
    ...PLAIN,
    dutyRate: decimal('100'),
    excise: { by: 'value', rate, minimumPrice: undefined },
  })
  t.equal(byValue.exciseAmount.toFixed(), '2000')
  t.equal(byValue.vatAmount.toFixed(), '600', 'VAT is 15 % of 4000')
  const byMinimumPrice = computeLandedCost({ ...PLAIN, excise: { by: 'value', rate, minimumPrice: decimal('4000') } })
  t.equal(byMinimumPrice.exciseAmount.toFixed(), '4000')
})

t.test('excise per litre does not depend on the value', async t => {
  const cost = computeLandedCost({ ...PLAIN, excise: { by: 'quantity', amount: decimal('1.09'), quantity: decimal('250') } })
  t.equal(cost.exciseAmount.toFixed(), '272.5')
})

t.test('a fee is a flat amount, or a percentage of the value between its minimum and maximum', async t => {
  const NONE = { rate: undefined, amount: undefined, minimum: undefined, maximum: undefined }
  const rate = decimal('1')
  for (const [terms, expected] of [
    [{ amount: decimal('20') }, '20'],
    [{}, '0'],
    [{ rate }, '10'],
    [{ rate, minimum: decimal('15') }, '15'],
    [{ rate, minimum: decimal('5') }, '10'],
    [{ rate, maximum: decimal('5') }, '5'],
    [{ rate, maximum: decimal('15') }, '10'],
  ] as const)
    t.equal(feeOf({ ...NONE, ...terms }, decimal('1000')).toFixed(), expected, JSON.stringify(terms))
})

t.test('VAT is not charged on duty if the VAT base does not include it', async t => {
  t.equal(computeLandedCost({ ...PLAIN, vatBase: [] }).vatAmount.toFixed(), '150')
})

t.test('totals are exact sums, and fees stay within their limits, for any terms', async t => {
  const cents = fc.integer({ min: 1, max: 1e12 }).map(n => new Decimal(n).dividedBy(100))
  const percent = fc.integer({ min: 0, max: 20000 }).map(n => new Decimal(n).dividedBy(100))
  const terms = fc.record({
    value: cents,
    freight: cents,
    insurance: cents,
    dutyRate: percent,
    vatRate: percent,
    excise: percent,
    fee: percent,
  })
  fc.assert(
    fc.property(terms, ({ value, freight, insurance, dutyRate, vatRate, excise, fee }) => {
      const limits = { minimum: decimal('15'), maximum: decimal('500') }
      const cost = computeLandedCost({
        value,
        freight,
        insurance,
        dutyRate,
        vatRate,
        excise: { by: 'value', rate: excise, minimumPrice: undefined },
        fees: [{ rate: fee, amount: undefined, ...limits }],
        vatBase: ['duty', 'excise', 'fees'],
      })
      const { customsValue, dutyAmount, exciseAmount, feesAmount, vatAmount, totalDutiesTaxes, landedCost } = cost
      if (!customsValue.equals(value.plus(freight).plus(insurance))) return false
      if (!totalDutiesTaxes.equals(dutyAmount.plus(exciseAmount).plus(feesAmount).plus(vatAmount))) return false
      if (feesAmount.lessThan(15) || feesAmount.greaterThan(500)) return false
      if (!vatAmount.times(100).equals(customsValue.plus(dutyAmount).plus(exciseAmount).plus(feesAmount).times(vatRate)))
        return false
      return landedCost.equals(customsValue.plus(totalDutiesTaxes))
    }),
  )
  t.pass('the property holds for all generated cases')
})
