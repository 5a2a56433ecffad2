import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Decisions, isGtin } from '../../src/catalog/decisions.js'
import { appendDecision, readDecisions } from '../../src/decisions/decisions-file.js'
import { compiledFixture, fixtureCatalog, makeKey, startService, temporaryDirectory, testOnEngines } from '../support/service.js'

const HEADER = 'sku,gtin,text,code,country,who,day,why'
const folder = temporaryDirectory(t)
const file = join(folder, 'decisions.csv')

async function read(...rows: string[]) {
  writeFileSync(file, `${[HEADER, ...rows].join('\n')}\n`)
  return readDecisions(file)
}

testOnEngines('a decision is found by SKU, GTIN or text and comes first; other items are unchanged', async t => {
  const catalog = await fixtureCatalog()
  const key = makeKey('pro')
  const auth = { 'x-api-key': key.key }
  const plain = await startService(t, [key], catalog)
  const items = [
    { text: 'smartphone', sku: 'A-1' },
    { text: 'smartphone', gtin: '4006381333931' },
    { text: 'Magnetic CARDS!' },
    { text: 'smartphone', sku: 'B-2' },
    { text: 'smartphone', sku: 'old' },
    { text: 'smartphone', sku: 'gone' },
  ]
  const before = (await plain.post('/api/v1/classify', { items }, auth)).body.data.items
  t.notOk(before.some((item: object) => 'decision' in item))
  const own = await fixtureCatalog()
  own.decisions = new Decisions(
    await read(
      'A-1,,,8523.21,,Mona,2026-11-01,label',
      'A-1,,,010121,SA,Mona,2026-11-02,',
      ',04006381333931,,852329,,Ali,2026-11-01,',
      ',,magnetic cards,851713,,Ali,2026-11-01,',
      'gone,,,999999,,Ali,2026-11-01,',
    ),
  )
  const { post, get } = await startService(t, [key], own)
  const of = async (more = {}) => (await post('/api/v1/classify', { items, ...more }, auth)).body.data.items
  const after = await of()
  t.match(after[0], {
    status: 'decided',
    candidates: [{ hs_code: '852321', score: 1, matched: [] }],
    decision: { code: '852321', country: null, who: 'Mona', day: '2026-11-01', why: 'label', problem: null },
  })
  t.match(after[1], { status: 'decided', candidates: [{ hs_code: '852329' }] })
  t.match(after[2], { status: 'decided', candidates: [{ hs_code: '851713' }] })
  t.strictSame(after[3], before[3])
  t.match(after[5], { status: 'decided', decision: { code: '999999', problem: 'unknown_code' } })
  t.match((await of({ country: 'SA' }))[0], { candidates: [{ hs_code: '010121' }], decision: { country: 'SA' } })
  const one = await get('/api/v1/classify?text=smartphone&sku=A-1', auth)
  t.match(one.body.data.items[0], { status: 'decided' })
  const other = await plain.get('/api/v1/classify?text=smartphone&sku=A-1', auth)
  t.not(one.headers.get('etag'), other.headers.get('etag'), 'decisions change the ETag')
  for (const bad of [{ gtin: '4006381333932' }, { sku: 5 }, { gtin: '', sku: 'x'.repeat(101) }]) {
    const { status, body } = await post('/api/v1/classify', { items: [{ text: 'cards', ...bad }] }, auth)
    t.equal(status, 400)
    t.match(body.error.details.parameter, /^items\[0\]\.(?:gtin|sku)$/)
  }
})

t.test('an invalid file is refused with its line', async t => {
  for (const [row, message] of [
    [',,,8517,,Ali,2026-11-01,', /decisions\.csv:2: one of sku, gtin and text is needed/],
    ['A,123,,8517,,Ali,2026-11-01,', /:2: gtin is "123"/],
    ['A,4006381333932,,8517,,Ali,2026-11-01,', /:2: gtin .* check digit/],
    ['A,,,phones,,Ali,2026-11-01,', /:2: code is "phones"/],
    ['A,,,8517,XX,Ali,2026-11-01,', /:2: country is "XX"/],
    ['A,,,8517,,,2026-11-01,', /:2: who is blank/],
    ['A,,,8517,,Ali,today,', /:2: day is "today"/],
    ['A,,,8517', /:2: the row has 4 fields, the header 8/],
    ['A,,,8517,,Ali,2026-11-01,,more', /:2: the row has 9 fields, the header 8/],
    [`A,,${'x'.repeat(501)},8517,,Ali,2026-11-01,`, /:2: text has more than 500 characters/],
  ] as const)
    await t.rejects(read(row), { message }, row)
  writeFileSync(file, 'sku,code\n')
  await t.rejects(readDecisions(file), { message: /:1: the column gtin is missing/ })
  writeFileSync(file, 'sku;gtin;text;code;country;who;day;why\n')
  await t.rejects(readDecisions(file), { message: /:1: the columns are separated by semicolons/ })
  await t.rejects(readDecisions(`${file}.none`), { message: /^HSAPI_DECISIONS: .* does not exist$/ })
  t.ok(isGtin('96385074') && isGtin('036000291452') && !isGtin('036000291453') && !isGtin('4006381'))
})

t.test('rows that are appended at the same time are all kept', async t => {
  const own = join(folder, 'own.csv')
  const row = { gtin: '', text: 'tea, "green"', code: '0902', country: '', who: 'Ali', day: '2026-11-01', why: '' }
  await Promise.all(Array.from({ length: 8 }, (_, i) => appendDecision(own, { ...row, sku: `S-${i}` })))
  const { rows } = await readDecisions(own)
  t.strictSame(
    rows.map(({ sku }) => sku).sort(),
    Array.from({ length: 8 }, (_, i) => `S-${i}`),
  )
  t.equal(rows[0]?.text, row.text)
  await t.rejects(appendDecision(own, { ...row, sku: '', text: '' }), /one of sku, gtin and text/)
  t.equal((await readDecisions(own)).rows.length, 8)
})

t.test('an added row follows the columns and line ends of the file; a damaged file is not changed', async t => {
  const own = join(folder, 'excel.csv')
  const row = { sku: 'A', gtin: '', text: '', code: '0902', country: 'sa', who: 'Ali', day: '2026-11-01', why: 'tea' }
  const header = '\ufeffWho,Day,Why,Code,Country,Text,GTIN,SKU,Note'
  const before = `${header}\r\nMona,2026-10-01,,8517,,phone,,,mine`
  writeFileSync(own, before)
  await appendDecision(own, row)
  t.equal(readFileSync(own, 'utf8'), `${before}\r\nAli,2026-11-01,tea,0902,SA,,,A,\r\n`)
  await appendDecision(own, { ...row, sku: 'B' })
  t.equal((await readDecisions(own)).rows.length, 3)

  writeFileSync(own, '')
  await appendDecision(own, row)
  t.equal(readFileSync(own, 'utf8'), `${HEADER}\nA,,,0902,SA,Ali,2026-11-01,tea\n`)

  const damaged = `${HEADER}\nA,,,phones,,Ali,2026-11-01,\n`
  writeFileSync(own, damaged)
  await t.rejects(appendDecision(own, row), /:2: code is "phones"/)
  t.equal(readFileSync(own, 'utf8'), damaged)
})

t.test('spaces around an SKU do not matter, and the apostrophe that protects a formula is not part of it', async t => {
  const catalog = await fixtureCatalog()
  const decisions = new Decisions(
    await read("'=A,,,852321,,Ali,2026-11-01,", ' B ,,,852329,,Ali,2026-11-01,', `,,${'x'.repeat(500)},01,,Ali,2026-11-01,`),
  )
  const codeOf = (sku: string) => decisions.find(catalog, { sku, gtin: '', text: '' }, undefined)?.row.code
  t.strictSame(['=A', 'B', ' B', ' ', ''].map(codeOf), ['852321', '852329', '852329', undefined, undefined])
})

t.test('whether a decided code is prohibited depends on the country', async t => {
  const catalog = await fixtureCatalog()
  const decisions = new Decisions(await read('A,,,851718,,Ali,2026-11-01,'))
  const problemIn = (country: string) =>
    decisions.find(catalog, { sku: 'A', gtin: '', text: '' }, catalog.countries.find(country)?.newest)?.problem
  t.strictSame(['SA', 'AE', ''].map(problemIn), ['prohibited', null, null])
})

t.test('a code of an earlier edition is reported, with the codes that replaced it', async t => {
  const catalog = await fixtureCatalog()
  const old = [...Array(10_000).keys()]
    .map(i => `${850000 + i}`)
    .find(code => catalog.trie.find(code) < 0 && catalog.editions.lastTargets(code))
  if (old === undefined) return t.fail('the fixture has no such code')
  const decisions = new Decisions(await read(`A,,,${old},,Ali,2026-11-01,`))
  const found = decisions.find(catalog, { sku: 'A', gtin: '', text: '' }, undefined)
  t.equal(found?.problem, 'old_edition')
  t.ok((found?.records.length ?? 0) > 0)
  await compiledFixture()
})
