import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { openCatalog } from '../../src/index.js'
import { compiledFixture, dataOf, openService, shippedSnapshot, testOnEngines } from '../support/service.js'

testOnEngines('include=short adds a short description after the names, on lookups, lists and searches', async t => {
  const { get, post, auth } = await openService(t)
  const plain = await get('/api/v1/hs-codes/851713', auth)
  const short = await get('/api/v1/hs-codes/851713?include=short', auth)
  t.equal(dataOf(short), `${dataOf(plain).slice(0, -1)},"short":${JSON.stringify(short.body.data.short)}}`)
  t.equal(short.body.data.short.en, 'Smartphones')
  t.strictSame(Object.keys((await get('/api/v1/hs-codes/851713?include=short,examples', auth)).body.data).slice(-2), [
    'examples',
    'short',
  ])
  for (const path of ['hs-codes/8523/children?', 'hs-codes/8523/lines?', 'search?q=cards&']) {
    const { data } = (await get(`/api/v1/${path}include=short&short_max=20`, auth)).body
    for (const { short, hs_code } of data)
      t.ok(short === null || ([...short.en].length <= 20 && [...short.ar].length <= 20), `${path} ${hs_code}`)
    t.ok(data.some(({ short }: { short: unknown }) => short !== null))
  }
  const long = (await get('/api/v1/hs-codes/8517?include=short&short_max=200', auth)).body.data
  t.equal(long.short.en, long.description.en, 'a description that fits is not shortened')
  const { body } = await post('/api/v1/search', { queries: [{ q: 'cards' }], include: ['short'], short_max: 12 }, auth)
  t.ok([...body.data[0].items[0].short.en].length <= 12)
})

testOnEngines('short_max is 10 to 200', async t => {
  const { get, auth } = await openService(t)
  for (const bad of ['9', '201', 'x', '12.5'])
    for (const path of ['hs-codes/8517', 'hs-codes/8517/children', 'search']) {
      const { status, body } = await get(`/api/v1/${path}?q=cards&include=short&short_max=${bad}`, auth)
      t.equal(status, 400)
      t.match(body.error, { code: 'invalid_parameter', details: { parameter: 'short_max' }, message: /10 to 200/ })
    }
})

const VAGUE =
  /^(?:other|others|(?:spare )?parts(?: and accessories)?|accessories|articles|goods|products|machines|machinery|equipment|materials|أخرى|أجزاء|قطع غيار|ملحقات|سلع|منتجات|مواد|آلات|أجهزة|معدات)$/iu

t.test(
  'in the shipped dataset, at least 95 % of subheadings have a short description of up to 35 characters, never cut or vague',
  async t => {
    const catalog = new Catalog(await shippedSnapshot())
    const { level, records, names, shortNames } = catalog
    let count = 0
    const without: string[] = []
    const problems: string[] = []
    for (const record of level.keys()) {
      if (level[record] !== 6) continue
      count++
      const code = records.code(record)
      for (const language of ['en', 'ar'] as const) {
        const short = shortNames.of(record, language, 35)
        const description = records.description(record)[language]
        if (short === '') without.push(code)
        else if ([...short].length > 35) problems.push(`${code} is too long: ${short}`)
        else if (VAGUE.test(short)) problems.push(`${code} is vague: ${short}`)
        else if (short !== short.trim() || /[,،;:(]$/u.test(short))
          problems.push(`${code} ends with a space or a punctuation mark: ${short}`)
        else if (!names.of(record, language).includes(short)) {
          const rest = description.startsWith(short) ? description.slice(short.length) : 'x'
          if (/^[\p{L}\p{N}]/u.test(rest)) problems.push(`${code} is cut: ${short}`)
        }
      }
    }
    t.strictSame(problems, [])
    t.ok(count > 5_600 && new Set(without).size <= 0.05 * count, `${new Set(without).size} of ${count} subheadings have none`)
  },
)

t.test('a short description does not end in the middle of a phrase and is not only an abbreviation', async t => {
  const { records, trie, shortNames } = new Catalog(await shippedSnapshot())
  for (const [code, cut] of [
    ['540792', 'Dyed woven fabrics of synthetic'],
    ['840682', 'Steam or vapour turbines of 40 MW'],
    ['551412', 'Unbleached or bleached 3'],
    ['720310', 'HBI'],
  ]) {
    const short = shortNames.of(trie.find(code), 'en', 35)
    t.not(short, cut, records.code(trie.find(code)))
  }
})

t.test('the library returns short descriptions as well, and refuses invalid lengths', async t => {
  const hs = await openCatalog({ snapshot: await compiledFixture() })
  t.equal(hs.short('851713')?.en, 'Smartphones')
  t.strictSame(
    hs.short('851713000000'),
    hs.short('851713'),
    'a padded line has the short description of the code that it repeats',
  )
  t.equal(hs.short('0999'), null)
  t.ok([...(hs.short('8517', { short_max: 12 })?.en ?? '')].length <= 12)
  t.throws(() => hs.short('8517', { short_max: 5 }), { code: 'invalid_parameter', message: /short_max/ })
})
