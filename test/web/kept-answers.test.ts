/** Stored answers without a browser: which date the note has while the server cannot be reached. */
import t from 'tap'

const DAYS: Readonly<Record<string, string>> = {
  'hs-codes/85': '2026-11-03',
  'hs-codes/01': '2026-11-01',
  'hs-codes/09': '2026-11-02',
}

t.test('the note has the date of the oldest stored answer that the page shows', async t => {
  const page = { pathname: '/', search: '' }
  const surroundings = {
    window: { addEventListener: () => {}, removeEventListener: () => {}, setInterval: () => 0, dispatchEvent: () => true },
    location: page,
    caches: {
      match: async (address: string) => {
        const headers = { Date: new Date(`${DAYS[address.slice('/api/v1/'.length)]}T12:00:00Z`).toUTCString() }
        return new Response('{"data":{},"meta":{}}', { headers })
      },
    },
  }
  Object.assign(globalThis, surroundings)
  t.teardown(() => {
    for (const name of Object.keys(surroundings)) Reflect.deleteProperty(globalThis, name)
  })
  const { keptSince } = await import('../../src/web/app/data/answer.js')
  const { findAnswer } = await import('../../src/web/app/data/kept-answers.js')
  const dayAfter = async (path: string) => {
    await findAnswer(path)
    return keptSince.value?.toISOString().slice(0, 10)
  }
  t.equal(await dayAfter('hs-codes/85'), '2026-11-03')
  t.equal(await dayAfter('hs-codes/01'), '2026-11-01')
  t.equal(await dayAfter('hs-codes/09'), '2026-11-01', 'a newer answer changes nothing')
  page.pathname = '/code/09'
  t.equal(await dayAfter('hs-codes/09'), '2026-11-02', 'another page has a date of its own')
})
