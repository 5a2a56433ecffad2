import { readFileSync } from 'node:fs'
import t from 'tap'
import { GUEST_LIMITS, Guests } from '../../src/gate/guests.js'
import { newKey } from '../../src/keys/key.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { START_MS } from '../support/service.js'

const { perMinute, perDay } = GUEST_LIMITS
const HOME = '\x7f\0\0\x01'
const OTHER = '\x7f\0\0\x02'

t.test('every address has its own minute and day', async t => {
  const guests = new Guests(newKey('page'))
  for (let i = 1; i <= perMinute; i++) {
    if (guests.count(HOME, START_MS, 1) !== Verdict.Admitted) t.fail(`request ${i}`)
    if (guests.shown.remainingMinute !== perMinute - i) t.fail(`figure ${i}`)
  }
  t.equal(guests.count(HOME, START_MS + 20_000, 1), Verdict.OverLimit)
  t.equal(guests.retryAfterSeconds, 40)
  t.equal(guests.count(OTHER, START_MS + 20_000, 1), Verdict.Admitted, 'other addresses are not affected')
  t.equal(guests.count(HOME, START_MS + 60_000, 1), Verdict.Admitted, 'the next minute starts at zero')
  t.match(guests.shown, {
    limitMinute: perMinute,
    remainingMinute: perMinute - 1,
    limitDay: perDay,
    remainingDay: perDay - perMinute - 1,
  })
})

t.test('a used-up day stays used up, and the next day starts at zero', async t => {
  const guests = new Guests(newKey('page'))
  let now = START_MS
  for (let left = perDay; left > 0; left -= 500, now += 60_000)
    t.equal(guests.count(HOME, now, Math.min(500, left)), Verdict.Admitted)
  t.equal(guests.count(HOME, now, 1), Verdict.OverLimit)
  t.equal(guests.retryAfterSeconds, (Date.parse('2026-05-05T00:00:00Z') - now) / 1000)
  t.equal(guests.count(HOME, Date.parse('2026-05-05T00:00:00Z'), 1), Verdict.Admitted)
})

t.test('several requests at once are admitted as a whole or not at all, and reading the figures counts nothing', async t => {
  const guests = new Guests(newKey('page'))
  t.equal(guests.count(HOME, START_MS, perMinute - 1), Verdict.Admitted)
  t.equal(guests.count(HOME, START_MS, 2), Verdict.OverLimit)
  t.equal(guests.shown.remainingMinute, 1)
  t.equal(guests.count(HOME, START_MS, 0), Verdict.Admitted)
  t.equal(guests.count(HOME, START_MS, 1), Verdict.Admitted)
  t.equal(guests.count(HOME, START_MS, 0), Verdict.OverLimit)
})

t.test('the counts of all threads are added up', async t => {
  const { buffer } = Guests.counters(true)
  t.ok(buffer instanceof SharedArrayBuffer)
  const key = newKey('page')
  const [one, two] = [new Guests(key, new Counters(buffer)), new Guests(key, new Counters(buffer))]
  one.count(HOME, START_MS, 400)
  t.equal(two.count(HOME, START_MS, 201), Verdict.OverLimit)
  t.equal(two.count(HOME, START_MS, 200), Verdict.Admitted)
  t.equal(one.count(HOME, START_MS, 1), Verdict.OverLimit)
})

t.test('any number of addresses can be counted', async t => {
  const guests = new Guests(newKey('page'))
  for (let i = 0; i < 100_000; i++) guests.count(String.fromCharCode(127, i >> 16, i >> 8, i & 255), START_MS, 1)
  t.equal(guests.count('\x7f\xff\xff\xff', START_MS + 60_000, 1), Verdict.Admitted)
})

t.test('a public site has more slots, and strangers cannot tell which addresses share one', async t => {
  t.ok(Guests.counters(false, true).capacity > Guests.counters().capacity)
  const shareWith = (salt: string) => {
    const guests = new Guests(newKey('page'), Guests.counters(), salt)
    guests.count(HOME, START_MS, perMinute)
    const addresses = Array.from({ length: 4000 }, (_, i) => String.fromCharCode(10, 0, i >> 8, i & 255))
    return addresses.filter(address => guests.count(address, START_MS, 0) === Verdict.OverLimit)
  }
  t.notSame(shareWith('one'), shareWith('two'))
})

t.test('visitors share one key, and only its whole text is accepted', async t => {
  const key = newKey('page')
  const guests = new Guests(key)
  t.match(key, /^hs_page_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  t.ok(guests.hasKey(key))
  for (const other of ['', key.slice(0, -1), `${key}x`, key.toUpperCase(), newKey('page'), 'ä'.repeat(24)])
    t.notOk(guests.hasKey(other), other)
})

t.test('docs/explorer.md has the limits of visitors', async t => {
  const page = readFileSync(new URL('../../docs/explorer.md', import.meta.url), 'utf8')
  t.match(page, `${perMinute} requests a minute and ${perDay.toLocaleString('en')} a day, over all threads`)
})
