import t from 'tap'
import { expiryProblem, NAME_CHARS_MAX, nameProblem, readGrace } from '../../src/keys/key-options.js'

t.test('a key may expire today at the earliest', async t => {
  t.equal(expiryProblem('2026-05-04', '2026-05-04'), undefined)
  t.equal(expiryProblem('2026-05-05', '2026-05-04'), undefined)
  t.match(expiryProblem('2026-05-03', '2026-05-04'), /has passed/)
  t.match(expiryProblem('2026-02-30', '2026-05-04'), /must be a day/)
})

t.test('an old key works for minutes, hours or days, at most 90 days', async t => {
  const [minute, day] = [60_000, 86_400_000]
  for (const [text, ms] of [
    ['1m', minute],
    ['24h', day],
    ['7d', 7 * day],
    ['90d', 90 * day],
    ['2160h', 90 * day],
  ] as const)
    t.equal(readGrace(text), ms, text)
  for (const text of ['0m', '91d', '2161h', '1', 'h', '1s', '-1h', '1.5h', '1h ', '']) t.equal(readGrace(text), undefined, text)
})

t.test('a name may have up to 200 characters of any script, and no control characters', async t => {
  for (const character of ['a', 'ش', '🚢']) {
    t.equal(nameProblem(character.repeat(NAME_CHARS_MAX)), undefined)
    t.match(nameProblem(character.repeat(NAME_CHARS_MAX + 1)), /has 201 characters; it may have 200 at most/)
  }
  t.match(nameProblem('a\nb'), /control character/)
})
