/** Answers to the questions about a title, and the API paths that a search requests, tested without a browser. */
import t from 'tap'
import type { SearchRoute } from '../../src/web/app/data/address.js'
import { forgetAnswers } from '../../src/web/app/data/answer.js'
import { carry, isCarried } from '../../src/web/app/data/carried.js'
import { noteServerCountry, readCountry, serverCountry } from '../../src/web/app/data/country.js'
import { changeKey, takeKeyFromAddress } from '../../src/web/app/data/key.js'
import { chaptersOf } from '../../src/web/app/search/arrange.js'
import { chapterChips, firstChapters, rateChips } from '../../src/web/app/search/facets.js'
import { searchPath } from '../../src/web/app/search/paths.js'
import { askStages, classifyPath, isSame, readSteps, subheadingOf, writeSteps } from '../../src/web/app/search/steps.js'
import { answered, openFakeBrowser, refused } from '../support/fake-browser.js'

t.test('steps are read from an address as they were written, without invalid codes, and up to their limits', async t => {
  t.strictSame(readSteps('0902,0903.090210'), [['0902', '0903'], ['090210']])
  t.equal(writeSteps(readSteps('0902,0903.090210')), '0902,0903.090210')
  t.strictSame(readSteps(''), [])
  t.strictSame(readSteps('x.0902,y,1,1234567890123..090210'), [['0902'], ['090210']])
  t.strictSame(
    readSteps(Array.from({ length: 9 }, (_, i) => `${10 + i}`).join('.')).map(([code]) => code),
    ['10', '11', '12', '13', '14', '15', '16', '17'],
  )
  t.equal(readSteps(Array.from({ length: 25 }, (_, i) => `${10 + i}`).join())[0]?.length, 20)
  t.ok(isSame(['01', '02'], ['01', '02']))
  t.notOk(isSame(['01', '02'], ['02', '01']))
})

t.test('below one subheading, lines are requested, otherwise subheadings', async t => {
  const asked = (step: string[] | undefined) => Object.fromEntries(new URLSearchParams(classifyPath('tea', step).split('?')[1]))
  t.strictSame(asked(undefined), { text: 'tea', level: '6', limit: '6' })
  t.strictSame(asked(['0902', '0903']), { text: 'tea', within: '0902,0903', level: '6', limit: '6' })
  t.strictSame(asked(['090210', '09021010']), { text: 'tea', within: '090210,09021010', level: '12', limit: '20' })
  t.equal(subheadingOf(undefined), null)
  t.equal(subheadingOf(['090210', '090220']), null)
  t.equal(new URLSearchParams(classifyPath('😀'.repeat(501), undefined).split('?')[1]).get('text'), '😀'.repeat(500))
})

t.test('each stage has its own answer; the first error is the answer to all stages', async t => {
  const { answer, sent } = openFakeBrowser(t)
  forgetAnswers()
  changeKey('hs_free_a')
  t.teardown(() => changeKey(null))
  answer(({ path }) => answered({ items: [{ text: new URL(path, 'http://x').searchParams.get('within') }] }))
  const { signal } = new AbortController()
  t.match(await askStages('tea', [['0902'], ['090210']], signal), {
    kind: 'ok',
    data: [{ text: null }, { text: '0902' }, { text: '090210' }],
    meta: { total: 3, count: 3 },
  })
  t.equal(sent.length, 3)
  answer(() => refused(429, 'rate_limited'))
  t.match(await askStages('tea', [['0902'], ['0903']], signal), { kind: 'limit' })
})

t.test('a search is requested with its filters and at most 200 characters, and without an offset for its first page', async t => {
  const route = (q: string): SearchRoute => ({ page: 'search', q, within: '09', level: '', rate: '5', steps: '', isTitle: false })
  t.equal(searchPath(route(' tea ')), 'search?q=tea&within=09&rate=5&limit=20&include=path%2Crate%2Cmatched')
  t.match(searchPath(route('tea'), 20), 'offset=20')
  const text = (q: string) => new URLSearchParams(searchPath(route(q)).split('?')[1]).get('q')
  t.equal(text('😀'.repeat(201)), '😀'.repeat(200))
  t.equal(text(`${'a'.repeat(199)} b`), 'a'.repeat(199), 'a shortened text has no space at its end')
})

const step = (hs_code: string) => ({ hs_code, description: { en: hs_code, ar: hs_code } })

t.test(
  'at first five chapters have a chip; there are no chips if there is nothing to choose; a chip is on only for its own value',
  async t => {
    t.strictSame(
      chaptersOf([
        { ...step('090210'), tariff_rate: 5, path: [step('09'), step('0902')] },
        { ...step('0903'), tariff_rate: 5, path: [step('09')] },
        { ...step('21'), tariff_rate: 5 },
      ]).map(({ hs_code }) => hs_code),
      ['09', '21'],
    )
    const chapter = ['01', '02', '03', '04', '05', '06', '07'].map(code => ({ ...step(code), count: 1 }))
    t.equal(firstChapters(chapterChips('', { chapter }, [], 7)).length, 5)
    t.equal(chapterChips('', { chapter: chapter.slice(0, 2) }, [], 7).length, 2)
    t.equal(
      chapterChips('01', null, [step('01'), step('02')], 7).length,
      1,
      'other chapters may have no results under this filter',
    )
    const rate = [0, 5].map(one => ({ rate: one, count: 1 }))
    t.strictSame(
      rateChips('5', { rate }).map(({ isOn, filters }) => [isOn, filters.rate]),
      [
        [false, '0'],
        [true, ''],
      ],
    )
    t.equal(rateChips('', { rate }).length, 2)
    t.strictSame(
      rateChips('', { rate }).map(({ isOn }) => isOn),
      [false, false],
      'without a filter, the rate 0 is not selected',
    )
    t.equal(rateChips('5', { rate: rate.slice(1) }).length, 1)
  },
)

t.test('answers that came with the document are recognised, and the country of the server is read from it', async t => {
  openFakeBrowser(t)
  forgetAnswers()
  t.teardown(() => {
    noteServerCountry('')
    readCountry('')
  })
  const data = { hs_code: '01' }
  carry({
    serverCountry: 'SA',
    answers: { 'hs-codes/01?country=SA': { data }, 'hs-codes/99': { error: {} }, chapters: { data: null } },
  })
  t.equal(serverCountry(), 'SA')
  t.ok(isCarried(data))
  t.notOk(isCarried({ hs_code: '01' }))
})

t.test('a key in the address is read once and removed from the address; any other fragment stays', async t => {
  const { location, history } = openFakeBrowser(t)
  const replaced: unknown[] = []
  history.replaceState = (state, _title, address) => void replaced.push([state, address])
  history.state = { work: 'w' }
  Object.assign(location, { pathname: '/code/01', search: '?lang=ar', hash: '#key=hs_free_a-B_1' })
  t.equal(takeKeyFromAddress(), 'hs_free_a-B_1')
  t.strictSame(replaced, [[{ work: 'w' }, '/code/01?lang=ar']])
  for (const hash of ['', '#lines', '#key=', '#key=abc', '#x#key=hs_a', '#key=hs_a<b']) {
    location.hash = hash
    t.equal(takeKeyFromAddress(), null, hash)
  }
  t.equal(replaced.length, 1)
})
