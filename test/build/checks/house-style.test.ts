import t from 'tap'
import { checkHouseStyle, expectedCodes } from '../../../build/checks/house-style.js'
import type { Manifest } from '../../../build/dataset/manifest.js'
import type { Row } from '../../../build/dataset/rows.js'

const MANIFEST: Manifest = {
  edition: 'T',
  vat_rate: 5,
  line_digits: [8, 12],
  rates: [0, 5],
  codes: { '01': '0101 21 29; 0102' },
}

const row = (code: string, changes: Partial<Row> = {}): Row => ({
  file: 'chapters/01.csv',
  line: 2,
  hs_code: code,
  description_en: `Goods of ${code}`,
  description_ar: `بضائع ${code}`,
  tariff_rate: '',
  is_active: '',
  keywords_en: '',
  keywords_ar: '',
  ...changes,
})

const CODES = ['01', '0101', '010121', '010129', '0102']
const good = () => CODES.map(code => row(code))

t.test('a dataset in house style has no defects', async t => {
  t.strictSame([...expectedCodes(MANIFEST)], CODES)
  t.strictSame(checkHouseStyle(good(), MANIFEST), [])
  t.strictSame(checkHouseStyle([...good(), row('01012100')], MANIFEST), [], 'the manifest need not list codes of lines')
})

t.test('the dataset must have exactly the chapters, headings and subheadings that the manifest lists', async t => {
  t.match(checkHouseStyle(good().slice(1), MANIFEST), [{ file: 'manifest.json', message: /01 is listed but has no row/ }])
  t.match(checkHouseStyle([...good(), row('0103')], MANIFEST), [{ message: /0103 is not among/ }])
})

t.test('each rule reports its defect', async t => {
  for (const [changes, message] of [
    [{ description_en: 'Other' }, /is only "Other"/],
    [{ description_en: 'other articles' }, /is only/],
    [{ description_ar: 'غيرها' }, /is only/],
    [{ description_en: 'Goods خيول' }, /has Arabic letters/],
    [{ description_ar: 'goods' }, /no Arabic letter/],
    [{ description_ar: 'بضائع something' }, /Latin word "something"/],
    [{ description_en: 'x'.repeat(201) }, /longer than 200/],
    [{ description_en: 'Goods.' }, /ends with a punctuation mark/],
    [{ description_ar: 'بضائع،' }, /ends with a punctuation mark/],
    [{ description_en: 'Two  spaces' }, /two spaces/],
    [{ description_en: 'Goods (of wood' }, /unbalanced/],
    [{ description_ar: 'بضـائع' }, /tatweel/],
    [{ description_ar: 'بضائعٌ' }, /vowel mark/],
    [{ description_en: 'Men’s goods' }, /curly/],
    [{ description_ar: 'بضائع ١٢' }, /Arabic-Indic/],
    [{ description_en: 'goods' }, /capital/],
    [{ keywords_en: 'a; b; A' }, /repeats "A"/],
    [{ keywords_en: 'a;; b' }, /empty keyword/],
    [{ keywords_en: 'خيل' }, /has the Arabic/],
    [{ keywords_ar: 'horse' }, /without an Arabic letter/],
    [{ keywords_ar: 'خـيل' }, /tatweel/],
    [{ keywords_en: 'x'.repeat(61) }, /longer than 60/],
    [{ tariff_rate: '7' }, /rate 7 is not among/],
  ] as [Partial<Row>, RegExp][]) {
    const rows = good()
    rows[2] = row('010121', changes)
    const messages = checkHouseStyle(rows, MANIFEST).map(defect => defect.message)
    t.ok(
      messages.some(text => message.test(text)),
      `${JSON.stringify(changes)} is reported: ${messages.join(' | ')}`,
    )
  }
})

t.test('siblings must have different descriptions; a code and its only child may have the same one', async t => {
  const rows = good()
  rows[3] = row('010129', { description_ar: rows[2]?.description_ar as string })
  t.match(checkHouseStyle(rows, MANIFEST), [{ message: /010129 reads like its sibling 010121 in description_ar/ }])
  const child = row('01012100', { description_en: 'Goods of 010121', description_ar: 'بضائع 010121' })
  t.strictSame(checkHouseStyle([...good(), child], MANIFEST), [])
})
