import t from 'tap'
import { Currencies } from '../../src/catalog/currencies.js'
import type { CountryCertainty } from '../../src/snapshot/country-format.js'
import { fixtureCatalog } from '../support/service.js'

const { countries } = (await fixtureCatalog()).meta

/** The currencies of the fixture, with the given certainties of their pegs. */
function currenciesWith(certainties: Readonly<Record<string, CountryCertainty>>): Currencies {
  return new Currencies(
    countries.map(country => {
      const certainty = certainties[country.currency]
      return country.peg === null || certainty === undefined ? country : { ...country, peg: { ...country.peg, certainty } }
    }),
  )
}

t.test('an exchange rate calculated from two pegs has the lower of their certainties, in both directions', async t => {
  const currencies = currenciesWith({ SAR: 'published', AED: 'reported' })
  for (const [from, to, certainty] of [
    ['SAR', 'AED', 'reported'],
    ['AED', 'SAR', 'reported'],
    ['USD', 'AED', 'reported'],
    ['AED', 'USD', 'reported'],
    ['SAR', 'USD', 'published'],
    ['AED', 'AED', 'published'],
  ] as const)
    t.equal(currencies.fixedRate(from, to)?.certainty, certainty, `the certainty of the rate from ${from} to ${to}`)
  t.equal(currenciesWith({}).fixedRate('SAR', 'AED')?.certainty, 'published')
  t.equal(currencies.fixedRate('SAR', 'EUR'), undefined)
})
