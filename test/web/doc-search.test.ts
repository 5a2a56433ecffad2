/** The search among the documentation pages. */
import t from 'tap'
import { DocsSearch, excerpt } from '../../src/web/app/docs/search.js'

const search = new DocsSearch([
  {
    address: '/docs/settings',
    title: 'Settings',
    lang: 'en',
    sections: [['', '', 'Variables: HSAPI_HOST address, HSAPI_PORT port to listen on.']],
  },
  {
    address: '/docs/operations',
    title: 'Operations',
    lang: 'en',
    sections: [
      ['', '', 'Deploy and watch.'],
      ['admin-port', 'Admin port', 'Metrics of hsapi. See settings.'],
      ['logs', 'Logs', 'One line per answer.'],
    ],
  },
  { address: '/docs/start', title: 'البداية', lang: 'ar', sections: [['', '', 'أول رمز في الإمارات']] },
])
const addresses = (query: string) => search.find(query).map(({ address }) => address)
const marked = (text: string, query: string) =>
  excerpt(text, query)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

t.test("every word of a query must be the start of a word in the section or in its page's title", async t => {
  t.strictSame(addresses('metr'), ['/docs/operations#admin-port'])
  t.strictSame(addresses('metr line'), [])
  t.strictSame(addresses('operations line'), ['/docs/operations#logs'], 'words of the page title count for its sections')
  t.strictSame(addresses('etrics'), [], 'the middle of a word does not match')
  t.strictSame(addresses('zzz'), [])
  for (const empty of ['', '  ', '_', '#/']) t.strictSame(addresses(empty), [], 'an empty query finds nothing')
})

t.test('titles come before headings, headings before text, and words in order before scattered ones', async t => {
  t.strictSame(addresses('settings'), ['/docs/settings', '/docs/operations#admin-port'])
  t.strictSame(addresses('port'), ['/docs/operations#admin-port', '/docs/settings'])
  t.strictSame(addresses('hsapi_port'), ['/docs/settings', '/docs/operations#admin-port'])
})

t.test('Arabic is found by its letters, however they are written', async t => {
  t.strictSame(addresses('امارات'), [])
  t.strictSame(addresses('الامارات'), ['/docs/start'])
  t.strictSame(addresses('اول'), ['/docs/start'])
})

t.test('an excerpt shows the searched words', async t => {
  t.equal(marked('Metrics of hsapi.', 'metr HSAPI'), '[Metrics] of [hsapi].')
  t.equal(marked("A key's limits.", 'keys'), "A [key's] limits.")
  t.equal(marked('Nothing of it.', 'title'), 'Nothing of it.')
  const long = `${'word '.repeat(60)}HSAPI_PORT ${'word '.repeat(60)}`
  t.match(marked(long, 'hsapi port'), /^… word.* \[HSAPI\]_\[PORT\] word.* …$/)
  t.ok(marked(long, 'hsapi').length < 200)
  t.match(marked(`hsapi ${long}`, 'hsapi_po'), '[HSAPI]_[PORT]', 'the excerpt shows the place where the words are adjacent')
  t.equal(marked('x'.repeat(400), 'x').length > 0, true, 'a text of one long word has an excerpt')
})
