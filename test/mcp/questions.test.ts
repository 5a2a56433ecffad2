/** The answers that an agent gets, in process: through the protocol's own client, without a pipe. */
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { Decisions } from '../../src/catalog/decisions.js'
import { CLASSIFY_CHARS_MAX, QUERY_CHARS_MAX } from '../../src/limits.js'
import { makeServer } from '../../src/mcp/server.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { lookup } from '../../src/questions/codes.js'
import { Refusal } from '../../src/questions/refusal.js'
import { fixtureCatalog, shippedSnapshot } from '../support/service.js'

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answers
type Json = any

const shippedCatalog = async () => new Catalog(await shippedSnapshot())

async function connected(t: Test, catalog?: Catalog): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const server = makeServer(catalog ?? (await fixtureCatalog()))
  await server.connect(there)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(here)
  t.teardown(() => client.close())
  return client
}

async function agent(t: Test, catalog?: Catalog) {
  const client = await connected(t, catalog)
  return async (name: string, args: Record<string, unknown>): Promise<Json> => {
    const answer: Json = await client.callTool({ name, arguments: args })
    return {
      fields: answer.structuredContent,
      text: answer.content[0].text,
      isError: answer.isError === true,
    }
  }
}

t.test('search results are few, in one language unless both are requested, and include the deciding question', async t => {
  const ask = await agent(t)
  const few = await ask('search_hs_codes', { query: 'live', limit: 2 })
  t.equal(few.fields.results.length, 2)
  t.match(few.text, /Shown: 2 of \d+ results\./)
  t.strictSame(Object.keys(few.fields.results[0]), ['hs_code', 'description', 'duty_percent'])
  const both = await ask('search_hs_codes', { query: 'horses', language: 'both' })
  t.match(both.fields.results[0].description_ar, /[\u0600-\u06ff]/)
  t.match(both.text, / · .*[\u0600-\u06ff]/)
  t.equal((await ask('search_hs_codes', { query: '8523' })).fields.question, undefined, 'a query of digits needs no question')
  const none = await ask('search_hs_codes', { query: 'zzzzqqq' })
  t.strictSame([none.fields.total, none.isError], [0, false])
  t.match(none.text, /plainer/)
})

t.test('goods are classified, alone and in lists, with the words that support a code and the next step', async t => {
  const ask = await agent(t)
  const { fields, text } = await ask('classify_goods', { texts: ['magnetic stripe cards'] })
  t.match(fields.items, [
    { status: /./, candidates: [{ hs_code: '852321', description: /Cards/, matched: ['magnetic', 'stripe'] }] },
  ])
  t.match(text, /852321 {2}Cards .*matched: magnetic/)
  const list = await ask('classify_goods', { texts: ['horses', 'zzzzqqq'], language: 'ar' })
  t.match(list.fields.items, [{ text: 'horses' }, { status: 'unknown', candidates: [] }])
  t.match(list.text, /unknown: /)
  const narrow = await ask('classify_goods', { texts: ['live animals'], within: 101 })
  for (const { hs_code } of narrow.fields.items[0].candidates) t.match(hs_code, /^0101/)
  t.match(await ask('classify_goods', { texts: ['horses', '   '] }), { isError: true, text: /texts\[1\] must be a text/ })
  t.match(await ask('classify_goods', { texts: ['horses'], within: ['x'] }), { isError: true, text: /not an HS code/ })
})

t.test('a code is verified against its goods, alone and in lists; in a list, an unreadable code has its own error', async t => {
  const ask = await agent(t)
  t.match((await ask('verify_hs_code', { text: 'magnetic stripe cards', code: 852321 })).fields, { verdict: 'agrees' })
  const list = await ask('verify_hs_code', {
    items: [
      { text: 'live horses', code: '852321' },
      { text: 'live horses', code: 'horse' },
    ],
  })
  t.match(list.fields.items, [{ verdict: /doubtful|contradicts/, against: [{ hs_code: /^0101/ }] }, { verdict: 'unreadable' }])
  t.match(list.text, /better: 0101/)
  t.match(await ask('verify_hs_code', { text: 'live horses' }), { isError: true, text: /code is missing: send text and code/ })
  t.match(await ask('verify_hs_code', { text: 'a b', code: '85', items: [{ text: 'a b', code: '85' }] }), { isError: true })
})

t.test('a comparison of codes names the fact that decides, and the codes that are part of another code', async t => {
  const ask = await agent(t)
  const { fields, text } = await ask('compare_hs_codes', { codes: ['852321', 852329, '8523.51'] })
  t.match(fields, {
    codes: [{ hs_code: '852321', duty_percent: /./ }, {}, {}],
    question: { answers: [{ within: ['852321'] }, {}, {}] },
  })
  t.match(text, /→ within 852321/)
  const nested = await ask('compare_hs_codes', { codes: ['8523', '852321'] })
  t.match(nested.text, /852321 is part of a shorter code/)
  t.match(await ask('compare_hs_codes', { codes: ['8523', '85.23'] }), { isError: true, text: /two different codes/ })
})

t.test('the length of a text is its number of characters; a character of two UTF-16 units counts once', async t => {
  const ask = await agent(t)
  const query = (length: number) => ask('search_hs_codes', { query: '🐴'.repeat(length) })
  const title = (length: number) => ask('classify_goods', { texts: ['🐴'.repeat(length)] })
  for (const [of, most, name] of [
    [query, QUERY_CHARS_MAX, 'query'],
    [title, CLASSIFY_CHARS_MAX, 'texts'],
  ] as const) {
    t.equal((await of(most)).isError, false, name)
    t.match(await of(most + 1), { isError: true, text: new RegExp(`${name}.* must have 2 to ${most} characters`) })
  }
  t.match(await query(1), { isError: true })
})

t.test('codes of two headings are distinguished by the goods that each excludes and the other covers', async t => {
  const ask = await agent(t, await shippedCatalog())
  const { fields, text } = await ask('compare_hs_codes', { codes: ['851762', '851830'] })
  t.strictSame(fields.question, {
    text: 'Is it wired or wireless?',
    answers: [
      { text: 'wired headphones and earphones', within: ['851830'] },
      { text: 'wireless ones', within: ['851762'] },
    ],
  })
  t.match(text, /Is it wired or wireless\?\n- wired headphones and earphones → within 851830\n- wireless ones → within 851762\n/)
  t.match((await ask('compare_hs_codes', { codes: ['851762', '851830'], language: 'ar' })).fields.question.text, /سلكي/)
  const tablets = await ask('compare_hs_codes', { codes: ['847130', '851762'] })
  t.strictSame(tablets.fields.goods, [{ what: 'tablet computers', hs_code: '847130' }])
  t.match(tablets.text, /belongs to 847130: tablet computers/)
  t.match(tablets.fields.question.answers, [{ text: /^Portable computers/ }, { text: /^Apparatus that receives/ }])
  const cement = await ask('compare_hs_codes', { codes: ['2523', '252329'] })
  t.equal(cement.fields.goods, undefined, 'white cement is listed for the heading as well as for the code that excludes it')
})

t.test('codes below are shown with their full descriptions', async t => {
  const catalog = await shippedCatalog()
  const ask = await agent(t, catalog)
  for (const code of ['8517', '220210', '8708']) {
    const { fields, text } = await ask('get_hs_code', { code, children_limit: 50 })
    t.ok(fields.children.length > 5)
    for (const { hs_code, description } of fields.children) {
      const { en } = catalog.records.description(catalog.trie.find(hs_code))
      t.equal(description, en)
      t.ok(text.includes(`${hs_code}  ${en}`))
    }
  }
})

t.test('an uncertain code is not called better than the given one', async t => {
  const ask = await agent(t, await shippedCatalog())
  const { fields, text } = await ask('verify_hs_code', { text: 'bluetooth earbuds', code: '851830' })
  t.match(fields, { verdict: 'doubtful', against: [{ hs_code: '851762', is_better: true }] })
  t.match(text, /^better: 851762 /m)
  const guesses = await ask('verify_hs_code', { text: 'laboratory crucible', code: '847160' })
  for (const { hs_code, score, is_better } of guesses.fields.against) {
    t.equal(is_better, score >= 0.25)
    t.match(guesses.text, new RegExp(`^${is_better ? 'better' : 'a guess'}: ${hs_code} `, 'm'))
  }
  t.ok(guesses.fields.against.some((one: Json) => !one.is_better))
  const vague = await ask('verify_hs_code', { text: 'widget', code: '847160' })
  t.notMatch(vague.text, /better/)
  t.match(vague.text, /says too little/)
})

t.test('a code comes with its path, its children, its rate and whether goods are declared on it', async t => {
  const ask = await agent(t)
  const { fields, text } = await ask('get_hs_code', { code: '0101', children_limit: 1 })
  t.match(fields, { hs_code: '0101', declarable: false, path: [{ hs_code: '01' }], is_active: true })
  t.equal(fields.children.length, 1)
  t.ok(fields.children_total > 1)
  t.match(text, /1 of \d+ codes below/)
  t.match(text, /indicative/)
  t.match(fields.unit, { code: 'u', certainty: 'published' })
  t.match(text, /quantity in u \(number of items\), published/)
  const line = await ask('get_hs_code', { code: '852321000000', language: 'ar' })
  t.match(line.fields, { declarable: true, children: [], description: /[\u0600-\u06ff]/ })
  t.match(line.text, /Goods are declared on this line/)
  t.strictSame(
    line.fields.path.map((step: Json) => step.hs_code),
    ['85', '8523'],
    'levels that repeat the description are left out of the path',
  )
  t.match((await ask('get_hs_code', { code: '852321' })).fields, { declarable: false, line: '852321000000', children: [] })
  t.match((await ask('get_hs_code', { code: '010229' })).text, /inactive/)
  const tapes = await ask('get_hs_code', { code: '852329' })
  t.match(tapes.fields, { controls: [{ kind: 'prohibited' }, { kind: 'permit' }] })
  t.match(tapes.text, /ask the authority/)
  t.match(tapes.text, /control in GCC: prohibited, published: Tapes may not be imported/)
  t.match(tapes.fields, { notes: [{ number: 'Chapter 85, note 2', kind: 'defines' }], notes_total: 4, see_also_total: 2 })
  t.match(tapes.text, /not here: Measuring instruments\. Goes to 9031\. \(Chapter 85, note 1\(a\)\)/)
  t.match(tapes.text, /not here: tapes for measuring → 9031 {2}Measuring instruments/)
})

t.test('codes are read as written; unreadable ones are reported, with the next step', async t => {
  const ask = await agent(t)
  t.match((await ask('get_hs_code', { code: '٨٥.٢٣' })).fields, { hs_code: '8523' })
  const moved = await ask('get_hs_code', { code: '852390' })
  t.ok(moved.isError)
  t.match(moved.fields.error, { code: 'not_found', nearest: '8523' })
  t.match((await ask('get_hs_code', { code: '7777' })).text, /not in the dataset\. Search by words/)
  t.match((await ask('get_hs_code', { code: 101 })).fields, { hs_code: '0101' }, 'a code sent as a number has lost its zero')
  const { fields, text } = await ask('resolve_hs_codes', {
    codes: ['852321', 10121, '852399', 'x'],
    language: 'both',
  })
  t.strictSame(
    fields.codes.map((one: Json) => one.status),
    ['found', 'normalised', 'unknown', 'invalid'],
  )
  t.match(fields.codes[2], { hs_code: null, nearest: '8523' })
  t.match(fields.codes[3], { reason: /./ })
  t.equal(text.split('\n').length, 4, 'each code has one line')
  t.match(await ask('resolve_hs_codes', { codes: ['85'], edition: '1999' }), {
    isError: true,
    text: /edition/,
  })
})

t.test('the successor of a code in the next edition is given, marked as provisional', async t => {
  const ask = await agent(t)
  const { fields, text } = await ask('hs_edition', { edition: '2028', code: '851718' })
  t.match(fields, { relation: 'split', provisional: true, targets_total: 2, targets: [{ hs_code: '851718', part: 'old' }] })
  t.match(text, /current code 851718 in HS 2028: split; provisional/)
  const later = await ask('get_hs_code', { code: '851716' })
  t.match(later.fields.error, { code: 'not_found', comes_from: ['851718', '852351'] })
  t.match(later.text, /It is a code of HS 2028 and takes over goods of 851718 and 852351\./)
})

t.test('a code that an earlier and the next edition have, but not this one, is explained by the earlier one', async t => {
  const catalog = await shippedCatalog()
  const [code, now] = ['560710', '560790']
  t.strictSame([catalog.nextEdition.sources(code), catalog.trie.find(code)], [[now], -1])
  const ask = await agent(t, catalog)
  const { fields, text } = await ask('get_hs_code', { code })
  t.strictSame([fields.error.moved_to, 'comes_from' in fields.error], [[now], false])
  t.match(text, `An earlier edition had it; it is now ${now}.`)
  t.notMatch(text, /takes over goods/)
  const refusal = lookup(catalog, code)
  if (!(refusal instanceof Refusal)) throw new Error('the code is current')
  t.strictSame([refusal.details?.moved_to, refusal.details?.comes_from], [[now], undefined], 'the API says the same')
})

t.test('the successor of an older code is given wherever the code is named', async t => {
  const ask = await agent(t)
  const gone = await ask('get_hs_code', { code: '852310' })
  t.match(gone.fields.error, { code: 'not_found', moved_to: ['852329'] })
  t.match(gone.text, /An earlier edition had it; it is now 852329\./)
  t.match((await ask('resolve_hs_codes', { codes: ['851712', '852310'], edition: '2017' })).fields.codes, [
    { status: 'ambiguous', hs_code: null, candidates: ['851713', '851718'] },
    { status: 'moved', hs_code: '852329', description: /./ },
  ])
  t.match((await ask('hs_edition', { edition: '2017', code: '851712', language: 'ar' })).fields, {
    relation: 'split',
    targets_total: 2,
  })
})

t.test('an estimate is exact and has its notes', async t => {
  const ask = await agent(t)
  const { fields, text } = await ask('estimate_duty', {
    code: '8523.21',
    value: '999999999999.99',
    currency: 'sar',
    include_vat: true,
    vat_rate: 15,
  })
  t.match(fields, { currency: 'SAR', vat_percent: '15', landed_cost: '1207499999999.987925' })
  t.match(text, /VAT 15 % = /)
  t.match((await ask('estimate_duty', { code: '85', value: 1 })).text, /VAT not included/)
  t.match((await ask('estimate_duty', { code: '85', value: 1, include_vat: true })).fields, {
    vat_percent: '5',
  })
  const implied = await ask('estimate_duty', { code: '85', value: 100, vat_rate: 15 })
  t.match(implied.text, /VAT 15 % = 15.75/)
  t.equal(implied.fields.vat_percent, '15')
  const declined = await ask('estimate_duty', { code: '85', value: 100, include_vat: false, vat_rate: 15 })
  t.match(declined.text, /VAT not included/)
  t.equal(declined.fields.vat_percent, '0')
  const saudi = await ask('estimate_duty', { code: '852329', value: 1000, country: 'SA', as_of: '2026-03-01', currency: 'SAR' })
  t.match(saudi.fields, {
    list: '2026-02-25',
    charges: [{ kind: 'duty' }, { kind: 'excise', amount: '575' }, { kind: 'fee' }, { kind: 'vat' }],
  })
  t.match(saudi.text, /excise 50 % of 1150 = 575 \(published\)/)
  t.match((await ask('estimate_duty', { code: '852329', value: 1, sugar: 5 })).text, /country is needed/)
  t.match((await ask('get_hs_code', { code: '852321', country: 'SA' })).fields, {
    duty: { percent: '20', country: 'SA', list: '2026-02-25' },
  })
  t.match((await ask('search_hs_codes', { query: 'magnetic', country: 'SA' })).text, /852321 .*\(duty 20 %\)/)
  t.ok((await ask('estimate_duty', { code: '99', value: 1 })).isError)
})

t.test('the country, the day and the VAT rate that an agent sends determine the amounts', async t => {
  const ask = await agent(t)
  const compared = await ask('compare_hs_codes', { codes: ['852321', '852329'], country: 'SA' })
  t.match(compared.fields.codes, [{ duty_percent: '20' }, { duty_percent: '15' }])
  t.match(compared.text, /852329 .*\(duty 15 %/)
  const earlier = await ask('estimate_duty', { code: '852329', value: 1000, country: 'SA', as_of: '2025-12-01', vat_rate: 7 })
  t.match(earlier.fields, { list: '2025-11-03', charges: [{ kind: 'duty', rate: '10 %', amount: '100' }] })
  t.match(earlier.fields.charges.at(-1), { kind: 'vat', rate: '7 %' })
})

t.test('codes below a code have the duty of the requested country', async t => {
  const ask = await agent(t)
  const { fields } = await ask('get_hs_code', { code: '8523', country: 'SA' })
  const shown = fields.children.map(({ hs_code, duty_percent }: Json) => [hs_code, duty_percent ?? fields.duty.percent])
  const own = (code: string) => ask('get_hs_code', { code, country: 'SA' }).then(one => [code, one.fields.duty.percent])
  t.strictSame(shown, await Promise.all(['852321', '852329', '852351'].map(own)))
  t.match(shown, [['852321', '20']], 'the duty of the country differs from the common tariff')
})

t.test('a prohibition is stated before the cost', async t => {
  const ask = await agent(t)
  const phones = { code: '851718', value: 100, country: 'SA', as_of: '2026-03-01' }
  const estimate = await ask('estimate_duty', phones)
  t.match(estimate.fields.warnings[0], /^Saudi Arabia prohibits the import of these goods\./)
  t.match(
    estimate.text,
    /^851718 .*\nSA, list of 2026-02-25\nSaudi Arabia prohibits the import of these goods\..*\n(.*\n)*customs value/,
  )
  t.equal(estimate.text.split('prohibits').length, 2, 'the prohibition is stated once')
  const shown = await ask('get_hs_code', { code: '851718', country: 'SA' })
  t.ok(shown.text.indexOf('prohibits the import') < shown.text.indexOf('duty '))
  const common = await ask('estimate_duty', { code: '852329', value: 100 })
  t.match(common.text, /prohibited for import into the GCC states\.\n(.*\n)*declared value/)
})

t.test('a fee states its minimum, and its maximum if that applies', async t => {
  const ask = await agent(t)
  const tapes = { code: '852329', country: 'SA', as_of: '2026-03-01' }
  const small = await ask('estimate_duty', { ...tapes, value: 100 })
  t.match(small.text, /fee 0\.15 % of 100, at least 4 = 4 \(published\)/)
  t.match(small.fields.charges[2], { kind: 'fee', minimum: '4', maximum: '133.333333' })
  t.notOk('minimum' in small.fields.charges[0])
  const large = await ask('estimate_duty', { ...tapes, value: 10_000_000, currency: 'SAR' })
  t.match(large.text, /fee 0\.15 % of 10000000, at least 15, at most 500 = 500/)
})

t.test("totals are also in the country's currency, and one answer may have several countries", async t => {
  const ask = await agent(t)
  const tapes = { code: '852321', value: 100, convert: true }
  const one = await ask('estimate_duty', { ...tapes, country: 'SA', as_of: '2026-03-01' })
  t.match(one.fields, { currency: 'USD', converted: { currency: 'SAR', rate: '3.75', landed_cost: /./ } })
  t.equal(Number(one.fields.converted.landed_cost), Number(one.fields.landed_cost) * 3.75)
  t.match(one.text, /^in SAR at 3\.75: duties and taxes .*, landed cost /m)
  const several = await ask('estimate_duty', { ...tapes, countries: ['SA', 'KW', 'SA'] })
  t.match(several.fields.estimates, [
    { country: 'SA', landed_cost: /./, converted: { currency: 'SAR' } },
    { country: 'KW', error: { code: 'invalid_parameter', message: /no fixed rate/ } },
  ])
  t.equal(several.fields.estimates.length, 2, 'each country has one estimate')
  t.match(several.text, /^852321 .*\nSA, list of (.*\n)*KW: no estimate\. .*no fixed rate/)
  t.equal(several.text.split('indicative').length, 2, 'the note on indicative rates is stated once')
})

t.test('the longer a list is, the fewer and shorter its candidates are', async t => {
  const ask = await agent(t, await shippedCatalog())
  const texts = ['lamp', 'men shirt', 'tea', 'cup', 'pump', 'zzzzqqq']
  const lamp = async (length: number) =>
    (await ask('classify_goods', { texts: texts.slice(0, length) })).fields.items[0].candidates
  t.strictSame([(await lamp(1)).length, (await lamp(5)).length, (await lamp(6)).length], [5, 3, 2])
  const longest = (candidates: Json) => Math.max(...candidates.map(({ description }: Json) => description.length))
  t.ok(longest(await lamp(5)) > 60)
  t.ok(longest(await lamp(6)) <= 60)
  const { fields } = await ask('classify_goods', { texts })
  t.match(fields.items[1], { text: 'men shirt', candidates: { length: 1 }, question: {} }, 'the answers name the alternatives')
  const crucible = { text: 'laboratory crucible', code: '847160' }
  t.equal((await ask('verify_hs_code', crucible)).fields.against.length, 3)
  const list = await ask('verify_hs_code', { items: [crucible, { text: 'tea', code: '0902' }] })
  t.equal(list.fields.items[0].against.length, 1)
})

t.test('candidates have the duty of the requested country', async t => {
  const ask = await agent(t)
  const wrong = { text: 'magnetic stripe cards', code: '0101', country: 'SA' }
  const { against } = (await ask('verify_hs_code', wrong)).fields
  t.match(against[0], { hs_code: '852321', duty_percent: '20' })
  const { items } = (await ask('classify_goods', { texts: [wrong.text], country: 'SA' })).fields
  t.match(items[0].candidates[0], { hs_code: '852321', duty_percent: '20' })
})

t.test('a list of pairs cannot be mixed with a single text or code', async t => {
  const ask = await agent(t)
  const items = [{ text: 'live horses', code: '0101' }]
  for (const alone of [{ text: 'live horses' }, { code: '0101' }])
    t.match(await ask('verify_hs_code', { ...alone, items }), { isError: true, text: /not both/ })
  const incomplete = await ask('verify_hs_code', { items: [...items, { text: 'live horses' }] })
  t.match(incomplete, { isError: true, fields: { error: { parameter: 'items[1].code' } } })
})

t.test('an incomplete list says how long it is in full', async t => {
  const shipped = await agent(t, await shippedCatalog())
  const split = await shipped('hs_edition', { edition: '2017', code: '854370' })
  t.match(split.fields, { targets: { length: 10 }, targets_total: 12 })
  t.match(split.text, /Shown: 10 of 12 codes, the likeliest first\.$/)
  const ask = await agent(t)
  const whole = await ask('search_hs_codes', { query: 'magnetic stripe' })
  t.equal(whole.fields.results.length, whole.fields.total)
  t.notMatch(whole.text, /Shown: /)
  const alone = await ask('search_hs_codes', { query: 'magnetic stripe', limit: 1 })
  t.equal(alone.fields.question, undefined, 'a single result needs no question')
})

t.test('an inactive code is marked, also in an estimate for a country', async t => {
  const ask = await agent(t)
  t.equal((await ask('get_hs_code', { code: '010229' })).fields.is_active, false)
  const { fields } = await ask('estimate_duty', { code: '010229', value: 10, country: 'SA' })
  t.strictSame(fields.warnings, ['This HS code is inactive.'])
})

t.test('charges that one country leaves out are listed with that country', async t => {
  const ask = await agent(t)
  const { text } = await ask('estimate_duty', { code: '852329', value: 10, countries: ['SA'] })
  t.match(text, /^Not included: /m)
  t.notMatch(text, /for any country/)
})

t.test('the old code of a conversion may be a number, which has lost its leading zero', async t => {
  const ask = await agent(t)
  t.match((await ask('hs_edition', { edition: 2017, code: 10121 })).fields, { code: '010121', targets: [{ hs_code: '010121' }] })
})

t.test('of several wrong arguments, the first three are explained', async t => {
  const ask = await agent(t)
  const { isError, fields, text } = await ask('classify_goods', { texts: [], level: 7, limit: 3, x: 1, country: 'XX' })
  t.ok(isError)
  t.equal(fields.error.parameter, 'limit')
  t.equal(text.split('The parameter ').length - 1, 3)
})

t.test("structured content follows the tool's output schema, and has no sentences for the model", async t => {
  const catalog = await shippedCatalog()
  const client = await connected(t, catalog)
  const { tools } = await client.listTools()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const calls: [string, Json][] = [
    ['classify_goods', { texts: ['men shirt'] }],
    ['classify_goods', { texts: ['men shirt', 'zzzzqqq', 'tea'], language: 'both', country: 'SA' }],
    ['verify_hs_code', { text: 'bluetooth earbuds', code: '851830' }],
    [
      'verify_hs_code',
      {
        items: [
          { text: 'tea', code: '0902' },
          { text: 'tea', code: 'tea' },
        ],
        language: 'both',
      },
    ],
    ['compare_hs_codes', { codes: ['851762', '851830', '847130'], language: 'both' }],
    ['compare_hs_codes', { codes: ['8517', '851762'] }],
    ...['85', '8517', '2203', '010121', '851762000000'].map((code): [string, Json] => ['get_hs_code', { code, country: 'KW' }]),
    ['get_hs_code', { code: '8708', language: 'both' }],
    ['search_hs_codes', { query: 'men shirt', language: 'both' }],
    ['resolve_hs_codes', { codes: ['8517.62', '852390', 'x', '101'], edition: 2017, language: 'both' }],
    ['estimate_duty', { code: '2203', value: 10, include_vat: true }],
    ['estimate_duty', { code: '2202', value: 10, country: 'SA', origin: 'EG', convert: true }],
    ['estimate_duty', { code: '2402', value: 10, countries: ['AE', 'SA', 'BH', 'OM', 'QA', 'KW'], convert: true }],
    ['hs_edition', { edition: '2017', code: '851712' }],
    ['hs_edition', { edition: '2028', code: '851718' }],
  ]
  t.strictSame(new Set(calls.map(([name]) => name)), new Set(tools.map(({ name }) => name)))
  const known = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema as Json]))
  for (const [name, args] of calls) {
    const answer: Json = await client.callTool({ name, arguments: args })
    const label = `${name} ${JSON.stringify(args)}`
    t.notOk(answer.isError, label)
    const validate = ajv.compile(closed(known.get(name)))
    t.ok(validate(answer.structuredContent), `${label} ${ajv.errorsText(validate.errors)}`)
    const fields = JSON.stringify(answer.structuredContent)
    for (const [sentence] of answer.content[0].text.matchAll(/(?:Propose|Take|Choose|If the text|clear: |Rates are) .*/g))
      t.notOk(fields.includes(sentence.slice(0, 30)), sentence)
  }
})

/** The schema with unknown fields forbidden. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in schema ? { ...inside, additionalProperties: false } : inside
}

t.test('an older code is answered with its successor', async t => {
  const ask = await agent(t)
  t.match(await ask('hs_edition', { edition: '2017', code: '852321' }), {
    fields: { relation: 'same', targets: [{ hs_code: '852321' }], targets_total: 1 },
    text: /same/,
  })
  t.ok((await ask('hs_edition', { edition: '2017', code: '999999' })).isError)
})

t.test('rules, notes, the method and the dataset can be read; unknown resources are refused with a sentence', async t => {
  const client = await connected(t)
  const read = async (uri: string): Promise<string> => ((await client.readResource({ uri })) as Json).contents[0].text
  const { resources } = await client.listResources()
  t.strictSame(
    resources.map(({ uri }) => uri),
    ['hsapi://how-to-classify', 'hsapi://notes/rules', 'hsapi://dataset'],
  )
  t.equal((await client.listResourceTemplates()).resourceTemplates.length, 2)
  const method = await read('hsapi://how-to-classify')
  for (const [name] of method.matchAll(/[a-z]+_hs_codes?|classify_goods/g))
    t.ok(
      TOOLS.some(tool => tool.name === name),
      name,
    )
  t.match(await read('hsapi://notes/rules'), /General rule 1/)
  t.match(await read('hsapi://notes/85'), /not here: Measuring instruments\. Goes to 9031/)
  t.match(await read('hsapi://ar/notes/S16'), /[\u0600-\u06ff]/)
  t.match(JSON.parse(await read('hsapi://dataset')), { edition: 'Test 2022', version: /./, country_lists: { SA: '2026-02-25' } })
  await t.rejects(read('hsapi://notes/77'), /77 is not in the dataset/)
  await t.rejects(read('hsapi://notes/tea'), /must be a chapter of two digits/)
  const ref = { type: 'ref/resource', uri: 'hsapi://notes/{scope}' } as const
  t.match((await client.complete({ ref, argument: { name: 'scope', value: 'S' } })).completion.values, [/^S/])
})

t.test('prompts are in the language of the user and name only tools that exist', async t => {
  const client = await connected(t)
  const { prompts } = await client.listPrompts()
  t.strictSame(
    prompts.map(({ name }) => name),
    ['classify', 'check-invoice', 'explain-code'],
  )
  for (const { name, arguments: args = [] } of prompts) {
    const [first = { name: '' }] = args
    for (const [language, letters] of [
      ['en', /^[A-Z]/],
      ['ar', /^[\u0600-\u06ff]/],
    ] as const) {
      const given = { [first.name]: 'green tea', language }
      const answer: Json = await client.getPrompt({ name, arguments: given })
      const { text } = answer.messages[0].content
      t.match(text, letters)
      t.match(text, /green tea/)
      for (const [tool] of text.matchAll(/[a-z]+_(?:hs_codes?|goods)/g))
        t.ok(
          TOOLS.some(one => one.name === tool),
          tool,
        )
    }
    await t.rejects(client.getPrompt({ name, arguments: {} }), new RegExp(first.name))
  }
  await t.rejects(client.getPrompt({ name: 'no-such-prompt' }), /no-such-prompt/)
})

t.test('all tool descriptions together fit on a page', async t => {
  const text = JSON.stringify(TOOLS)
  t.ok(text.length < 9_500, `${text.length} characters`)
  for (const { description } of TOOLS) t.notMatch(description, /\n/)
})

t.test("a company's own decision comes first, with its author and any problem; searches do not use decisions", async t => {
  const plain = await agent(t)
  const catalog = await fixtureCatalog()
  const row = { sku: '', gtin: '', country: '', who: 'Mona', day: '2026-11-01', why: 'label' } as const
  catalog.decisions = new Decisions({
    digest: '',
    rows: [
      { ...row, text: 'horses', code: '852321' },
      { ...row, text: 'horses', code: '010130', country: 'SA' },
      { ...row, text: 'donkeys', code: '999999', why: '' },
    ],
  })
  const ask = await agent(t, catalog)
  const { fields, text } = await ask('classify_goods', { texts: ['Horses!'] })
  t.match(fields.items, [
    {
      status: 'decided',
      candidates: [{ hs_code: '852321' }],
      decision: { code: '852321', country: null, who: 'Mona', day: '2026-11-01', why: 'label', problem: null },
    },
  ])
  t.equal(fields.items[0].candidates.length, 1)
  t.match(text, /852321 was decided by Mona on 2026-11-01: label\n.*\nUse 852321: it is the company's own decision\./)
  const inSaudi = await ask('classify_goods', { texts: ['Horses'], country: 'SA' })
  t.match(inSaudi.fields.items, [{ candidates: [{ hs_code: '010130' }], decision: { country: 'SA' } }])
  const list = await ask('classify_goods', { texts: ['donkeys', 'magnetic stripe cards'] })
  t.match(list.fields.items, [{ status: 'decided', decision: { problem: 'unknown_code' } }, { decision: undefined }])
  t.match(list.text, /999999 was decided by Mona on 2026-11-01; problem: unknown_code/)
  t.match(list.text, /decided: use the first/)
  for (const args of [{ texts: ['cows'] }, { texts: ['cows', 'magnetic stripe cards'] }])
    t.strictSame(await ask('classify_goods', args), await plain('classify_goods', args))
  t.strictSame(await ask('search_hs_codes', { query: 'horses' }), await plain('search_hs_codes', { query: 'horses' }))
})
