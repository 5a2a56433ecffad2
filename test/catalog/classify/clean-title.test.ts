import t from 'tap'
import { cleanTitle } from '../../../src/catalog/classify/clean-title.js'

const words = (text: string) => cleanTitle(text).split(/\s+/).join(' ')

t.test('markup, addresses, prices and article numbers are removed from a pasted title', async t => {
  for (const [pasted, clean] of [
    ['<b>Phone</b> case<br/>black', 'Phone case black'],
    ['salt &amp; pepper&nbsp;mill &#9733;', 'salt & pepper mill'],
    ['kettle https://shop.example/p?id=1 steel', 'kettle steel'],
    ['kettle AED 49.99', 'kettle'],
    ['kettle 1,250.00 SAR new', 'kettle new'],
    ['kettle $12', 'kettle'],
    ['غلاية 120 ريال', 'غلاية'],
    ['kettle SKU: AB-1234', 'kettle'],
    ['knife S37209-001 steel 402502S610', 'knife steel'],
  ] as const)
    t.equal(words(pasted), clean)
})

t.test('grades, sizes, capacities and CAS numbers are kept', async t => {
  for (const text of [
    'SS304 pipe SCH40',
    '20000mAh power bank',
    'ethanol 64-17-5',
    'R134a gas',
    '70% cotton',
    '5 < 10 > 3',
    'tyre 205/55R16',
    'T-shirt & cap',
  ])
    t.equal(words(text), text)
})
