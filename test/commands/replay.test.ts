import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { replayCommand } from '../../src/commands/replay.js'
import { type LogCounts, readLog } from '../../src/load-kit/replay/read-log.js'
import { replay } from '../../src/load-kit/replay/replay.js'
import { prepared, run, startServe } from '../support/cli.js'
import { openService, temporaryDirectory, testOnEngines } from '../support/service.js'

const line = (target: string, status: number, ms = 0, method = 'GET') =>
  JSON.stringify({ time: new Date(Date.UTC(2026, 10, 15) + ms).toISOString(), method, target, status })
const LOG = [
  line('/api/v1/hs-codes/85', 200),
  line('/api/v1/hs-codes/85', 200, 20, 'HEAD'),
  line('/api/v1/hs-codes/00', 404, 40),
  line('/api/v1/hs-codes/8.5', 400, 60),
  line('/api/v1/hs-codes/85', 401, 80),
  line('/api/v1/search?q=هواتف', 200, 100),
  line('/api/v1/resolve', 200, 110, 'POST'),
  line('/api/v1/hs-codes/85', 429, 120),
].join('\n')

async function* once(text: string) {
  yield text
}

testOnEngines('replayed requests are answered as recorded, at the original pace and at full speed', async t => {
  const { url, auth } = await openService(t)
  const key = auth['x-api-key'] as string
  for (const speed of [1, 10, Number.POSITIVE_INFINITY]) {
    const { wrong, sent, counts, pairings } = await replay({
      chunks: once(LOG),
      url: new URL(url),
      key,
      speed,
      connections: 2,
    })
    t.equal(wrong, 0, JSON.stringify(pairings))
    t.strictSame([sent.sent, sent.answered, sent.failures], [7, 7, 0])
    t.strictSame(counts, { unread: 0, otherMethods: 1 })
    if (speed === 1) t.ok(sent.seconds >= 0.12, `${sent.seconds} s`)
  }
})

t.test('if the log cannot be read, sending stops, and the error names the cause', async t => {
  const { url } = await openService(t)
  async function* broken() {
    yield `${LOG}\n`
    throw new Error('the disk is gone')
  }
  const options = { url: new URL(url), key: 'k', speed: 1, connections: 1 }
  await t.rejects(replay({ chunks: broken(), ...options }), /the disk is gone/)
})

/** Runs the command in this process, so that coverage includes it. */
async function command(file: string, values: Record<string, string | boolean>): Promise<string> {
  let output = ''
  await replayCommand.run(values, [file], text => {
    output += `${text}\n`
  })
  return output
}

t.test('replay prints a summary, sets the exit code, and refuses invalid input', async t => {
  const { url, auth } = await openService(t)
  const key = auth['x-api-key'] as string
  const file = join(temporaryDirectory(t), 'access.log')
  writeFileSync(file, `hsapi is ready\n${LOG}\n`)
  const good = await command(file, { url, key, speed: '2' })
  t.match(good, /^7 requests sent in [\d.]+ s, at 2 times the recorded pace\n/)
  t.match(good, /\n {5}429 {2}200 {9}1\n/)
  t.match(good, /skipped: 1 request with other methods; request bodies are not in the log\n/)
  t.match(good, /skipped: 1 line that is not a request\n/)
  t.match(good, /latency from the time each request was due: p50 [\d.]+ ms, p99 [\d.]+ ms, max [\d.]+ ms/)
  t.match(await command(file, { url, key, speed: 'max' }), /as fast as responses arrive[\s\S]*latency from sending/)
  t.match(JSON.parse(await command(file, { url, key, json: true })), { wrong: 0, sent: 7, otherMethods: 1 })
  t.match(
    await command(file, { 'dry-run': true, speed: '10' }),
    /6 GET and 1 HEAD over 0.1 s, or 0.0 s at 10 times the recorded pace; nothing was sent\n/,
  )
  t.match(await command(file, { 'dry-run': true, speed: 'max' }), /over 0.1 s; nothing was sent/)
  await t.rejects(command(file, { url, key: 'wrong' }), /6 of 7 requests were not answered as recorded|[456] of 7/)
  t.match(await command(file, { url, key: 'wrong', errors: '100%' }), /differs/)

  writeFileSync(file, [line('/api/v1/hs-codes/85', 200), line('/api/v1/hs-codes/01', 404)].join('\n'))
  t.match(await command(file, { url, key, errors: '50%' }), /differs/, 'exactly as many responses differ as may differ')
  await t.rejects(command(file, { url, key, errors: '49.9%' }), /^1 of 2 requests were not answered as recorded/)
  t.match(await command(file, { 'dry-run': true, speed: '10000', connections: '1000' }), /2 GET and 0 HEAD/)

  for (const nothing of ['', '\n']) {
    writeFileSync(file, nothing)
    await t.rejects(command(file, { url, key }), /the log contains no request that can be sent/)
  }
  for (const [values, message] of [
    [{ key }, /--url is missing/],
    [{ url }, /--key is missing: the API key to send; access logs have no keys/],
    [{ url, key: 'a b' }, /--key contains characters/],
    [{ url: 'file:///etc/passwd', key }, /--url is "file:\/\/\/etc\/passwd"; it must be an address/],
    [{ url, key, speed: '0' }, /--speed is "0"; it must be a number up to 10000, such as 10 or 0.5, or max/],
    [{ url, key, speed: '10000.1' }, /--speed is "10000.1"/],
    [{ url, key, connections: '1001' }, /--connections is "1001"; it must be a whole number from 1 to 1000/],
    [{ url, key, errors: '5' }, /--errors is "5"; it must be a percentage/],
    [{ url: 'http://127.0.0.1:1', key }, /http:\/\/127.0.0.1:1: connect ECONNREFUSED/],
  ] as [Record<string, string>, RegExp][])
    await t.rejects(command(file, values), message)
  await t.rejects(command(`${file}.gone`, { url, key }), /access.log.gone: ENOENT/)
})

t.test("a server's own access log can be replayed", async t => {
  const env = await prepared(t)
  const made = await run(['keys', 'create', '--tier', 'pro', '--json'], env)
  const { key } = JSON.parse(made.stdout)
  const log = join(temporaryDirectory(t), 'access.log')
  const server = await startServe(t, { ...env, HSAPI_ACCESS_LOG: 'json', HSAPI_ACCESS_LOG_FILE: log })
  for (const path of ['/api/v1/hs-codes/85', '/api/v1/search?q=phones', '/api/v1/nowhere', '/api/v1/health'])
    await (await fetch(server.url + path, { headers: { 'x-api-key': key, connection: 'close' } })).text()
  await (await fetch(`${server.url}/api/v1/hs-codes/85`, { headers: { connection: 'close' } })).text()
  const counts: LogCounts = { unread: 0, otherMethods: 0 }
  for (let written = 0; written < 5; ) {
    written = 0
    for await (const _ of readLog(once(readFileSync(log, 'utf8')), counts)) written++
  }
  t.notMatch(readFileSync(log, 'utf8'), key, 'no key is in the log')
  const kept = `${log}.1`
  copyFileSync(log, kept)
  const sent = await run(['replay', log, '--url', server.url, '--key', key, '--speed', '5'])
  t.equal(sent.code, 0, sent.stderr)
  t.match(
    sent.stdout,
    /^5 requests sent in [\d.]+ s, at 5 times the recorded pace/,
    'requests that the replay itself adds to the log are not replayed',
  )
  const refused = await run(['replay', kept, '--url', server.url, '--key', 'other', '--speed', 'max'])
  t.match(refused, { code: 1, stderr: /of 5 requests were not answered as recorded/ })
})
