/** When the server stops reading the rest of a chunked body. */
import { mock } from 'node:test'
import t from 'tap'
import { BodyRest } from '../../src/engines/body-rest.js'
import { BODY_PIECES_MAX, CLASSIFY_BODY_BYTES_MAX } from '../../src/limits.js'

t.test('the rest of a body ends with its last piece, after too many bytes or pieces, or after a second', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const ends: Record<string, (rest: BodyRest) => void> = {
    'the last piece': rest => rest.add(0, true),
    'too many bytes': rest => rest.add(CLASSIFY_BODY_BYTES_MAX + 1, false),
    'too many pieces': rest => {
      for (let n = 0; n <= BODY_PIECES_MAX; n++) rest.add(1, false)
    },
    'a second': () => mock.timers.tick(1),
  }
  for (const [name, end] of Object.entries(ends)) {
    const rest = new BodyRest()
    let done = 0
    rest.add(1, false)
    rest.whenDone(() => done++)
    mock.timers.tick(999)
    t.equal(done, 0, name)
    end(rest)
    t.equal(done, 1, name)
    rest.add(0, true)
    mock.timers.tick(5_000)
    t.equal(done, 1, `${name}: once`)
  }
  const ended = new BodyRest()
  ended.add(0, true)
  let done = 0
  ended.whenDone(() => done++)
  t.equal(done, 1, 'the body has already ended')
  const stopped = new BodyRest()
  stopped.whenDone(() => done++)
  stopped.stop()
  mock.timers.tick(5_000)
  t.equal(done, 1, 'the client has disconnected')
})
