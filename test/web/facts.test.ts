/** Facts of the dataset, successors of codes, and padded codes, tested without a browser. */
import t, { type Test } from 'tap'
import { forgetAnswers } from '../../src/web/app/data/answer.js'
import { remember } from '../../src/web/app/data/api.js'
import { facts, longestLine, recallFacts, sections, usualVatRate } from '../../src/web/app/data/facts.js'
import { childrenPath, listPath } from '../../src/web/app/data/first-paths.js'
import { changeKey } from '../../src/web/app/data/key.js'
import { loadSuccessors, recallSuccessors } from '../../src/web/app/data/moved.js'
import { isPadded, withoutPadded } from '../../src/web/app/data/padded.js'
import { answered, openFakeBrowser, refused } from '../support/fake-browser.js'

function openData(t: Test) {
  const browser = openFakeBrowser(t)
  forgetAnswers()
  changeKey('hs_free_a')
  t.teardown(() => changeKey(null))
  const taken = () => browser.sent.splice(0).map(({ path }) => path.replace('/api/v1/', ''))
  return { ...browser, taken }
}

const DATASET = {
  version: '1.0.0',
  edition: 'HS 2022',
  vat_rate: 5,
  line_digits: [8, 10],
  levels: { 2: 1, 4: 1, 6: 1, 8: 1, 10: 1 },
}

t.test('without an answer, facts have default values; an empty list of line lengths keeps the known length', async t => {
  const { answer } = openData(t)
  answer(null)
  t.notOk(recallFacts())
  t.strictSame(await facts(), { levels: [2, 4, 6, 8, 12], vatRate: null, edition: '', version: '' })
  t.strictSame(await sections(), [])
  answer(() => answered(DATASET))
  t.strictSame(await facts(), { levels: [2, 4, 6, 8, 10], vatRate: 5, edition: 'HS 2022', version: '1.0.0' })
  t.strictSame([longestLine(), usualVatRate()], [10, 5])
  t.ok(recallFacts())
  forgetAnswers()
  answer(() => answered({ ...DATASET, line_digits: [], vat_rate: null }))
  await facts()
  t.strictSame([longestLine(), usualVatRate()], [10, null])
  forgetAnswers()
  answer(() => answered({ ...DATASET, line_digits: [8, 12, 10] }))
  await facts()
  t.equal(longestLine(), 12)
})

t.test('successors are looked for in the latest edition first, until one has the code or a request fails', async t => {
  const { answer, taken } = openData(t)
  answer(({ path }) => (path.includes('/2012/') ? answered({ targets: [{ hs_code: '851713' }] }) : refused(404, 'not_found')))
  const found = { edition: '2012', records: [{ hs_code: '851713' }] }
  t.equal(recallSuccessors('85171200'), undefined)
  t.strictSame(await loadSuccessors('85171200'), found)
  t.strictSame(taken(), ['editions/2017/851712', 'editions/2012/851712'])
  answer(() => refused(404, 'not_found'))
  t.equal(await loadSuccessors('999999'), undefined)
  t.equal(taken().length, 5)
  answer(() => refused(429, 'rate_limited'))
  t.equal(await loadSuccessors('888888'), undefined)
  t.strictSame(taken(), ['editions/2017/888888'])
  const missing = { kind: 'missing', nearest: null, movedTo: [] } as const
  remember('editions/2017/777777', missing)
  t.equal(recallSuccessors('777777'), undefined)
  remember('editions/2012/777777', { kind: 'ok', data: { targets: [] }, meta: { total: 0, count: 0 }, text: '' })
  t.strictSame(recallSuccessors('777777'), { edition: '2012', records: [] })
})

const step = (hs_code: string, en: string, ar = en) => ({ hs_code, description: { en, ar } })

t.test('a code is padded if it adds zeros and has the same words in both languages', async t => {
  t.ok(isPadded(step('851713', 'a'), step('85171300', 'a')))
  t.notOk(isPadded(step('851713', 'a'), step('85171310', 'a')))
  t.notOk(isPadded(step('851713', 'a'), step('85171300', 'b', 'a')))
  t.notOk(isPadded(step('851713', 'a'), step('85171300', 'a', 'b')))
  t.strictSame(
    withoutPadded([step('85', 'x'), step('8517', 'y'), step('851700', 'y'), step('85170000', 'y')]).map(({ hs_code }) => hs_code),
    ['85', '8517'],
  )
})

t.test('the request for a first page has no offset', async t => {
  t.equal(childrenPath('85'), 'hs-codes/85/children?limit=50&include=rate')
  t.equal(childrenPath('85', 50), 'hs-codes/85/children?limit=50&offset=50&include=rate')
  t.equal(listPath('hs-codes/85/lines', 20, 20), 'hs-codes/85/lines?limit=20&offset=20&include=rate')
})
