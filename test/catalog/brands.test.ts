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
/** Returns the brand names in the text, each followed by its model in brackets. */
const namesIn = (text: string) => {
  const all = words(text)
  return brands
    .find(all)
    .map(({ at, end, modelEnd }) => `${all.slice(at, end).join(' ')} (${all.slice(end, modelEnd).join(' ')})`)
}

t.test('the longest brand name is found, with the model after it', async t => {
  t.strictSame(namesIn('Apple iPhone 15 Pro Max case'), ['iphone (15 pro max)'])
  t.strictSame(namesIn('Samsung Galaxy S24 Ultra phone'), ['samsung galaxy (s 24 ultra)'])
  t.strictSame(namesIn('samsung tv, NIO ES6'), ['samsung ()', 'nio (es 6)'])
  t.strictSame(namesIn('جوال الايفون 15'), ['الايفون (15)'], 'an Arabic article before the name is ignored')
})

t.test('a part of a word is not a brand name, and a preposition does not start a model', async t => {
  t.strictSame(namesIn('iphones nios'), [])
  t.strictSame(namesIn('samsung of 65'), ['samsung ()'])
})
