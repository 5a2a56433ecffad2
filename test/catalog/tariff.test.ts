import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import t from 'tap'
import { amountText, parseRate, parseValue } from '../../src/catalog/amount.js'
import { computeTariff } from '../../src/catalog/tariff.js'

const Exact = Decimal.clone({ precision: 100 })

t.test('for any value and rate, the results equal those of exact decimal arithmetic', async t => {
  const rate = fc
    // up to 8 decimal places, more than a dataset may have
    .tuple(fc.nat(10_000), fc.nat(8))
    .map(([digits, places]) => new Exact(digits).div(new Exact(10).pow(places)).toFixed())
  const value = fc.oneof(
    fc.tuple(fc.nat(999_999_999), fc.nat(3)).map(([digits, places]) => (digits / 10 ** places).toFixed(places)),
    fc
      .tuple(fc.bigInt(1n, 999_999_999_999_999n), fc.nat(6))
      .map(([digits, places]) => new Exact(digits.toString()).div(new Exact(10).pow(places)).toFixed()),
  )
  fc.assert(
    fc.property(value, rate, rate, (text, dutyRate, vatRate) => {
      const parsed = parseValue(text)
      const exact = new Exact(text)
      const accepted = exact.gte('0.01') && exact.lte('999999999999.99') && exact.precision() <= 15
      if (parsed === undefined) return !accepted
      const duty = exact.times(dutyRate).div(100)
      const vat = exact.plus(duty).times(vatRate).div(100)
      const result = computeTariff(parsed, parseRate(dutyRate), parseRate(vatRate))
      return (
        accepted &&
        amountText(result.declaredValue) === exact.toFixed() &&
        amountText(result.dutyAmount) === duty.toFixed() &&
        amountText(result.vatAmount) === vat.toFixed() &&
        amountText(result.totalDutiesTaxes) === duty.plus(vat).toFixed() &&
        amountText(result.landedCost) === exact.plus(duty).plus(vat).toFixed()
      )
    }),
    { numRuns: 5000 },
  )
  t.pass('the property holds for all generated cases')
})
