import t from 'tap'
import { checkBrackets, checkExclusions, checkNumbers, checkPercentages, numbersIn } from '../../../build/checks/house-words.js'
import type { Row } from '../../../build/dataset/rows.js'
import { row } from '../../support/rows.js'

const messages = (defects: { message: string }[]) => defects.map(({ message }) => message)
const pair = (description_en: string, description_ar: string): Row[] => [row('0101', { description_en, description_ar })]

t.test('examples in brackets must come before an exclusion, in either language', async t => {
  t.match(messages(checkBrackets(pair('Bovines other than cattle (eland)', 'أبقار'))), [/^description_en has brackets/])
  t.match(messages(checkBrackets(pair('Bovines, except cattle (eland)', 'أبقار'))), [/^description_en has brackets/])
  t.match(messages(checkBrackets(pair('Bovines', 'أبقار عدا الجاموس (إيلند)'))), [/^description_ar has brackets/])
  t.match(messages(checkBrackets(pair('Bovines', 'أبقار من غير الجاموس (إيلند)'))), [/^description_ar has brackets/])
})

t.test('brackets before an exclusion, inside it, or without an exclusion are accepted', async t => {
  for (const [english, arabic] of [
    ['Bovines (eland), other than cattle', 'أبقار (إيلند) عدا الجاموس'],
    ['Bovines other than cattle (cows) and buffalo', 'أبقار عدا البقر (الأليف) والجاموس'],
    ['Horses (ponies)', 'خيول (مهور)'],
    ['Articles of exceptional size (large)', 'أصناف الصعدات (كبيرة)'],
  ] as const) {
    t.strictSame(checkBrackets(pair(english, arabic)), [], english)
  }
})

t.test('numbers are read with the separators of either language', async t => {
  t.strictSame(numbersIn('over 1,000 up to 2.50 kg'), [2.5, 1000])
  t.strictSame(numbersIn('فوق 1000 حتى 2٫5 كجم'), [2.5, 1000])
  t.strictSame(numbersIn('1,1,2-trichloroethane'), [1, 1, 2])
  t.strictSame(numbersIn('none'), [])
})

t.test('a number that one language lacks or changes is reported', async t => {
  t.match(messages(checkNumbers(pair('Pigs of 50 kg or more', 'خنازير'))), [/50 in English, none in Arabic/])
  t.match(messages(checkNumbers(pair('Pigs of 50 kg', 'خنازير وزنها 5 كجم'))), [/50 in English, 5 in Arabic/])
  t.match(
    messages(checkNumbers(pair('5 to 5 kg', '5 كجم'))),
    [/5 5 in English, 5 in Arabic/],
    'a number that occurs more often in one language is reported',
  )
})

t.test('a unit that one language lacks or changes is reported', async t => {
  for (const [english, arabic, unit] of [
    ['of 50 kg', 'وزنها 50 جم', 'kg'],
    ['of 50 g', 'وزنها 50 كجم', 'kg'],
    ['up to 5 mm', 'حتى 5 سم', 'mm'],
    ['up to 5 m', 'حتى 5 م²', 'm²'],
    ['over 10%', 'فوق 10', '%'],
    ['up to 75 kVA', 'حتى 75 كيلوواط', 'kVA'],
    ['up to 80 V', 'حتى 80 واط', 'V'],
    ['up to 2 litres', 'حتى 2 مل', 'litre'],
    ['over 5 tonnes', 'فوق 5 كجم', 'tonne'],
    ['1500 cm³', '1500 سم', 'cm³'],
  ] as const) {
    const found = messages(checkNumbers(pair(`Goods ${english}`, `بضائع ${arabic}`)))
    t.ok(
      found.some(message => message.endsWith(`description has the unit ${unit}`)),
      `the unit of "${english}" is reported: ${found.join(' | ')}`,
    )
  }
})

t.test('units with the same meaning are not a defect', async t => {
  for (const [english, arabic] of [
    ['over 16 kVA up to 75 kVA', 'فوق 16 حتى 75 كيلوفولت أمبير'],
    ['under 5 g added sugar per 100 ml', 'سكر مضاف يقل عن 5 جم/100 مل'],
    ['over 200 g/m²', 'فوق 200 جم/م²'],
    ['5 to 10 kg', 'من 5 إلى 10 كجم'],
    ['up to 1,000 V', 'حتى 1000 فولت'],
    ['of grade 15W40', 'من درجة 15W40'],
    ['printed in 3D', 'مطبوعة بثلاثة أبعاد'],
    ['0.5 mm per second', '0.5 مم/ثانية'],
    ['vibration of 10 g rms', 'اهتزاز 10 أضعاف الجاذبية'],
  ] as const) {
    t.strictSame(messages(checkNumbers(pair(`Goods ${english}`, `بضائع ${arabic}`))), [], english)
  }
})

t.test('in chapters 50 to 55, and only there, a code must repeat the percentage of the code above it', async t => {
  const rows = (chapter: string, child: string) => [
    row(chapter, { description_en: 'Fabrics of 40% silk' }),
    row(`${chapter}12`, { description_en: 'Mixed fabrics, under 85% polyester' }),
    row(`${chapter}1211`, { description_en: child }),
  ]
  t.match(messages(checkPercentages(rows('55', 'Mixed fabrics, bleached'))), [/^the description lacks 85% of 5512$/])
  t.match(messages(checkPercentages(rows('50', 'Mixed fabrics, 30% wool'))), [/^the description lacks 85% of 5012$/])
  t.strictSame(checkPercentages(rows('55', 'Mixed fabrics, under 85 % polyester, bleached')), [])
  t.strictSame(checkPercentages(rows('56', 'Mixed fabrics, bleached')), [])
})

t.test('an exclusion must be in both languages', async t => {
  for (const [english, arabic, expected] of [
    ['Horses other than ponies', 'خيول', /English description excludes something, the Arabic one nothing/],
    ['Horses', 'خيول عدا المهور', /Arabic description excludes something, the English one nothing/],
  ] as const)
    t.match(messages(checkExclusions(pair(english, arabic))), [expected], english)
  for (const [english, arabic] of [
    ['Horses other than ponies', 'خيول عدا المهور'],
    ['Horses, not ponies', 'خيول من غير المهور'],
    ['Insulin, except with iodine', 'إنسولين خالية من اليود'],
    ['Uses outside medicine', 'استعمالات عدا الطب'],
    ['Animals with foals', 'حيوانات لا تركب'],
  ] as const)
    t.strictSame(checkExclusions(pair(english, arabic)), [], english)
})
