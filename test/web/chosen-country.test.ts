import t from 'tap'
import { country, noteServerCountry, readCountry } from '../../src/web/app/data/country.js'

const countryOf = (search: string) => {
  readCountry(search)
  return country()
}

t.test('an address decides the country; the common tariff only where the server has no country of its own', async t => {
  t.teardown(() => {
    noteServerCountry('')
    readCountry('')
  })
  t.equal(countryOf(''), '')
  t.equal(countryOf('?country=sa'), 'SA')
  t.equal(countryOf('?country=GCC'), '')
  t.equal(countryOf('?country=XX'), '')
  noteServerCountry('AE')
  t.equal(countryOf(''), 'AE')
  t.equal(countryOf('?country=SA'), 'SA')
  t.equal(countryOf('?country=GCC'), 'AE', 'its answers are for that country in any case')
})
