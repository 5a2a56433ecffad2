import t from 'tap'
import { differenceOf, withoutFinalExclusion } from '../../../src/catalog/classify/difference.js'

const difference = (texts: string[], above = '') => {
  const { lead, rests } = differenceOf(texts, above)
  return [lead, ...rests]
}

t.test('the lead is the common part of the texts, and the answers are the rest of each text', async t => {
  t.strictSame(difference(['Tyres for buses', 'Tyres for aircraft']), ['Tyres', 'For buses', 'For aircraft'])
  t.strictSame(difference(['Coils, over 1 mm up to 2 mm thick', 'Coils, over 2 mm thick']), [
    'Coils',
    'Over 1 mm up to 2 mm thick',
    'Over 2 mm thick',
  ])
  t.strictSame(difference(['Red wool, not knitted', 'Blue wool, not knitted']), ['', 'Red wool', 'Blue wool'])
  t.strictSame(difference(['إطارات جديدة للحافلات', 'إطارات جديدة للطائرات']), ['إطارات جديدة', 'للحافلات', 'للطائرات'])
})

t.test('texts are not cut before a word that belongs to them', async t => {
  const whole = (...texts: string[]) => t.strictSame(difference(texts), ['', ...texts])
  whole('Bobbins, spools and cones', 'Bobbins, cops and tubes')
  whole('Bags (for coal)', 'Bags (for sand)')
  whole('Yarn', 'Yarn for nets')
  whole('Mixes without ether, chlorine or iron', 'Mixes without ether, bromine or iron')
  t.strictSame(difference(['Tape with 5% or more wool', 'Tape with 5% or more silk']), [
    'Tape',
    'With 5% or more wool',
    'With 5% or more silk',
  ])
})

t.test('a long exclusion is dropped unless the rest would also describe another text or the code above', async t => {
  const other = 'Boxes of wood'
  const long = 'Cases, crates and drums for carrying goods by sea, other than boxes, tubs, casks and barrels'
  t.strictSame(difference([long, other]), ['', 'Cases, crates and drums for carrying goods by sea', other])
  t.strictSame(difference([long, 'Steel cases, crates and drums for carrying goods by sea and air'])[1], long)
  t.strictSame(difference([long, other], 'Cases, crates, drums and boxes for carrying goods by sea')[1], long)
})

t.test('a long text is cut after a clause or between words', async t => {
  const clauses = `Machines for ${'sorting '.repeat(6)}seeds, ${'sieving '.repeat(12)}`
  t.equal(difference([clauses, 'Sieves'])[1], `Machines for ${'sorting '.repeat(6)}seeds…`)
  t.match(difference(['sorting '.repeat(20), 'Sieves'])[1], /^Sorting( sorting)+…$/)
})

t.test('texts that differ only after the cut stay whole', async t => {
  const long = 'sorting '.repeat(20)
  t.strictSame(difference([`${long}seeds`, `${long}beans`]), ['', `${long}seeds`, `${long}beans`])
  t.strictSame(difference(['', '']), ['', '', ''])
})

t.test('an exclusion is removed only at the end of a text, and only if the rest is complete', async t => {
  t.equal(withoutFinalExclusion('Seats, other than medical'), 'Seats')
  t.equal(withoutFinalExclusion('Seats (not medical)'), 'Seats (not medical)')
  t.equal(withoutFinalExclusion('Seats of materials other than wood'), 'Seats of materials other than wood')
  t.equal(withoutFinalExclusion('Seats, not of wood, for cars'), 'Seats, not of wood, for cars')
})
