/** Records and tree in the HTML itself, for visitors who need no key. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tap from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { dataElement } from '../../src/web/server/data-element.js'
import { RecentBodies } from '../../src/web/server/recent-bodies.js'
import { Template } from '../../src/web/server/template.js'
import { answersIn, canonicalOf, openRendered, PUBLIC_URL, site, withoutBlock } from '../support/rendered.js'
import { catalogOf, dataOf, FIXTURE, fixtureSnapshot, temporaryDirectory, testOnEngines } from '../support/service.js'

for (const mode of ['open', 'public'] as const)
  testOnEngines(`a record has its words, rate and path in the document, in both languages (${mode})`, async t => {
    const { page } = await openRendered(t, mode)
    const { status, headers, text } = await page('/code/01012910')
    t.equal(status, 200)
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.equal(headers['content-language'], 'en')
    t.equal(headers['cache-control'], mode === 'open' ? 'private, no-cache' : 'no-cache')
    t.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
    const seen = withoutBlock(text)
    t.match(seen, '<title>01012910 Race horses · hsapi</title>')
    t.match(seen, 'content="HS code 01012910: Race horses. Import duty: 6.5 % (Common GCC tariff). Under 01 Live animals ›')
    t.match(seen, '<meta property="og:title" content="01012910 Race horses">')
    t.match(seen, '<a href="/code/010129"><bdi class="code" dir="ltr"><span>0101</span><span>29</span></bdi>')
    for (const part of ['Race horses</p>', 'خيول السباق</p>', '6.5 %', 'Rate set for this code']) t.match(seen, part)
    t.match(seen, '<a id="language" class="quiet" href="/code/01012910?lang=ar"')
    t.notMatch(seen, /noscript|\sstyle=|\son\w+=/)
    const arabic = (await page('/code/01012910?lang=ar')).text
    t.match(arabic, '<html lang="ar" dir="rtl"')
    t.match(arabic, '<title>01012910 خيول السباق · hsapi</title>')
    t.match(arabic, 'href="/code/010129?lang=ar"', 'links stay in the language of the address')
    t.match((await page('/code/85')).text, 'href="/code/8523"', 'the codes below it are links')
  })

testOnEngines('a chosen country changes rate, links and address', async t => {
  const { page } = await openRendered(t, 'public')
  const { text } = await page('/code/010221?country=sa')
  t.match(text, 'Import duty: 7.5 % (Saudi Arabia)')
  t.match(text, 'Duty rate in Saudi Arabia')
  t.match(text, 'href="/code/0102?country=SA"')
  t.match(text, '<option value="SA" selected>Saudi Arabia')
  t.equal(canonicalOf(text), `${PUBLIC_URL}/code/010221?country=SA&amp;lang=en`)
  t.match((await page('/code/851718?country=SA')).text, 'Import duty: Prohibited')
  const unknown = (await page('/code/010221?country=XX%22%3E')).text
  t.match(unknown, 'Common GCC tariff)', 'a country that the dataset lacks shows the common tariff')
  t.equal(canonicalOf(unknown), `${PUBLIC_URL}/code/010221?lang=en`)
})

testOnEngines('the document contains the answers of the API, byte for byte', async t => {
  const { page, get, auth } = await openRendered(t, 'public')
  const carried = async (path: string) => {
    const { text } = await page(path)
    const answers = Object.entries(answersIn(text).answers)
    for (const [asked, { meta, error }] of answers) {
      const answer = await get(`/api/v1/${asked}`, auth)
      if (error !== undefined) {
        t.equal(answer.status, 404, asked)
        if (asked.startsWith('hs-codes')) t.strictSame(error.details, answer.body.error.details)
        continue
      }
      t.ok(text.includes(`${JSON.stringify(asked)}:{"data":${dataOf(answer)}`), asked)
      if (meta !== undefined) t.match(answer.body.meta, meta, asked)
    }
    return answers.map(([asked]) => asked)
  }
  const whole = 'include=path%2Ceditions'
  t.match(await carried('/code/8517'), ['dataset', `hs-codes/8517?${whole}`])
  t.match((await carried('/code/85')).sort(), ['chapters', 'dataset', /^hs-codes\/85\?/])
  t.match((await carried('/code/852321?country=SA')).at(-1), /^hs-codes\/852321\?.*&country=SA$/)
  t.strictSame(await carried('/browse'), ['dataset', 'chapters'])
  const tree = await carried('/browse/90318010?country=SA')
  t.ok(tree.includes('hs-codes/90/children?limit=50&include=rate&country=SA'))
  t.ok(tree.includes('hs-codes/9031/children?limit=50&include=rate&country=SA'))
  t.match(await carried('/code/852399'), ['dataset', /^hs-codes\/852399\?/])
  t.match(await carried('/code/851712'), ['dataset', /^hs-codes\/851712\?/, 'editions/2017/851712'])
  t.match((await carried('/code/852320')).slice(2), ['editions/2017/852320', 'editions/2012/852320'])
})

testOnEngines('from midnight on, a page has the taxes of the new day', async t => {
  const { page, clock } = await openRendered(t, 'public')
  const taxed = async () => {
    const answers = Object.entries(answersIn((await page('/code/010229')).text).answers)
    const [record] = answers.flatMap(([path, { data }]) => (path.startsWith('hs-codes/010229?') ? [data] : []))
    const { countries } = record as { countries: { country: string; excise: unknown[] }[] }
    return countries.filter(({ excise }) => excise.length > 0).map(({ country }) => country)
  }
  clock.ms = Date.parse('2026-06-30T23:59:59Z')
  t.strictSame(await taxed(), ['SA'])
  clock.forward(1_000)
  t.strictSame(await taxed(), [], 'the last day of this tax is over')
})

testOnEngines('from midnight on, a browser does not keep the page of the day before', async t => {
  const { page, clock } = await openRendered(t, 'public')
  clock.ms = Date.parse('2026-06-30T23:59:59Z')
  const tag = String((await page('/code/010229')).headers.etag)
  t.equal((await page('/code/010229', { 'if-none-match': tag })).status, 304)
  clock.forward(1_000)
  t.equal((await page('/code/010229', { 'if-none-match': tag })).status, 200)
})

testOnEngines('the page of an unknown code links to itself in the other language', async t => {
  const { page } = await openRendered(t, 'public')
  const { status, text } = await page('/code/%3Fa%23b')
  t.equal(status, 404)
  t.match(text, /<a id="language" class="quiet" href="\/code\/%3Fa%23b\?lang=ar"/)
})

testOnEngines('the document names the default country of the server', async t => {
  const { page } = await openRendered(t, 'public', new Catalog(await fixtureSnapshot(), 'SA'))
  const { text } = await page('/code/010221')
  t.match(text, 'Import duty: 7.5 % (Saudi Arabia)')
  const { serverCountry, answers } = answersIn(text)
  t.equal(serverCountry, 'SA')
  t.ok(Object.keys(answers).some(path => path.endsWith('&country=SA')))
  t.equal(canonicalOf(text), `${PUBLIC_URL}/code/010221?lang=en`)
})

testOnEngines('the tree opens down to a code, and sections open without JavaScript', async t => {
  const { page } = await openRendered(t, 'open')
  const all = withoutBlock((await page('/browse')).text)
  t.equal(all.match(/<li data-level="1"><details>/g)?.length, 3, 'sections without chapters are left out')
  t.match(all, 'href="/browse/85"')
  t.notMatch(all, 'href="/browse/8517"')
  t.equal(withoutBlock((await page('/browse?section=XVI')).text).match(/<li data-level="1"><details open>/g)?.length, 1)
  const branch = withoutBlock((await page('/browse/8517')).text)
  t.equal(branch.match(/<li data-level="1"><details open>/g)?.length, 1)
  for (const link of ['/browse/8523', '/browse/851713', '/code/851713']) t.match(branch, `href="${link}"`)
  t.match(branch, '<title>8517 Telephones and network equipment in the tariff · hsapi</title>')
  t.match(
    branch,
    '<link rel="canonical" href="/browse/8517?lang=en">',
    'the address is relative, because the public address is unknown',
  )
})

for (const mode of ['open', 'public'] as const)
  testOnEngines(`a code that does not exist gives 404, with its successors or the nearest code (${mode})`, async t => {
    const { page } = await openRendered(t, mode)
    const missing = await page('/code/852399')
    t.match([missing.status, missing.headers['content-type']], [404, 'text/html; charset=utf-8'])
    t.match(missing.text, 'There is no code')
    t.match(missing.text, 'The nearest existing code is <a href="/code/8523">')
    t.equal(canonicalOf(missing.text), undefined)
    t.equal(missing.headers.etag, undefined)
    t.equal((await page('/code/852399', { 'sec-fetch-site': 'none', 'if-none-match': '*' })).status, 404)
    const moved = await page('/code/851712?lang=ar')
    t.equal(moved.status, 404)
    t.match(moved.text, 'لم يعد مستعملا')
    t.match(moved.text, '<bdi dir="ltr">HS 2017</bdi>')
    for (const code of ['851713', '851718']) t.match(moved.text, `href="/code/${code}?lang=ar"`)
    for (const path of ['/code/tea', '/code/1', `/code/${'8'.repeat(15)}`, '/code/%FF', '/browse/99', '/browse/tea'])
      t.equal((await page(path)).status, 404, path)
    t.match((await page('/browse/851799')).text, 'href="/browse/851713"', 'the tree is open down to the nearest existing code')
    const hostile = (await page('/code/%3Cscript%3Ealert(1)%3C%2Fscript%3E')).text
    t.notMatch(hostile, '<script>')
    t.match(hostile, '&lt;script&gt;alert(1)')
  })

testOnEngines('a code has one address: its digits', async t => {
  const { page } = await openRendered(t, 'public')
  for (const [asked, address] of [
    ['/code/8517.13', '/code/851713'],
    ['/code/8517%2013', '/code/851713'],
    ['/code/%D9%A8%D9%A5', '/code/85'],
    ['/browse/85.17', '/browse/8517'],
    ['/code/8517.13?lang=ar&value=1%2C000&x=%0D%0AX-Y:%201', '/code/851713?lang=ar&value=1%2C000&x=%0D%0AX-Y%3A+1'],
  ] as const) {
    const { status, headers, bytes } = await page(asked)
    t.match([status, headers.location, bytes.length], [301, address, 0], asked)
    t.equal(headers['x-y'], undefined)
  }
  for (const path of ['/code/851713?lang=en', '/code/851713', '/code/851713?utm=1', '/code/851713?lang=fr'])
    t.equal(canonicalOf((await page(path)).text), `${PUBLIC_URL}/code/851713?lang=en`, path)
})

testOnEngines(
  'a page is sent again only if dataset, language or country has changed, and compressed if the client accepts it',
  async t => {
    const { page, server } = await openRendered(t, 'public')
    const tags = new Set<string>()
    for (const path of ['/code/851713', '/code/851713?lang=ar', '/code/851713?country=SA'])
      for (const coding of ['', 'gzip', 'br, gzip;q=0.5']) {
        const first = await page(path, { 'accept-encoding': coding })
        const tag = String(first.headers.etag)
        t.equal(first.headers['content-encoding'], coding === '' ? undefined : 'gzip')
        t.equal(first.headers.vary, 'Accept-Encoding, Accept-Language')
        const again = await page(path, { 'accept-encoding': coding, 'if-none-match': tag })
        t.match([again.status, again.bytes.length, again.headers.etag], [304, 0, tag])
        t.equal(first.text, (await page(path, {})).text)
        const head = await page(path, { 'accept-encoding': coding }, 'HEAD')
        t.equal(head.headers['content-length'], String(first.bytes.length))
        tags.add(tag)
      }
    t.equal(tags.size, 6)
    t.equal(
      (await page('/code/851713', { 'if-none-match': [...tags][2] as string })).status,
      200,
      'the ETag is of a page in another language',
    )
    const directory = temporaryDirectory(t)
    cpSync(FIXTURE, directory, { recursive: true })
    const file = join(directory, 'chapters/85.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace('Smartphones', 'Pocket telephones'))
    server.serve(await catalogOf(directory))
    const changed = await page('/code/851713', { 'if-none-match': [...tags][0] as string })
    t.equal(changed.status, 200)
    t.match(changed.text, 'Pocket telephones', 'a new dataset is in the pages at once')
    t.notMatch(changed.text, 'Smartphones')
  },
)

const HOSTILE = `<script>alert(1)</script> "'\`&amp;--></title><!-- {code} \${x} \\u003c`

testOnEngines('markup in texts of a dataset is shown as text', async t => {
  const directory = temporaryDirectory(t)
  cpSync(FIXTURE, directory, { recursive: true })
  const file = join(directory, 'chapters/85.csv')
  const quoted = `"${HOSTILE.replaceAll('"', '""')}"`
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^851713,.*$/m, () => `851713,${quoted},${quoted},,,,`),
  )
  const { page } = await openRendered(t, 'public', await catalogOf(directory))
  const countIn = (text: string) => text.match(/<script|<title|<!--|<meta|<link/g)?.length ?? 0
  for (const path of ['/code/851713', '/code/851713?lang=ar', '/code/8517', '/browse/8517', '/code/851712']) {
    const { text } = await page(path)
    t.notMatch(text, '<script>alert')
    t.notMatch(text, '<!--', path)
    t.match(text, /&lt;script(?:&gt;|>)alert\(1\)&lt;\/script(?:&gt;|>) &quot;/, 'a single > does not end an element')
    const all = answersIn(text)
    t.match(JSON.stringify(all), JSON.stringify(HOSTILE).slice(1, -1), 'the data contains the same text')
    // the Arabic document also names its font
    const plain = (await page(path.includes('lang=ar') ? '/shipment?lang=ar' : '/shipment')).text
    const added = countIn(text) - countIn(plain)
    t.equal(added, path.startsWith('/code/8517') && path !== '/code/851712' ? 12 : path === '/code/851712' ? 1 : 11, path)
  }
})

tap.test('no text in the data can end its element', async t => {
  t.equal(
    dataElement('application/json', ['{"a":"</scr', 'ipt><!--"}'], 'x').join(''),
    '<script type="application/json" id="x">{"a":"\\u003c/script>\\u003c!--"}</script>',
  )
})

tap.test('a document without the placeholders for a view is refused at the start', async t => {
  const { plain: _, ...file } = site.pages.en
  t.throws(() => new Template({ ...file, plain: Buffer.from('<title>x</title>') }), /has no place for description/)
  t.throws(() => new Template({ ...file, plain: undefined }), /is not stored uncompressed/)
  t.ok(Buffer.from(site.pages.en.plain as Uint8Array).equals(new Template(site.pages.en).fill({})))
})

tap.test('the cache of rendered bodies is bounded in number and bytes', async t => {
  const recent = new RecentBodies(3, 100)
  const body = (bytes: number) => new Uint8Array(bytes)
  for (const key of ['a', 'b', 'c']) recent.keep(key, body(10))
  recent.get('a')
  recent.keep('d', body(10))
  t.strictSame(
    ['a', 'b', 'c', 'd'].filter(key => recent.get(key) !== undefined),
    ['a', 'c', 'd'],
    'the most recently used bodies stay',
  )
  recent.keep('e', body(90))
  t.strictSame(
    ['a', 'c', 'd', 'e'].filter(key => recent.get(key) !== undefined),
    ['d', 'e'],
  )
  t.equal(recent.keep('', body(1)).length, 1)
  t.equal(recent.get(''), undefined)
})
