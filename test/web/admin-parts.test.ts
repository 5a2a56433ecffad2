/** The state of the admin page, tested without a browser: its addresses and the form of a new key. */
import t from 'tap'
import { newKeyIn } from '../../src/web/admin/new-key.js'
import { addressOf, keysPath, placeIn } from '../../src/web/admin/place.js'

t.test('the shown part of the list of keys is converted to an address and back', async t => {
  const place = { search: 'a & b', status: 'revoked', offset: 200 } as const
  const address = addressOf(place, '?lang=ar&page=7')
  t.equal(address, '/?lang=ar&page=3&search=a+%26+b&status=revoked')
  t.strictSame(placeIn(address.slice(1)), place)
  t.equal(keysPath(place), '/keys?limit=100&offset=200&search=a+%26+b&status=revoked')
})

t.test('an address without parameters, or with invalid ones, lists all keys from the first', async t => {
  const all = { search: '', status: 'all', offset: 0 } as const
  for (const query of ['', '?status=none&page=0', '?page=1.5', '?page=x', '?page=-2']) t.strictSame(placeIn(query), all, query)
  t.equal(addressOf(all, '?search=x&status=active&page=2'), '/')
  t.equal(keysPath(all), '/keys?limit=100&offset=0')
})

/** A form as a browser sends it, without its disabled fields. */
function form(fields: Record<string, string>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries({ name: '', tier: 'free', expires: '', ...fields })) made.set(name, value)
  return made
}

t.test('a new key has the limits of the form, which may contain thousands separators', async t => {
  const made = newKeyIn(form({ name: ' Gulf ', tier: 'pro', expires: '2030-01-31', per_minute: '', per_day: '7,000 ' }))
  const wanted = { tier: 'pro', name: 'Gulf', expires: '2030-01-31', per_minute: null, per_day: 7000, unlimited: false }
  t.strictSame(made, wanted)
  const free = { tier: 'free', name: '', expires: null, per_minute: null, per_day: null, unlimited: true }
  t.strictSame(newKeyIn(form({ unlimited: 'on' })), free)
})

t.test('a limit must be a whole number up to 2,000,000,000', async t => {
  for (const per_day of ['many', '-1', '1.5', '2000000001', '1e3']) t.equal(newKeyIn(form({ per_day })), undefined, per_day)
  t.match(newKeyIn(form({ per_day: '2,000,000,000', per_minute: '0' })), { per_day: 2_000_000_000, per_minute: 0 })
})
