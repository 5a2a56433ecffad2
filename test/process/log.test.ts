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

t.test('text from a client cannot look like a separate log line', async t => {
  const printed: string[] = []
  logIn('text', line => void printed.push(line))('hsapi: a name\u0085hsapi: a forged line\u001b[2K')
  t.equal(printed.length, 1)
  t.notMatch(printed[0], /[\u0085\u001b]/)
  const [first] = traced(new Error('a name\nhsapi: a forged line')).split('\n')
  t.match(first, 'hsapi: a forged line', 'the line break is escaped')
})
