/** Tests the library in a real browser, bundled for a web page that fetches a snapshot. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { openCatalog } from '../../src/index.js'
import { sharedBrowser, WITHOUT_BROWSER } from '../support/browser.js'
import { ROOT } from '../support/cli.js'
import { compiledFixture } from '../support/service.js'

/** The script of the page. It puts the answers into the global variable `answers`. */
const SCRIPT = `
import { CatalogError, openCatalog } from 'hsapi'

self.answers = (async () => {
  const snapshot = new Uint8Array(await (await fetch('/hs.snapshot')).arrayBuffer())
  const hs = await openCatalog({ snapshot })
  const errorCodeOf = call => {
    try {
      return call()
    } catch (error) {
      return error instanceof CatalogError ? error.code : String(error)
    }
  }
  const answers = [
    hs.lookup('851713'), hs.lookup('0999'), hs.search('هواتف'), hs.suggest('sm'), hs.children('85'), hs.lines('8523'),
    hs.path('852321'), hs.resolve(['8517.13', '851712']), hs.editions('2017', '851712'),
    hs.tariff('85', '99.9', { vat_rate: 15 }), errorCodeOf(() => hs.lookup('9.2')),
  ]
  hs.close()
  return JSON.stringify([...answers, errorCodeOf(() => hs.lookup('85'))])
})()
`

/** Bundles the script. The bundler fails if the library needs a file or a module of Node. */
async function bundle(): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  t.strictSame(warnings, [])
  return outputFiles[0]?.text ?? ''
}

/** Serves the files on localhost, because browsers compute checksums only in secure contexts. */
async function serve(t: Test, files: Record<string, [type: string, body: string | Uint8Array]>): Promise<string> {
  const server = createServer((req, res) => {
    const [type, body] = files[req.url ?? ''] ?? ['text/plain', '']
    res.writeHead(200, { 'content-type': type }).end(body)
  })
  await new Promise<void>(done => server.listen(0, 'localhost', done))
  t.teardown(() => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

t.test('the library returns the same answers in a web page as in Node', { skip: WITHOUT_BROWSER }, async t => {
  const bytes = await compiledFixture()
  const url = await serve(t, {
    '/': ['text/html', '<!doctype html><script src="/bundle.js"></script>'],
    '/bundle.js': ['text/javascript; charset=utf-8', await bundle()],
    '/hs.snapshot': ['application/octet-stream', bytes],
  })
  const page = await (await sharedBrowser()).newPage()
  const pageErrors: string[] = []
  page.on('pageerror', error => pageErrors.push(error.message))
  await page.goto(url)
  const answers = JSON.parse(await page.evaluate('self.answers'))
  t.strictSame(pageErrors, [])
  const hs = await openCatalog({ snapshot: bytes })
  const expected = [
    hs.lookup('851713'),
    null,
    hs.search('هواتف'),
    hs.suggest('sm'),
    hs.children('85'),
    hs.lines('8523'),
    hs.path('852321'),
    hs.resolve(['8517.13', '851712']),
    hs.editions('2017', '851712'),
    hs.tariff('85', '99.9', { vat_rate: 15 }),
    'invalid_code',
    'db_unavailable',
  ]
  t.strictSame(answers, expected)
})
