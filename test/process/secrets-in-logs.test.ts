/** No log line shows a key, however it was sent, or a character that changes how the line is read. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { newKey } from '../../src/keys/key.js'
import { AccessLogWriter } from '../../src/process/access-log.js'
import { faultLine, logIn, traced } from '../../src/process/log.js'
import { prepared, run, startServe } from '../support/cli.js'
import { raw } from '../support/raw.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const RUN_CHARS = 8
const DECODINGS = 5
const MISLEADING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u

const decodedOnce = (text: string) =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The first 8 consecutive characters of the secret part that are readable in a line, directly or after decoding. */
function shownOf(key: string, line: string): string | undefined {
  const [, , secret = ''] = key.split('_')
  const readings = [line]
  for (let n = 0; n < DECODINGS; n++) readings.push(decodedOnce(readings[n] as string))
  for (let at = 0; at + RUN_CHARS <= secret.length; at++) {
    const part = secret.slice(at, at + RUN_CHARS).toLowerCase()
    // the engine changes the letter case of a method: most of a key would still be readable
    if (readings.some(reading => reading.toLowerCase().includes(part))) return part
  }
  return undefined
}

const encodeAll = (text: string) => text.replaceAll(/./gs, c => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Spellings of a key in a request: encoded 0 to 3 times, each time completely, or only where required or allowed. */
const STEPS: readonly ((text: string) => string)[] = [
  encodeAll,
  text => encodeAll(text).toUpperCase(),
  text => text.replaceAll('%', '%25').replaceAll('_', '%5F'),
  text => text.replaceAll(/./gs, (c, at: number) => (at % 2 === 0 || c === '%' ? encodeAll(c) : c)),
]
const KEY = fc.constantFrom('free', 'pro', 'page').map(kind => newKey(kind as 'free'))
const AROUND = fc.constantFrom(
  '',
  '%',
  '%f',
  '%ff',
  '%FF%fe',
  '%zz',
  '%2',
  '%25',
  '%c3%28',
  '%E2%80%AE',
  '\u202e',
  '+',
  '.',
  'tea%20',
  '%00',
  '%u00e9',
)
const SPELLED = fc
  .tuple(KEY, fc.array(fc.constantFrom(...STEPS), { maxLength: 3 }), AROUND, AROUND)
  .map(([key, steps, before, after]) => ({ key, text: before + steps.reduce((text, step) => step(text), key) + after }))

const TARGETS: readonly ((text: string) => string)[] = [
  text => `/api/v1/hs-codes/${text}`,
  text => `/${text}/children`,
  text => `/api/v1/search?q=${text}`,
  text => `/api/v1/search?${text}`,
  text => `/api/v1/search?q=tea&${text}=1`,
  text => `/api/v1/search?lang=en?x=${text}&limit=1`,
  text => `/api/v1/search?api_key=${text}`,
]
const ACCESS = { timeMs: 0, route: 'other', keyId: '', status: 404, microseconds: 1, bytes: 1 }

t.test('an access log line never shows 8 consecutive characters of a key', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  const sent: string[] = []
  fc.assert(
    fc.property(SPELLED, fc.constantFrom(...TARGETS), fc.boolean(), ({ key, text }, targetOf, isMethod) => {
      writer.log({ ...ACCESS, method: isMethod ? text : 'GET', target: targetOf(text) })
      sent.push(key)
    }),
    { numRuns: 3_000 },
  )
  await writer.close()
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  t.equal(lines.length, sent.length)
  for (const [i, line] of lines.entries()) {
    const shown = shownOf(sent[i] as string, line)
    if (shown !== undefined || MISLEADING.test(line)) return t.fail(JSON.stringify(line), { shown, key: sent[i] })
  }
})

t.test('a server log line never shows 8 consecutive characters of a key, and a message never starts a second line', async t => {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const [text, json] = [logIn('text', print), logIn('json', print)]
  const messageOf = fc.constantFrom(
    (sent: string) => `Unexpected token in "${sent}"`,
    (sent: string) => `cannot read ${sent}\nhsapi: a forged line`,
    (sent: string) => `{"key":"${sent}"}`,
    (sent: string) => `GET /?key=${sent} failed`,
  )
  fc.assert(
    fc.property(SPELLED, messageOf, ({ key, text: spelled }, message) => {
      printed.length = 0
      const why = traced(new Error(message(spelled)))
      for (const log of [text, json]) log(faultLine('id', why), 'error')
      for (const lines of printed) {
        if (shownOf(key, lines) !== undefined) throw new Error(lines)
        for (const [i, line] of lines.split('\n').entries())
          if (MISLEADING.test(line) || (i > 0 && !line.startsWith('    at '))) throw new Error(JSON.stringify(line))
      }
    }),
    { numRuns: 1_000 },
  )
  t.match(traced('a\u202eb\nc'), 'a\\u202eb\\u000ac')
  printed.length = 0
  json('hsapi: reads back as "a\u202eb"')
  t.equal(JSON.parse(printed[0] as string).message, 'reads back as "a\u202eb"')
})

for (const engine of ENGINES)
  t.test(`a key in the path, the query, the method or the request id reaches no log (${engine})`, async t => {
    const file = join(temporaryDirectory(t), 'access.log')
    const env = {
      ...(await prepared(t)),
      HSAPI_ENGINE: engine,
      HSAPI_WORKERS: '1',
      HSAPI_ACCESS_LOG: 'json',
      HSAPI_ACCESS_LOG_FILE: file,
      HSAPI_REQUEST_ID: 'on',
    }
    const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
    const served = await startServe(t, env)
    const port = Number(new URL(served.url).port)
    const twice = encodeAll(encodeAll(key))
    const request = (start: string, id: string) =>
      raw(port, Buffer.from(`${start} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`))
    for (const target of [`/${twice}`, `/api/v1/search?q=%ff${encodeAll(key)}`, `/api/v1/hs-codes/${key}`])
      t.match(await request(`GET ${target}`, key), /\r\nX-Request-Id: [0-9a-f]{16}\r\n/)
    // node:http refuses these two requests and does not log them
    await request('GET /?q=\u202e', 'raw')
    await request(`${key} /`, 'method')
    await request('GET /last', 'last')
    const written = () => readFile(file, 'utf8').catch(() => '')
    await until('the last line is written', async () => (await written()).includes('/last'))
    const lines = (await written()).trimEnd().split('\n')
    t.equal(lines.length, engine === 'uws' ? 6 : 4)
    for (const line of [...lines, served.output()]) t.equal(shownOf(key, line), undefined, line)
    for (const line of lines) {
      t.notMatch(line, MISLEADING)
      t.match(JSON.parse(line), { request_id: /^([0-9a-f]{16}|raw|method|last)$/ })
    }
  })
