import t from 'tap'
import { faultLine, logIn, traced } from '../../src/process/log.js'

t.test('the server logs lines for people, lines for programs, or nothing', async t => {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  logIn('text', print)('hsapi: a message')
  logIn('json', print, () => 0)('hsapi: a message')
  logIn('off', print)('hsapi: a message')
  t.strictSame(printed, ['hsapi: a message', '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"a message"}'])
  logIn('json', print, () => 0)('hsapi: it failed', 'error')
  t.equal(JSON.parse(printed[2] as string).level, 'error')
  logIn('text', print)('hsapi: it failed', 'error')
  t.equal(printed[3], 'hsapi: it failed', 'lines for people have no level')
  t.equal(faultLine('ab12', 'why'), 'hsapi: request ab12 failed: why')
  t.match(traced(new Error('a reason')), /^Error: a reason\n/)
  t.equal(traced('text'), 'text')
})
