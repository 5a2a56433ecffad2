import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { checkDataset } from '../../build/checks/check.js'
import { readDataset } from '../../build/dataset/read.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { STEPS_MAX } from '../../src/catalog/search/steps.js'
import { costliestSuggestion } from '../catalog/costliest-suggestion.js'
import { costliestQuery } from '../catalog/search/costliest-query.js'
import { shippedSnapshot } from '../support/service.js'

const PHRASES = fileURLToPath(new URL('../../bench/relevance/phrases.tsv', import.meta.url))
const SUBHEADINGS = fileURLToPath(new URL('../../bench/relevance/subheadings.tsv', import.meta.url))
/** Minimum results: three percentage points below the current ones, because a larger drop is not chance. */
const FLOORS = {
  en: { found: 0.97, reciprocalRank: 0.955 },
  ar: { found: 0.966, reciprocalRank: 0.952 },
}
const SUBHEADING_FLOORS = {
  en: { found: 0.948, reciprocalRank: 0.873 },
  ar: { found: 0.93, reciprocalRank: 0.766 },
}
const HEAD_WORDS = fileURLToPath(new URL('../../bench/relevance/head-words.tsv', import.meta.url))
const HEAD_FLOORS = { en: { first: 0.963, near: 0.967 }, ar: { first: 0.92, near: 0.953 } }
const AS_TYPED = fileURLToPath(new URL('../../bench/relevance/as-typed.tsv', import.meta.url))
const TYPED_FLOOR = { first: 0.86, near: 0.944 }

const SEED = 20220101
/** If the search for costly queries finds none with this many steps, the test proves nothing. */
const ATTACK_STEPS_MIN = STEPS_MAX / 2

const dataset = await readDataset(fileURLToPath(new URL('../../dataset', import.meta.url)))
const snapshot = await shippedSnapshot()
const catalog = new Catalog(snapshot)

t.test('the shipped dataset has no defects and can be queried', async t => {
  t.strictSame(checkDataset(dataset), [])
  for (const code of ['85', '8523', '852321', '85232100', '852321000000']) {
    t.ok(catalog.trie.find(code) >= 0, `${code} is found`)
  }
  const rateText = (record: number) => catalog.meta.rates[catalog.rateIndex(record)]
  t.equal(rateText(catalog.trie.find('852321000000')), '0', 'cards with a magnetic stripe are free of duty')
  t.equal(rateText(catalog.trie.find('852380')), '5', 'other recording media have 5 %')
  t.equal(rateText(catalog.trie.find('240220')), '100', 'cigarettes have 100 %')
  t.equal(rateText(catalog.trie.find('851713')), '0', 'smartphones are free of duty')
  t.equal(rateText(catalog.trie.find('010391')), '5', 'swine have 5 %')
})

t.test('every rate of the shipped dataset has a source, and every chapter except 98 is in a section', async t => {
  const withoutSource = Array.from({ length: catalog.meta.records }, (_, record) => record).filter(
    record => catalog.rateOf(record).source === undefined,
  )
  t.strictSame(withoutSource, [])
  const rateOrigin = (code: string) => {
    const { from, source } = catalog.rateOf(catalog.trie.find(code))
    return [from, source?.certainty]
  }
  t.strictSame(rateOrigin('090121'), ['0901', 'published'], 'the rate of coffee is published for its heading')
  t.strictSame(rateOrigin('870323'), ['87', 'general'], 'the rate of cars is the general rate of the chapter')
  t.strictSame(rateOrigin('721420'), ['72', 'uncertain'], 'the rate of reinforcing bars is uncertain')
  const { sections } = catalog.meta
  t.equal(sections.length, 21)
  const chapters = dataset.rows.map(({ hs_code }) => hs_code).filter(code => code.length === 2)
  t.strictSame(
    chapters.filter(chapter => !sections.some(section => section.chapters.includes(chapter))),
    ['98'],
  )
})

const codesFor = (query: string, count: number, level = 0, within = '') =>
  Array.from(catalog.search.find(query, level, 0, count, within).records, record => catalog.records.code(record))

const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t'))

for (const [level, file, floors, countMin] of [
  ['heading', PHRASES, FLOORS, 500],
  ['subheading', SUBHEADINGS, SUBHEADING_FLOORS, 200],
] as const)
  t.test(`search finds the ${level} that a person expects`, async t => {
    for (const [lang, floor] of Object.entries(floors)) {
      const phrases = rowsOf(file).filter(([phraseLang]) => phraseLang === lang)
      const ranks = phrases.map(
        ([, query = '', expected = '']) => codesFor(query, 10).findIndex(code => code.startsWith(expected)) + 1,
      )
      const share = ranks.filter(rank => rank > 0).length / phrases.length
      const rank = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / phrases.length
      t.ok(phrases.length > countMin, `there are ${phrases.length} phrases in ${lang}`)
      t.ok(share >= floor.found, `${lang}: the share found is ${share.toFixed(4)}, at least ${floor.found}`)
      t.ok(
        rank >= floor.reciprocalRank,
        `${lang}: the mean reciprocal rank is ${rank.toFixed(4)}, at least ${floor.reciprocalRank}`,
      )
    }
  })

/** The same rule as in bench/relevance.mjs. */
function isAccepted(code: string, accepted: string): boolean {
  return accepted
    .split(',')
    .some(one =>
      one.length === 2 ? code === one : code.startsWith(one) || (code.length === 4 && one.length > 4 && one.startsWith(code)),
    )
}

function sharesOf(queries: string[][], within: number, level = 0): { first: number; near: number } {
  const results = queries.map(([, query = '', accepted = '']) =>
    codesFor(query, within, level).map(code => isAccepted(code, accepted)),
  )
  return {
    first: results.filter(([first]) => first === true).length / queries.length,
    near: results.filter(list => list.includes(true)).length / queries.length,
  }
}

t.test('the first result for a common word is one that a customs officer accepts', async t => {
  for (const [lang, floor] of Object.entries(HEAD_FLOORS)) {
    const words = rowsOf(HEAD_WORDS).filter(([wordLang]) => wordLang === lang)
    t.equal(words.length, 300)
    const { first, near } = sharesOf(words, 3)
    t.ok(first >= floor.first, `${lang}: the share of accepted first results is ${first.toFixed(4)}`)
    t.ok(near >= floor.near, `${lang}: the share with an accepted result in the first three is ${near.toFixed(4)}`)
  }
})

/** Goods are declared with 12 digits, so a search at a level must also find the right code. */
const LEVEL_FLOORS = { en: 0.96, ar: 0.93 }

t.test('the first result of a search at a level is one that a customs officer accepts', async t => {
  for (const [lang, floor] of Object.entries(LEVEL_FLOORS))
    for (const level of [6, 8, 12]) {
      const words = rowsOf(HEAD_WORDS).filter(([wordLang]) => wordLang === lang)
      const { first } = sharesOf(words, 1, level)
      t.ok(first >= floor, `${lang}, ${level} digits: the share of accepted first results is ${first.toFixed(4)}`)
    }
})

t.test('a filtered search finds exactly the codes of the unfiltered search that pass the filter', async t => {
  for (const query of ['knitted cotton', 'steel', 'cotton shirts', 'قطن', 'parts of machines']) {
    const all = new Set(codesFor(query, 50_000))
    for (const level of [4, 6]) {
      const found = codesFor(query, 50_000, level)
      t.ok(
        found.length > 0 && found.every(code => all.has(code)),
        `"${query}" at level ${level} finds only codes that it also finds without a level`,
      )
    }
    for (const level of [0, 6, 12])
      t.strictSame(
        codesFor(query, 50_000, level, '61').sort(),
        codesFor(query, 50_000, level)
          .filter(code => code.startsWith('61'))
          .sort(),
        `the results of "${query}" at level ${level} within 61`,
      )
  }
})

t.test('queries as people type them find the expected heading', async t => {
  const { first, near } = sharesOf(rowsOf(AS_TYPED), 10)
  t.ok(first >= TYPED_FLOOR.first, `the share of accepted first results is ${first.toFixed(4)}`)
  t.ok(near >= TYPED_FLOOR.near, `the share with an accepted result in the first ten is ${near.toFixed(4)}`)
})

t.test('if the last word is unfinished, the first result is the code of the first suggestion', async t => {
  for (const typed of ['ban', 'bat', 'sho', 'ric', 'pho', 'lap', 'choc', 'سيا', 'ثلا']) {
    const { phrases } = catalog.suggest.find(typed, 1)
    const suggested = catalog.records.code(catalog.suggest.record(phrases[0] as number))
    t.equal(codesFor(typed, 1)[0], suggested, `the first result for "${typed}" is ${suggested}`)
    t.ok(codesFor(typed, 1, 12)[0]?.startsWith(suggested), `the first line for "${typed}" is below ${suggested}`)
  }
})

t.test('a space after the last word means that it is finished', async t => {
  t.ok(isAccepted(codesFor('cot ', 1)[0] ?? '', '9403,9402'), `"cot " finds ${codesFor('cot ', 3).join(' ')}`)
  t.equal(codesFor('cot', 1)[0], '52')
})

t.test('a typing mistake is corrected only if the word itself is unknown', async t => {
  const fryers = codesFor('air fryer', 10)
  t.equal(fryers[0], '851660')
  t.notOk(
    fryers.some(code => code.startsWith('851631')),
    '"fryer" does not find hair dryers',
  )
  t.ok(codesFor('yamaha outboard 75hp', 1)[0]?.startsWith('840721'), '"yamaha" does not find yams')
  for (const typed of ['brocolli', 'brocoli', 'borccoli']) t.ok(codesFor(typed, 1)[0]?.startsWith('0704'), typed)
})

t.test('amounts and model names do not change the first result', async t => {
  for (const [good, query] of [
    ['outboard motor', 'outboard motor 75hp'],
    ['vacuum cleaner', 'dyson v11 vacuum cleaner'],
    ['iphone', 'iphone 11fc'],
    ['مكنسة كهربائية', 'مكنسة كهربائية v11'],
    ['rice', 'rice 5kg'],
  ] as const)
    t.equal(codesFor(query, 1)[0], codesFor(good, 1)[0], query)
})

t.test('dialect words of the Gulf are understood', async t => {
  for (const [word, headings] of [
    ['ماي', '2201'],
    ['طرمبة', '8413'],
    ['لي', '8307,3917,4009,5909'],
    ['لي ماي', '3917,4009,5909'],
    ['تانكي', '7309,3925'],
    ['تانكي ماي', '7309,3925'],
    ['زولية', '57,5701,5702,5703'],
    ['نعال', '6402,6403,6404,6405'],
    ['دباب', '8711'],
    ['موتر', '8703'],
    ['بنكة', '8414'],
    ['كنبل', '6301'],
    ['بمبر', '8708'],
    ['سلف', '8511'],
  ] as const) {
    const [first = ''] = codesFor(word, 1)
    t.ok(isAccepted(first, headings), `the first result for "${word}" is ${first}`)
  }
})

t.test('a stainless steel bottle is not found among goods "other than stainless"', async t => {
  const found = codesFor('stainless steel bottle', 10)
  t.ok(found.indexOf('732393') >= 0 && !found.includes('732399'), `the search finds ${found.join(' ')}`)
})

t.test('no query takes more steps than the limit', async t => {
  const { query, level, offset, steps } = costliestQuery(catalog.search, snapshot, SEED)
  t.ok(steps <= STEPS_MAX, `"${query}" takes ${steps} steps (level ${level}, offset ${offset})`)
  t.ok(steps >= ATTACK_STEPS_MIN, `the costliest query found takes ${steps} steps`)
})

t.test('suggestions name the goods that people expect, and take no more steps than their limit', async t => {
  const { suggest, records } = catalog
  const suggestions = (text: string) => {
    const { phrases, count } = suggest.find(text, 10)
    return Array.from(
      phrases.subarray(0, count),
      phrase => `${suggest.text(phrase)} ${records.code(suggest.record(phrase)).slice(0, 4)}`,
    )
  }
  for (const [typed, expected] of [
    ['te', 'tea 0902'],
    ['tea', 'tea 0902'],
    ['lap', 'laptops 8471'],
    ['labtop', 'laptops 8471'],
    ['sma', 'smart phones 8517'],
    ['car', 'cars 8703'],
    ['ch', 'cheeses 0406'],
    ['tyr', 'tyres 4011'],
    ['شا', 'شاي 0902'],
    ['عط', 'عطور 3303'],
    ['تمر', 'تمر 0804'],
    ['سيار', 'سيارات 8703'],
  ] as const)
    t.ok(suggestions(typed).slice(0, 5).includes(expected), `"${typed}" suggests ${suggestions(typed).join(', ')}`)
  const { text, steps } = costliestSuggestion(suggest, snapshot.vocabulary, SEED)
  t.ok(steps <= STEPS_MAX, `suggestions for "${text}" take ${steps} steps`)
  t.ok(steps >= STEPS_MAX / 4, `the costliest text found takes ${steps} steps`)
})
