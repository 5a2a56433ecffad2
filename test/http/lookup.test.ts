import fc from 'fast-check'
import { openService, testOnEngines } from '../support/service.js'

testOnEngines('a record has the fields of the contract, in its order', async t => {
  const { get, auth } = await openService(t)
  const { status, text, body } = await get('/api/v1/hs-codes/852321', auth)
  t.equal(status, 200)
  t.equal(
    text,
    '{"success":true,"data":{"hs_code":"852321","description":{"en":"Cards with a magnetic stripe",' +
      '"ar":"بطاقات بشريط مغناطيسي"},"level":6,"parent_id":18523,"tariff_rate":5,"is_active":true},' +
      '"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  )
  t.equal(body.success, true)
})

testOnEngines('a record has its parent, its level, its rate and whether it is active', async t => {
  const { get, auth } = await openService(t)
  const data = async (code: string) => (await get(`/api/v1/hs-codes/${code}`, auth)).body.data
  t.match(await data('01'), { level: 2, parent_id: null, tariff_rate: 0 })
  t.match(await data('0101'), { level: 4, parent_id: 101, tariff_rate: 0 }, 'a blank rate is inherited')
  t.match(await data('01012910'), { parent_id: 1010129, tariff_rate: 6.5 })
  t.match(await data('0101291010'), { level: 10, parent_id: 101012910, tariff_rate: 6.5 })
  t.match(await data('010229'), { is_active: false })
  t.match(await data('010221'), { description: { en: 'Cattle "of pedigree" \\ for breeding' } }, 'JSON is escaped')
})

testOnEngines('a code without subdivisions also exists with 8 and with 12 digits', async t => {
  const { get, auth } = await openService(t)
  const data = async (code: string) => (await get(`/api/v1/hs-codes/${code}`, auth)).body.data
  const six = await data('852321')
  t.strictSame(await data('85232100'), { ...six, hs_code: '85232100', level: 8, parent_id: 1852321 })
  t.strictSame(await data('852321000000'), {
    ...six,
    hs_code: '852321000000',
    level: 12,
    parent_id: 185232100,
  })
  t.match(await data('010129101000'), { level: 12, parent_id: 10101291010 }, 'the parent may be a line of 10 digits')
  const divided = await get('/api/v1/hs-codes/01012900', auth)
  t.equal(divided.status, 404, 'a code with subdivisions is not padded')
})

testOnEngines('anything other than a code is refused as invalid_code, with a hint if its digits form a code', async t => {
  const { get, auth } = await openService(t)
  for (const [code, hint] of [
    ['8', undefined],
    ['123456789012345', undefined],
    ['85a', undefined],
    ['+85', '85'],
    ['8523.21', '852321'],
    ['8523%2021', '852321'],
    ['%D9%A8%D9%A5', '85'],
    ['%', undefined],
    ['%FF%FF', undefined],
    ['85%00', undefined],
  ] as const) {
    const { status, body } = await get(`/api/v1/hs-codes/${code}`, auth)
    t.equal(status, 400, code)
    t.equal(body.error.code, 'invalid_code', code)
    if (hint === undefined) t.notMatch(body.error.message, /did you mean/, code)
    else t.match(body.error.message, new RegExp(`did you mean ${hint}\\?$`), code)
  }
  t.equal((await get('/api/v1/hs-codes/%38%35', auth)).status, 200, 'percent-encoded digits are digits')
})

testOnEngines('a well-formed code that does not exist is refused as not_found, with the nearest code', async t => {
  const { get, auth } = await openService(t)
  for (const [code, nearest] of [
    ['852399', '8523'],
    ['8523219', '852321'],
    ['85232100000000', '852321000000'],
    ['850', '85'],
    ['77', undefined],
  ] as const) {
    const { status, body } = await get(`/api/v1/hs-codes/${code}`, auth)
    t.equal(status, 404, code)
    t.equal(body.error.code, 'not_found')
    t.equal(body.error.details?.nearest, nearest, code)
  }
})

/** The end of the message: for a code of another edition, its successors or predecessors. */
function lastWords(nearest: string, details: { moved_to?: string[]; comes_from?: string[] } | undefined): string {
  const { moved_to: movedTo, comes_from: comesFrom } = details ?? {}
  if (comesFrom !== undefined) return ` takes over goods of ${comesFrom[0]}`
  if (movedTo !== undefined) return ` it is now ${movedTo[0]}`
  return nearest === '' ? 'dataset.' : ` above it is ${nearest}.`
}

testOnEngines('every refusal of an unknown code names that code and the code nearest to it', async t => {
  const { get, auth, catalog } = await openService(t)
  const code = fc.oneof(
    fc.stringMatching(/^[0-9]{2,14}$/),
    // codes that start with an existing code
    fc
      .tuple(fc.constantFrom('85', '8523', '852321', '852328', '0101', '010129'), fc.stringMatching(/^[1-9]{1,8}$/))
      .map(([prefix, rest]) => prefix + rest),
  )
  await fc.assert(
    fc.asyncProperty(code, async unknown => {
      if (catalog.trie.find(unknown) >= 0) return true
      const { status, body } = await get(`/api/v1/hs-codes/${unknown}`, auth)
      let nearest = unknown
      while (nearest !== '' && catalog.trie.find(nearest) < 0) nearest = nearest.slice(0, -1)
      const { message, details } = body.error
      return (
        status === 404 &&
        details?.nearest === (nearest === '' ? undefined : nearest) &&
        message.startsWith(`HS code ${unknown} is not in the dataset`) &&
        message.includes(lastWords(nearest, details))
      )
    }),
    { numRuns: 300 },
  )
})
