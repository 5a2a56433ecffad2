import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

/** More than are cached. */
const OTHERS = 4_200

testOnEngines('a search that is repeated answers the same, whatever was searched for meanwhile', async t => {
  const key = makeKey('pro', { per_minute: 100_000, per_day: 100_000 })
  const { get } = await startService(t, [key], await fixtureCatalog())
  const headers = { 'x-api-key': key.key }
  const long = `q=horses&note=${'a'.repeat(300)}`
  const queries = ['q=horses', 'q=horses&limit=1', 'q=horses&limit=1&offset=1', 'q=horses&include=path,rate', 'q=a', long]
  const ask = async () => {
    const answers = []
    for (const query of queries) {
      const { status, body } = await get(`/api/v1/search?${query}`, headers)
      answers.push([query, status, (body as { data?: unknown }).data])
    }
    return answers
  }
  const first = await ask()
  t.strictSame(await ask(), first)
  for (let i = 0; i < OTHERS; i++) await get(`/api/v1/search?q=ho&offset=${i}`, headers)
  t.strictSame(await ask(), first)
})
