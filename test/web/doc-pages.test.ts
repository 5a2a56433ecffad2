/** The documentation pages as built from Markdown. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeDocs } from '../../build/web/docs.js'
import { renderDoc } from '../../build/web/markdown.js'
import { packageRoot } from '../../src/package-root.js'
import { temporaryDirectory } from '../support/service.js'

const DOCS = join(packageRoot(), 'docs')
const APP = { manifest: { en: '/m.webmanifest', ar: '/m.webmanifest' }, touchIcon: '/i.png' }
const ASSETS = { script: '/s.js', styles: ['/s.css'], theme: '/t.js', font: '/f.woff2', icon: '/i.svg', app: APP }
const LINKS = { names: new Set(['api', 'cli']), images: new Map([['a.webp', '/assets/a-1.webp']]) }

/** Anchors of pages before they were split, which readers may have bookmarked. */
const FORMER_ANCHORS = {
  '/docs/http-api': [
    ...['requests-and-responses', 'controls', 'countries', 'look-up-a-code', 'list-the-codes-below', 'list-the-declarable-lines'],
    ...['list-sections-and-chapters', 'list-legal-notes', 'search', 'facets', 'many-searches', 'suggest', 'classify-titles'],
    ...['verify-a-code', 'resolve-codes', 'translate-codes-of-other-editions', 'estimate-duty-and-vat', 'codes-of-warnings'],
    ...['describe-the-dataset', 'list-changes-of-the-dataset', 'check-health', 'get-the-contract', 'errors', 'keys-and-limits'],
    'http-details',
  ],
  '/docs/operations': [
    ...['deploy', 'commands-beside-the-unit', 'check-the-machine', 'health-checks', 'behind-a-proxy', 'tls', 'data-directory'],
    ...['keysjson-and-its-copy', 'two-http-engines', 'admin-port', 'what-ready-says', 'keys-and-usage', 'metrics', 'alerts'],
    ...['logs', 'what-was-searched', 'the-snapshot-in-use', 'take-a-new-dataset-live', 'upgrade', 'how-long-a-stop-takes'],
    ...['replace-two-servers-without-losing-a-request', 'back-up', 'what-you-may-lose', 'limits-and-non-goals'],
  ],
}

const render = (markdown: string) => renderDoc('a.md', `# Title\n\n${markdown}\n`, 'en', LINKS)

/** Builds pages from these files, by address and language. */
function make(t: Test, files: Readonly<Record<string, string>>) {
  const folder = join(temporaryDirectory(t), 'docs')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return makeDocs(folder, ASSETS)
}

const textOf = ({ content }: { content: Uint8Array }) => Buffer.from(content).toString()

t.test('links lead to pages, their sections and other sites; a link to a file that is not served becomes text', async t => {
  for (const [markdown, html] of [
    ['[a](api.md)', '<a href="/docs/http-api">a</a>'],
    ['[a](api.md#errors)', '<a href="/docs/http-api#errors">a</a>'],
    ['[a](cli.md)', '<a href="/docs/cli">a</a>'],
    ['[a](cli.ar.md#x)', '<a href="/docs/cli?lang=ar#x">a</a>'],
    ['[a](#errors)', '<a href="#errors">a</a>'],
    ['[a](https://example.com/?a=1&b="2")', '<a href="https://example.com/?a=1&amp;b=&quot;2&quot;">a</a>'],
    ['[`a`](../README.md#start)', '<code dir="ltr">a</code>'],
    ['[a](decisions/README.md)', 'a'],
    ['[a](../deploy)', 'a'],
    ['[a](llms.txt)', 'a'],
    ['[a](unknown.md)', 'a'],
    ['[a](javascript:alert(1))', 'a'],
    ['[a](//example.com)', 'a'],
    ['![a "b"](a.webp)', '<img src="/assets/a-1.webp" alt="a &quot;b&quot;">'],
    ['![a](https://example.com/a.webp)', 'a'],
  ] as const)
    t.match(render(markdown).html, `<p>${html}</p>`, markdown)
})

t.test('raw HTML is shown as text, and HTML comments are left out', async t => {
  const { html } = render('<!-- a\n\nb --> c\n\nd <b onclick="e()">f</b> <!-- g --> h\n\n<script>alert(1)</script>')
  t.notMatch(html, /<b|<script|<!--|onclick="/)
  t.match(html, '&lt;b onclick=&quot;e()&quot;&gt;f&lt;/b&gt;  h')
  t.match(html, '&lt;script&gt;alert(1)&lt;/script&gt;')
  t.notMatch(html, '-- a')
})

t.test('headings have the anchors that GitHub gives them', async t => {
  const { html, headings } = render(
    '## HTTP details\n\n## `a_b`: c, d\n\n### Same\n\n### Same\n\n## في البداية\n\n## [a](cli.md) b',
  )
  for (const id of ['http-details', 'a_b-c-d', 'same', 'same-1', 'في-البداية', 'a-b']) t.match(html, ` id="${id}">`)
  t.match(html, '<h2 id="http-details"><a href="#http-details">HTTP details</a></h2>')
  t.match(html, '<h2 id="a-b"><a href="/docs/cli">a</a> b</h2>', 'links do not nest')
  t.strictSame(
    headings.map(({ anchor }) => anchor),
    ['http-details', 'a_b-c-d', 'في-البداية', 'a-b'],
  )
})

t.test('the old anchor of a moved section is now on the first link to the section', async t => {
  const links = { ...LINKS, names: new Set(['api-search', 'deploy', 'api']) }
  const markdown =
    '# Title\n\n[a](api-search.md#search) [b](api-search.md#search) [c](api-search.md) [d](#e)\n\n## Deploy\n\n[f](deploy.md#deploy)\n'
  const { html } = renderDoc('api.md', markdown, 'en', links)
  t.match(html, '<a id="search" href="/docs/api-search#search">a</a> <a href="/docs/api-search#search">b</a>')
  t.match(html, '<a href="/docs/api-search">c</a> <a href="#e">d</a>')
  t.match(html, '<a href="/docs/deploy#deploy">f</a>', 'a heading of the page keeps its anchor')
  t.notMatch(renderDoc('a.md', markdown, 'en', links).html, '<a id=')
})

t.test('tables scroll by themselves and have no empty headings', async t => {
  const { html } = render('| a | |\n|---|--:|\n| b | 1 |\n\n| | |\n|---|---|\n| c | d |')
  t.match(html, '<div class="wide"><table>\n<thead>\n<tr><th>a</th><td class="end"></td></tr>')
  t.match(html, '<div class="wide"><table>\n<tbody>\n<tr><td>c</td><td>d</td></tr>')
  t.notMatch(html, '<th></th>')
})

t.test('the search index has the words of every section, without code blocks', async t => {
  const { title, summary, sections } = render(
    'First `one`\nof it. Second.\n\n```\nnot this\n```\n\n## Next\n\n| a | b |\n|---|---|\n| `HSAPI_PORT` | c |\n\n- d\n- [e](api.md)\n  f',
  )
  t.equal(title, 'Title')
  t.equal(summary, 'First one of it.')
  t.strictSame(sections, [
    ['', '', 'First one of it. Second.'],
    ['next', 'Next', 'a b HSAPI_PORT c d e f'],
  ])
})

t.test('an Arabic version is shown to readers of Arabic; without one they get English, with a note', async t => {
  const { index, docs, assets } = make(t, {
    'cli.md': '# Command line\n\nIn English.\n',
    'api.md': '# HTTP API\n\nAlso in English.\n',
    'cli.ar.md': '# سطر الأوامر\n\nبالعربية.\n',
  })
  t.strictSame(
    docs.map(({ name }) => name),
    ['http-api', 'cli'],
  )
  const [api, cli] = docs as [(typeof docs)[0], (typeof docs)[0]]
  const only = 'هذه الصفحة متاحة بالإنجليزية فقط.'
  t.match(textOf(cli.en), '<h1 id="command-line">Command line</h1>')
  t.match(textOf(cli.ar), '<html lang="ar" dir="rtl">')
  t.match(textOf(cli.ar), '<h1 id="سطر-الأوامر">سطر الأوامر</h1>')
  t.notMatch(textOf(cli.ar), only)
  t.match(textOf(api.ar), '<html lang="ar" dir="rtl">')
  t.match(textOf(api.ar), '<div class="prose" lang="en" dir="ltr">\n<h1 id="http-api">HTTP API</h1>')
  t.match(textOf(api.ar), only)
  t.notMatch(textOf(api.en), 'dir="rtl"')
  t.match(textOf(index.ar), 'سطر الأوامر')
  const [en, ar] = assets.filter(({ name }) => name.endsWith('.json')).map(textOf)
  t.notMatch(en, 'بالعربية')
  t.match(ar, 'بالعربية')
})

t.test('a page without a title, or an Arabic page without an English one, stops the build', async t => {
  t.throws(() => make(t, { 'a.ar.md': '# a\n' }), { message: 'docs/a.ar.md has no a.md beside it' })
  t.throws(() => make(t, { 'a.md': 'a\n' }), { message: 'docs/a.md must begin with a title' })
})

t.test('every page of docs is served, and all its links and images work', async t => {
  const { index, docs, assets } = makeDocs(DOCS, ASSETS)
  const files = readdirSync(DOCS).filter(name => name.endsWith('.md') && !name.endsWith('.ar.md'))
  t.equal(docs.length, files.length)
  t.strictSame(docs.map(({ name }) => (name === 'http-api' ? 'api.md' : `${name}.md`)).sort(), files.sort())
  for (const lang of ['en', 'ar'] as const) {
    const pages = new Map([['/docs', textOf(index[lang])], ...docs.map(doc => [`/docs/${doc.name}`, textOf(doc[lang])] as const)])
    const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    for (const [address, html] of pages) {
      const ids = idsOf(html)
      t.equal(new Set(ids).size, ids.length, `${lang} ${address}: every id occurs once`)
      t.notMatch(html, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/, 'no inline script or style')
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (/^https?:/.test(href) || ['/', '/browse', '/shipment', '/docs/api'].includes(href)) continue
        const [path = '', anchor] = href.replace(/\?lang=(?:ar|en)/, '').split('#')
        const target = path === '' ? html : pages.get(path)
        t.not(target, undefined, `${lang} ${address}: ${href}`)
        if (anchor !== undefined && anchor !== 'main') t.ok(idsOf(target ?? '').includes(anchor), `${address}: ${href}`)
      }
      for (const [, src] of html.matchAll(/<img src="(\/assets\/[^"]+)"/g))
        t.ok(
          assets.some(({ name }) => `/${name}` === src),
          src,
        )
    }
    for (const [address, anchors] of Object.entries(FORMER_ANCHORS))
      for (const anchor of anchors) t.ok(idsOf(pages.get(address) ?? '').includes(anchor), `${lang} ${address}#${anchor}`)
    const listed = [...(pages.get('/docs') as string).matchAll(/<li[^>]*><a href="([^"]+)"><b>/g)].map(([, href]) => href)
    t.strictSame(listed, ['/docs/api', ...docs.map(({ name }) => `/docs/${name}`)], 'the contract is listed first')
  }
})
