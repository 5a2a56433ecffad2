/** Amounts as people write them: accepted only if they are unambiguous. */
import fc from 'fast-check'
import t from 'tap'
import { grouped, placesOf, readAmount, readPercent, rounded } from '../../src/web/app/text/amounts.js'

const KNOWN = ['AED', 'KWD', 'USD', 'EUR', 'INR']
const read = (text: string, currency = 'AED') => readAmount(text, currency, KNOWN)
const plain = (text: string, currency = 'AED') => {
  const reading = read(text, currency)
  return reading.kind === 'amount' ? reading.value : reading.kind
}

t.test('group and decimal separators are told apart', async t => {
  const amounts: Record<string, string> = {
    '1000': '1000',
    '007': '7',
    '5.': '5',
    '.5': '0.5',
    ',5': '0.5',
    '12.345,67': '12345.67',
    '12,345.67': '12345.67',
    '1.234.567,89': '1234567.89',
    '1,234,567': '1234567',
    '1.234.567': '1234567',
    '1,234.567': '1234.567',
    '1.234,567': '1234.567',
    '12 345,67': '12345.67',
    "12'345.67": '12345.67',
    '12\u202f345,67': '12345.67',
    '12,34,567.50': '1234567.50',
    '12,5': '12.5',
    '1234,56': '1234.56',
    '1,234': '1234',
    '0.125': '0.125',
    '1234.567': '1234.567',
    '1.2345': '1.2345',
    '٢٬٠٠٠': '2000',
    '١٢٬٣٤٥٫٦٧': '12345.67',
    '١٢٫٣٤٥': '12.345',
    '۱۲۳': '123',
    '\u200f500\u200f': '500',
  }
  for (const [text, value] of Object.entries(amounts)) t.equal(plain(text), value, text)
})

t.test('an ambiguous amount has two readings, each in an unambiguous form', async t => {
  t.strictSame(read('1.234'), { kind: 'unclear', grouped: '1,234', decimal: '1.2340' })
  t.equal(plain('1,234'), '1234')
  t.equal(plain('1.2340'), '1.2340')
  t.equal(read('999.999', 'USD').kind, 'unclear')
  t.equal(plain('1.234', 'KWD'), '1.234', 'amounts of three decimals are written in full')
  t.equal(plain('1.234 KWD', 'AED'), '1.234', 'the same is true for a currency that is named with the amount')
})

t.test('the currency beside an amount is recognised', async t => {
  const currencies: Record<string, string | null> = {
    $500: 'USD',
    'US$ 500': 'USD',
    '500 €': 'EUR',
    '500 AED': 'AED',
    'aed 500': 'AED',
    'Dhs.500': 'AED',
    'Dhs. 500/-': 'AED',
    '500 د.إ': 'AED',
    '٥٠٠ درهم': 'AED',
    'KD 500': 'KWD',
    '₹500': 'INR',
    '¥500': null,
    '500': null,
    'USD 500 USD': 'USD',
  }
  for (const [text, currency] of Object.entries(currencies))
    t.strictSame(read(text), { kind: 'amount', value: '500', currency }, text)
  t.equal(plain('1,000 AED'), '1000')
  t.equal(plain('$.5'), '0.5')
})

t.test('other texts are not read as amounts', async t => {
  const refused = [
    '-5',
    '15%',
    'tea',
    '5 kg',
    '1.2.3',
    '1,23,45',
    '1,2345,678',
    '1..2',
    '.',
    '1 2',
    '1e5',
    '1/2',
    '½',
    '$5 EUR',
    'constructor 5',
  ]
  for (const text of refused) t.strictSame(read(text), { kind: 'bad' }, text)
  for (const text of ['', '  ', '\u200f']) t.strictSame(read(text), { kind: 'empty' })
})

t.test('a percentage may end in a per cent sign and never has thousands separators', async t => {
  const rates: Record<string, string | null> = {
    '15%': '15',
    '15 %': '15',
    '%15': '15',
    '١٥٪': '15',
    '5,5': '5.5',
    '5.125': '5.125',
    '5,125': '5.125',
    '': '',
    x: null,
    '5 AED': null,
  }
  for (const [text, rate] of Object.entries(rates)) t.equal(readPercent(text), rate, text)
})

t.test('every amount is read back from every notation', async () => {
  const amounts = fc.tuple(fc.bigInt({ min: 1n, max: 999_999_999_999n }), fc.integer({ min: 0, max: 99 }))
  const arabic = (text: string) => text.replace(/\d/g, digit => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] as string)
  const ways = fc.constantFrom(
    { group: ',', point: '.' },
    { group: '.', point: ',' },
    { group: ' ', point: ',' },
    { group: "'", point: '.' },
    { group: '٬', point: '٫' },
    { group: '', point: '.' },
    { group: '', point: ',' },
  )
  const around = fc.constantFrom(['', ''], ['$', ''], ['AED ', ''], ['', ' AED'], ['', ' د.إ'], [' ', ' '])
  fc.assert(
    fc.property(amounts, ways, around, fc.boolean(), ([whole, cents], { group, point }, [before, after], isArabic) => {
      const decimals = String(cents).padStart(2, '0')
      const digits = grouped(String(whole)).replaceAll(',', group) + point + decimals
      const text = `${before}${isArabic ? arabic(digits) : digits}${after}`
      return plain(text) === `${whole}.${decimals}`
    }),
    { numRuns: 500 },
  )
})

t.test('no typed text causes an exception, and every value that is read is a decimal', async () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."0123456789.,٫٬ '$%-eAED٣"), maxLength: 20, size: 'max' }),
  )
  fc.assert(
    fc.property(texts, text => {
      const reading = read(text)
      const rate = readPercent(text)
      const isDecimal = (value: string) => /^(0|[1-9]\d*)(\.\d+)?$/.test(value)
      if (reading.kind === 'amount' && !isDecimal(reading.value)) return false
      return rate === null || rate === '' || isDecimal(rate)
    }),
    { numRuns: 2000 },
  )
})

t.test('figures are rounded half up to the decimals of the currency, however many digits they have', async t => {
  for (const [currency, places] of Object.entries({ AED: 2, USD: 2, KWD: 3, BHD: 3, OMR: 3, JPY: 0 }))
    t.equal(placesOf(currency), places, currency)
  t.equal(rounded('13.612345', 2), '13.61')
  t.equal(rounded('0.005', 2), '0.01')
  t.equal(rounded('0.0049', 2), '0.00')
  t.equal(rounded('999999999999999999.995', 2), '1000000000000000000.00')
  t.equal(rounded('5', 3), '5.000')
  t.equal(rounded('1.5', 0), '2')
  t.equal(grouped('1118249999999.98'), '1,118,249,999,999.98')
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 4 }),
      (n, had, places) => {
        const text = String(n).padStart(had + 1, '0')
        const literal = had === 0 ? text : `${text.slice(0, -had)}.${text.slice(-had)}`
        const scale = 10n ** BigInt(places)
        const expected = (2n * n * scale + 10n ** BigInt(had)) / (2n * 10n ** BigInt(had))
        return BigInt(rounded(literal, places).replace('.', '')) === expected
      },
    ),
  )
})
