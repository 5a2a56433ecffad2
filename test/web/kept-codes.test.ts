/** The lists of codes that a browser stores, tested without a browser. */
import t, { type Test } from 'tap'
import { openFakeBrowser } from '../support/fake-browser.js'

const code = (hs_code: string) => ({ hs_code, description: { en: `goods ${hs_code}`, ar: `بضائع ${hs_code}` } })

let listening: EventTarget

async function openLists(t: Test) {
  const browser = openFakeBrowser(t)
  // the module is loaded once, so its listeners are on the window of the first test
  listening ??= browser.window
  const lists = await import('../../src/web/app/data/kept-codes.js')
  const codes = (list: { all: () => readonly { hs_code: string }[] }) => list.all().map(({ hs_code }) => hs_code)
  for (const list of [lists.recent, lists.starred, lists.compared]) list.clear()
  return { ...browser, ...lists, codes }
}

t.test('the latest code comes first, no code is listed twice, and the oldest beyond the limit is dropped', async t => {
  const { recent, codes, local } = await openLists(t)
  for (let i = 10; i < 22; i++) recent.add(code(String(i)))
  recent.add({ ...code('10'), tariff_rate: 5 } as never)
  t.strictSame(codes(recent), ['10', '21', '20', '19', '18', '17', '16', '15', '14', '13', '12', '11'])
  recent.add(code('22'))
  t.strictSame(JSON.parse(local.get('hsapi-recent') ?? '')[1], code('10'), 'only the data that a list shows is stored')
  t.equal(codes(recent).length, 12)
  t.notOk(recent.has('11'))
  local.set('hsapi-recent', JSON.stringify(Array.from({ length: 20 }, (_, i) => code(String(30 + i)))))
  recent.remove('30')
  t.equal(codes(recent).length, 11, 'more may have been stored by another version')
  recent.clear()
  t.strictSame(codes(recent), [])
})

t.test('codes that another tab stored are kept; anything that is not a code is left out', async t => {
  const { recent, codes, local } = await openLists(t)
  recent.add(code('01'))
  local.set(
    'hsapi-recent',
    JSON.stringify([code('02'), code('2'), { hs_code: '03' }, { ...code('04'), description: { en: 'x' } }, null, 5]),
  )
  recent.add(code('05'))
  t.strictSame(codes(recent), ['05', '02'])
  local.set('hsapi-recent', JSON.stringify([code('06'), code('07')]))
  recent.remove('06')
  t.strictSame(codes(recent), ['07'])
  local.set('hsapi-recent', '{')
  recent.add(code('08'))
  t.strictSame(codes(recent), ['08'])
  recent.remove('08')
  t.equal(local.has('hsapi-recent'), false, 'an empty list leaves nothing behind')
})

t.test('codes are compared in the order of choice, four at most; a second press removes a code', async t => {
  const { compared, toggleCompared, codes } = await openLists(t)
  for (const one of ['01', '02', '03', '04']) t.ok(toggleCompared(code(one)))
  t.notOk(toggleCompared(code('05')))
  t.strictSame(codes(compared), ['01', '02', '03', '04'])
  t.ok(compared.isFull())
  t.ok(toggleCompared(code('02')), 'a code can be removed from a full list')
  t.strictSame(codes(compared), ['01', '03', '04'])
  t.ok(toggleCompared(code('05')))
  t.strictSame(codes(compared), ['01', '03', '04', '05'])
})

t.test('if the browser forbids storage, a list lasts as long as the page', async t => {
  const { starred, codes } = await openLists(t)
  const forbidden = () => {
    throw new Error('forbidden')
  }
  Object.assign(globalThis, { localStorage: { getItem: forbidden, setItem: forbidden, removeItem: forbidden } })
  starred.add(code('01'))
  starred.add(code('02'))
  t.strictSame(codes(starred), ['02', '01'])
  starred.remove('02')
  t.strictSame(codes(starred), ['01'])
})

t.test('a list follows changes in other tabs, also if one of them clears the whole storage', async t => {
  const { recent, local, codes } = await openLists(t)
  local.set('hsapi-recent', JSON.stringify([code('01')]))
  const changed = (key: string | null) => listening.dispatchEvent(Object.assign(new Event('storage'), { key }))
  changed('hsapi-starred')
  t.strictSame(codes(recent), [])
  changed('hsapi-recent')
  t.strictSame(codes(recent), ['01'])
  local.clear()
  changed(null)
  t.strictSame(codes(recent), [])
})
