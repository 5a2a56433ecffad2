/** How the fields of the calculator are read, tested without a browser. */
import t from 'tap'
import {
  complaintsOf,
  currenciesWith,
  type Form,
  firstTyped,
  readCalculation,
  shownOf,
  withChosenCurrency,
  withNamedCurrency,
} from '../../src/web/app/record/calculation.js'
import { CURRENCIES } from '../../src/web/app/text/amounts.js'

const NOTHING = { value: '', currency: 'AED', vat: '', freight: '', insurance: '', origin: '', quantity: '', sugar: '' }
const NO_NEEDS = { unit: '', sugar: false }
const common: Form = { country: '', needs: NO_NEEDS, known: CURRENCIES }
const saudi: Form = { ...common, country: 'SA' }

const askedFor = (typed: Partial<typeof NOTHING>, form: Form) => {
  const verdict = readCalculation('220210', { ...NOTHING, ...typed }, form)
  return verdict.kind === 'question' ? Object.fromEntries(new URLSearchParams(verdict.path.split('?')[1])) : verdict
}

t.test('hidden fields are neither read nor put into addresses', async t => {
  const all = { value: '1,000', vat: '5', freight: '10', insurance: '2', origin: 'CN', quantity: '7', sugar: '9' }
  t.strictSame(askedFor(all, common), { hs_code: '220210', value: '1000', currency: 'AED', vat_rate: '5', include: 'exact' })
  t.match(askedFor(all, saudi), { freight: '10', insurance: '2', origin: 'CN' })
  t.notOk('quantity' in askedFor(all, saudi))
  const litres = askedFor(all, { ...saudi, needs: { unit: 'l', sugar: true } })
  t.match(litres, { quantity: '7', unit: 'l', sugar: '9' })
  t.notOk('sugar' in askedFor(all, { ...saudi, needs: { unit: 'l', sugar: false } }))
  t.strictSame(shownOf({ ...NOTHING, ...all }, common), { ...NOTHING, value: '1,000', vat: '5' })
})

t.test('if no VAT rate is typed, that of the country applies; for the common tariff the rate is 0', async t => {
  t.equal((askedFor({ value: '1' }, common) as Record<string, string>).vat_rate, '0')
  t.notOk('vat_rate' in askedFor({ value: '1' }, saudi))
})

t.test('each unreadable field has its error, and an ambiguous amount has both readings', async t => {
  t.strictSame(askedFor({}, saudi), { kind: 'empty' })
  t.match(askedFor({ value: 'many', freight: 'much' }, saudi), { complaints: { value: 'calcBad' } })
  t.strictSame(askedFor({ value: '1', vat: '101', freight: 'much', insurance: '€5' }, saudi), {
    kind: 'wrong',
    complaints: { vat: 'calcBadVat', freight: 'calcBad', insurance: 'calcBad' },
    unclear: undefined,
  })
  t.match(askedFor({ value: '1.234' }, common), { unclear: { name: 'value', grouped: '1,234', decimal: '1.2340' } })
  t.match(askedFor({ value: '1.234', currency: 'KWD' }, common), { value: '1.234' }, 'KWD has three decimals')
  t.strictSame(complaintsOf('vat_rate'), { vat: 'calcBadVat' })
  t.strictSame(complaintsOf('hs_code'), { value: 'calcBad' })
})

t.test('the currency is that of the amount, until another one is chosen from the list', async t => {
  const named = withNamedCurrency({ ...NOTHING, value: '€1,700' }, CURRENCIES)
  t.equal(named.currency, 'EUR')
  t.match(withChosenCurrency(named, 'SAR', CURRENCIES), { currency: 'SAR', value: '1,700' })
  t.match(withChosenCurrency({ ...NOTHING, value: '1,700' }, 'SAR', CURRENCIES), { currency: 'SAR', value: '1,700' })
  t.strictSame(currenciesWith('JPY').slice(0, 2), ['JPY', 'AED'])
})

t.test('valid values in an address replace the values typed last; invalid ones do not', async t => {
  const before = { ...NOTHING, value: '777', currency: 'SAR', freight: '5' }
  const address = { ...NOTHING, value: '9', currency: 'usd', origin: 'cn' }
  t.match(firstTyped(address, before), { value: '9', currency: 'USD', freight: '5', origin: 'CN' })
  t.match(firstTyped({ ...address, currency: 'dollars', origin: 'xx' }, before), { currency: 'SAR', origin: '' })
})
