/** An address that a page writes is read back, and addresses of former pages still work. Tested without a browser. */
import t, { type Test } from 'tap'
import {
  currentPath,
  inCountry,
  inLanguage,
  NO_FILTERS,
  type Route,
  read,
  to,
  toBrowse,
  toClassify,
  toCode,
  toSearch,
  toShipment,
} from '../../src/web/app/data/address.js'
import { readCountry } from '../../src/web/app/data/country.js'
import { openFakeBrowser } from '../support/fake-browser.js'

function openAt(t: Test, pathname: string, search: string) {
  const { location } = openFakeBrowser(t)
  Object.assign(location, { pathname, search })
  readCountry(search)
  t.teardown(() => readCountry(''))
}

const readAt = (address: string): Route => {
  const { pathname, search } = new URL(address, 'http://pages.test')
  return read(pathname, search)
}
const SEARCH = { page: 'search', q: '', ...NO_FILTERS, steps: '', isTitle: false } as const

t.test('each page is read from its address', async t => {
  openAt(t, '/', '')
  for (const [address, route] of [
    ['/', SEARCH],
    ['/?q=tea', { ...SEARCH, q: 'tea' }],
    ['/?q=tea&in=09&level=6&rate=5', { ...SEARCH, q: 'tea', within: '09', level: '6', rate: '5' }],
    ['/?q=tea&as=title', { ...SEARCH, q: 'tea', isTitle: true }],
    ['/?q=tea&within=0902.090210', { ...SEARCH, q: 'tea', steps: '0902.090210', isTitle: true }],
    ['/browse', { page: 'browse', code: '', section: '' }],
    ['/browse/8517?section=XVI', { page: 'browse', code: '8517', section: 'XVI' }],
    ['/compare?codes=01,02', { page: 'compare', codes: '01,02' }],
    ['/shipment?rows=01_5&country=SA&lang=ar&freight=9', { page: 'shipment', parameters: { rows: '01_5', freight: '9' } }],
    ['/check?codes=01', { page: 'shipment', parameters: { codes: '01' } }],
    ['/invoice', { page: 'shipment', parameters: {} }],
    ['/classify?text=green+tea&within=0902', { ...SEARCH, q: 'green tea', steps: '0902', isTitle: true }],
    ['/code', { page: 'lost' }],
    ['/code/', { page: 'lost' }],
    ['/code/01/02', { page: 'lost' }],
    ['/browse/01/02', { page: 'lost' }],
    ['/shipment/01', { page: 'lost' }],
    ['/classify/01', { page: 'lost' }],
    ['/compare/01', { page: 'lost' }],
    ['/nothing', { page: 'lost' }],
  ] as const)
    t.strictSame(readAt(address), route, address)
  t.match(readAt('/code/%208517.13%20?value=%205&origin=CN'), {
    page: 'record',
    code: '8517.13',
    calculation: { value: '5', origin: 'CN', vat: '' },
  })
  t.match(readAt('/code/%E0%A4'), { page: 'record', code: '%E0%A4' }, 'text that cannot be decoded stays as it is')
})

t.test('an address that a page writes is read back', async t => {
  openAt(t, '/', '?country=SA&lang=ar')
  for (const [address, route] of [
    [toSearch('tea', { within: '09', level: '6', rate: '5' }), { ...SEARCH, q: 'tea', within: '09', level: '6', rate: '5' }],
    [toSearch('tea', { isTitle: true }), { ...SEARCH, q: 'tea', isTitle: true }],
    [toClassify('tea'), { ...SEARCH, q: 'tea', isTitle: true }],
    [toSearch('tea', { isTitle: true, steps: '0902' }), { ...SEARCH, q: 'tea', steps: '0902', isTitle: true }],
    [toBrowse('8517'), { page: 'browse', code: '8517', section: '' }],
    [toBrowse('', 'XVI'), { page: 'browse', code: '', section: 'XVI' }],
    [toShipment({ rows: '01' }), { page: 'shipment', parameters: { rows: '01' } }],
  ] as const) {
    t.strictSame(readAt(address), route, address)
    t.match(address, /country=SA&lang=ar/)
  }
  t.match(readAt(toCode('01', { value: '5' })), { page: 'record', code: '01', calculation: { value: '5' } })
  t.equal(to('/docs/', { country: 'KW' }), '/docs/?country=KW&lang=ar', 'the link names another country')
})

t.test('an address marks a text as a title only if the text does not look like one', async t => {
  openAt(t, '/', '')
  t.equal(toSearch('tea', { isTitle: true }), '/?q=tea&as=title')
  t.equal(toSearch('Coffee beans 1 kg', { isTitle: true }), '/?q=Coffee+beans+1+kg')
  t.equal(toSearch('', { isTitle: true }), '/')
  t.equal(toSearch('tea', { isTitle: true, steps: '0902' }), '/?q=tea&within=0902')
  t.equal(toSearch('tea'), '/?q=tea')
})

t.test('a change of language keeps the whole address; a change of country drops only the VAT rate', async t => {
  openAt(t, '/code/01', '?value=5&vat=15&country=SA')
  t.equal(inCountry('KW'), '/code/01?value=5&country=KW')
  t.equal(inCountry(''), '/code/01?value=5')
  t.equal(inLanguage('ar'), '/code/01?value=5&vat=15&country=SA&lang=ar')
})

t.test('an address of a former page is replaced by that of its successor', async t => {
  openAt(t, '/', '')
  const current = (address: string) => currentPath(readAt(address), new URL(address, 'http://pages.test').pathname)
  t.equal(current('/classify?text=tea'), '/?q=tea&as=title')
  t.equal(current('/check?codes=01'), '/shipment?codes=01')
  t.equal(current('/?q=tea'), null)
  t.equal(current('/shipment?rows=01'), null)
  t.equal(current('/browse'), null)
})
