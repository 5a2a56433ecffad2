/** Content negotiation: which encoding and language a client gets. */
import t from 'tap'
import { acceptsGzip, acceptsHtml, codingFor, languageFor } from '../../src/responses/preferences.js'

t.test('the best encoding that the client accepts is chosen, whatever the order of the header', async t => {
  for (const [header, coding] of [
    ['', undefined],
    ['gzip, br', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=x', undefined],
  ] as const)
    t.equal(codingFor(header), coding, header)
})

t.test('gzip is accepted by its name, its old name, or any name', async t => {
  for (const header of ['gzip', 'x-gzip', 'br, *;q=0.1', ' gzip ; q=0.5']) t.ok(acceptsGzip(header), header)
  for (const header of ['', 'br', 'gzip;q=0, *', 'x-gzip;q=0', 'gzip;q=1.5']) t.notOk(acceptsGzip(header), header)
})

t.test('only a client that names HTML gets it', async t => {
  t.ok(acceptsHtml('text/html,application/xhtml+xml;q=0.9'))
  for (const header of ['', '*/*', 'text/*', 'text/html;q=0']) t.notOk(acceptsHtml(header), header)
})

t.test('the language of the query comes first, then the preferred one of the browser, then English', async t => {
  for (const [query, header, language] of [
    ['lang=ar', 'en', 'ar'],
    ['lang=fr', 'ar', 'ar'],
    ['', 'fr, ar;q=0.4', 'ar'],
    ['', 'en;q=0.3, ar-SA;q=0.7', 'ar'],
    ['', 'ar;q=0.5, en;q=0.5', 'ar'],
    ['', 'en, ar', 'en'],
    ['', 'ar;q=0', 'en'],
    ['', 'fr', 'en'],
    ['', '', 'en'],
  ] as const)
    t.equal(languageFor(query, header), language, `${query} ${header}`)
})
