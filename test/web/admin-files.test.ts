/** The files of the operators' page, as the admin port serves them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { AdminPage } from '../../src/web/server/admin-page.js'
import { MANIFEST, type Manifest } from '../../src/web/server/manifest.js'

const FOLDER = join(packageRoot(), 'dist/web')
const { admin } = JSON.parse(readFileSync(join(FOLDER, MANIFEST), 'utf8')) as Manifest
const page = await AdminPage.open(FOLDER)
const PATHS = ['/', ...admin.assets.map(({ name }) => `/${name}`)]

/** The answer to a path, and its content without compression. */
function ask(path: string, headers: Record<string, string> = {}, query = '') {
  const answer = page.answer(path, query, headers)
  if (answer === undefined) throw new Error(`there is no ${path}`)
  const coding = answer.headers['Content-Encoding']
  const content =
    coding === 'br' ? brotliDecompressSync(answer.body) : coding === 'gzip' ? gunzipSync(answer.body) : Buffer.from(answer.body)
  return { ...answer, coding, content }
}

t.test('every file has the same content with each encoding; a file that is compressed already is sent as it is', async t => {
  let compressed = 0
  for (const path of PATHS) {
    const plain = ask(path)
    t.strictSame([plain.status, plain.coding], [200, undefined], path)
    t.ok(plain.content.length > 0, path)
    for (const [accepted, wanted] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const coded = ask(path, { 'accept-encoding': accepted })
      t.equal(coded.coding, path.endsWith('.woff2') ? undefined : wanted, `${path} with ${accepted}`)
      t.ok(coded.content.equals(plain.content), `${path} with ${accepted}`)
      t.equal(coded.headers['Content-Length'], String(coded.body.length))
      t.equal(coded.headers['Content-Type'], plain.headers['Content-Type'])
      if (coded.coding !== undefined) compressed++
      const tag = coded.headers.ETag ?? ''
      t.equal(tag === plain.headers.ETag, coded.coding === undefined, 'each encoding has its own tag')
      const again = page.answer(path, '', { 'accept-encoding': accepted, 'if-none-match': tag })
      t.match(again, { status: 304, body: { length: 0 }, headers: { ETag: tag, Vary: plain.headers.Vary } })
    }
  }
  t.ok(compressed > 3)
})

t.test('the page is in the language of its address or its reader, and caches must revalidate it', async t => {
  for (const [query, accepted, language] of [
    ['', '', 'en'],
    ['', 'ar-SA,ar;q=0.9', 'ar'],
    ['lang=en', 'ar', 'en'],
    ['lang=ar', '', 'ar'],
  ] as const) {
    const { headers, content } = ask('/', { 'accept-language': accepted }, query)
    t.match(content.toString(), `<html lang="${language}"`)
    t.match(headers, { 'Content-Language': language, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding, Accept-Language' })
  }
  for (const path of PATHS.slice(1)) t.match(ask(path).headers, { 'Cache-Control': /immutable/, Vary: 'Accept-Encoding' }, path)
})

t.test('files of the other pages are not served on the admin port', async t => {
  const { app } = JSON.parse(readFileSync(join(FOLDER, MANIFEST), 'utf8')) as Manifest
  for (const path of ['/assets/', '/assets/none.js', '/assets/../manifest.json', '/index.en.html', `/${app.embed.name}`, '/docs'])
    t.equal(page.answer(path, '', {}), undefined, path)
})
