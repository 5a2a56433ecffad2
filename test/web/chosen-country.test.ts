import t from 'tap'
import {
  chooseCountry,
  country,
  countryInAddress,
  forCountry,
  noteServerCountry,
  readCountry,
  withCountry,
} from '../../src/web/app/data/country.js'
import { openFakeBrowser } from '../support/fake-browser.js'

const countryOf = (search: string) => {
  readCountry(search)
  return country()
}

const restart = () => {
  noteServerCountry('')
  readCountry('')
}

t.test('the address sets the country; the common tariff is possible only if the server has no default country', async t => {
  t.teardown(restart)
  t.equal(countryOf(''), '')
  t.equal(countryOf('?country=sa'), 'SA')
  t.equal(countryOf('?country=GCC'), '')
  t.equal(countryOf('?country=XX'), '')
  noteServerCountry('AE')
  t.equal(countryOf(''), 'AE')
  t.equal(countryOf('?country=SA'), 'SA')
  t.equal(countryOf('?country=GCC'), 'AE', 'a server with a default country always answers for a country')
})

t.test("the address overrides the visitor's choice, which overrides the server's country; a choice can be removed", async t => {
  t.teardown(restart)
  const { local } = openFakeBrowser(t)
  noteServerCountry('AE')
  chooseCountry('KW')
  t.equal(local.get('hsapi-country'), 'KW')
  t.equal(countryOf(''), 'KW')
  t.equal(countryOf('?country=SA'), 'SA')
  t.equal(countryInAddress(), 'SA')
  chooseCountry('')
  t.equal(local.has('hsapi-country'), false)
  t.equal(countryOf(''), 'AE')
})

t.test('the common tariff is named in addresses only if this browser would otherwise show a country', async t => {
  t.teardown(restart)
  openFakeBrowser(t)
  t.equal(countryOf(''), '')
  t.equal(countryInAddress(), '')
  chooseCountry('KW')
  t.equal(countryOf('?country=gcc'), '')
  t.equal(countryInAddress(), 'GCC')
  chooseCountry('')
})

t.test('the country is added to an address, replaced or removed; the rest of the address stays as it is', async t => {
  t.teardown(restart)
  for (const [address, code, expected] of [
    ['/code/01', 'SA', '/code/01?country=SA'],
    ['/code/01?country=AE&lang=ar', 'SA', '/code/01?country=SA&lang=ar'],
    ['/code/01?country=AE', '', '/code/01'],
    ['/code/01?country=AE&lang=ar', '', '/code/01?lang=ar'],
    ['/?q=a%20b&country=SA', 'SA', '/?q=a%20b&country=SA'],
    ['/?q=a%20b', '', '/?q=a%20b'],
  ] as const)
    t.equal(withCountry(address, code), expected)
  readCountry('?country=OM')
  t.equal(withCountry('/browse'), '/browse?country=OM')
})

t.test('the country is added only to paths whose answers depend on it', async t => {
  t.teardown(restart)
  readCountry('?country=SA')
  for (const path of ['hs-codes/01', 'search?q=a', 'classify?text=a', 'tariff/calculate']) t.match(forCountry(path), 'country=SA')
  for (const path of ['chapters', 'dataset', 'notes/01', 'resolve', 'searches', 'suggest?q=a']) t.equal(forCountry(path), path)
})
