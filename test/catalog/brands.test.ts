import t from 'tap'
import { Brands } from '../../src/catalog/brands.js'
import type { Brand, BrandKind } from '../../src/snapshot/format.js'
import { words } from '../../src/text/fold.js'

const brand = (spellings: string, kind: BrandKind = ''): Brand => ({ spellings: spellings.split(';'), codes: ['8517'], kind })
const brands = new Brands([
  brand('iphone;ايفون', 'line'),
  brand('samsung;سامسونج'),
  brand('samsung galaxy', 'line'),
  brand('nio', 'word'),
])
/** Each name with its model in brackets. */
const found = (text: string) => {
  const all = words(text)
  return brands
    .find(all)
    .map(({ at, end, modelEnd }) => `${all.slice(at, end).join(' ')} (${all.slice(end, modelEnd).join(' ')})`)
}

t.test('a name is found with the model after it, the longest name first', async t => {
  t.strictSame(found('Apple iPhone 15 Pro Max case'), ['iphone (15 pro max)'])
  t.strictSame(found('Samsung Galaxy S24 Ultra phone'), ['samsung galaxy (s 24 ultra)'])
  t.strictSame(found('samsung tv, NIO ES6'), ['samsung ()', 'nio (es 6)'])
  t.strictSame(found('جوال الايفون 15'), ['الايفون (15)'], 'with the Arabic article')
})

t.test('a part of a word is not a name, and a preposition not a model', async t => {
  t.strictSame(found('iphones nios'), [])
  t.strictSame(found('samsung of 65'), ['samsung ()'])
})
