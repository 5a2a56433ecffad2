/** The access log has one line per answer, with the time of that answer. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { newKey } from '../../src/keys/key.js'
import { maskTarget } from '../../src/mask-secrets.js'
import { AccessLogWriter } from '../../src/process/access-log.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** Waits until the file has this many lines, because they are written with a short delay. */
async function linesAfter(file: string, count: number) {
  const lines = () => linesOf(file).catch(() => [])
  await until(`${count} lines in ${file}`, async () => (await lines()).length >= count)
  return lines()
}

for (const engine of ENGINES) {
  t.test(`a line has the request, the id of the key and the result (${engine})`, async t => {
    const file = join(temporaryDirectory(t), 'access.log')
    const env = {
      ...(await prepared(t)),
      HSAPI_ENGINE: engine,
      HSAPI_WORKERS: engine === 'uws' ? '2' : '1',
      HSAPI_ACCESS_LOG: 'json',
      HSAPI_ACCESS_LOG_FILE: file,
    }
    const made = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
    const served = await startServe(t, env)
    const auth = { 'x-api-key': made.key as string }
    for (let n = 0; n < 8; n++) await ask(served.url, `/api/v1/search?q=cards&n=${n}`, auth)
    const { text } = await ask(served.url, '/api/v1/hs-codes/85', auth)
    await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': 'wrong' })
    await fetch(`${served.url}/api/v1/resolve`, {
      method: 'POST',
      body: '{"codes":["85"]}',
      headers: { ...auth, 'content-type': 'application/json', connection: 'close' },
    })
    await ask(served.url, '/nowhere?a=b', {}, 'HEAD')
    const secretly = `/api/v1/hs-codes/85?lang=en&api_key=${made.key}&limit=1`
    await ask(served.url, secretly, auth)
    const lines = await linesAfter(file, 13)
    t.equal(lines.length, 13)
    const of = (target: string, status: number) => lines.find(line => line.target === target && line.status === status)
    for (let n = 0; n < 8; n++) t.match(of(`/api/v1/search?q=cards&n=${n}`, 200), { key: made.id, route: '/api/v1/search' })
    const lookup = of('/api/v1/hs-codes/85', 200)
    t.strictSame(Object.keys(lookup), ['time', 'method', 'target', 'route', 'key', 'status', 'us', 'bytes'])
    t.match(lookup, { method: 'GET', route: '/api/v1/hs-codes/{code}', key: made.id })
    t.ok(lookup.bytes > Buffer.byteLength(text))
    t.ok(lookup.us >= 0 && Math.abs(Date.parse(lookup.time) - Date.now()) < 60_000)
    t.match(of('/api/v1/hs-codes/85', 401), { key: null })
    t.match(of('/api/v1/resolve', 200), { method: 'POST', key: made.id })
    t.match(of('/nowhere?a=b', 404), { method: 'HEAD', route: 'other', key: null })
    t.ok(of('/api/v1/hs-codes/85?lang=en&api_key=***&limit=1', 200))
    t.notMatch(await readFile(file, 'utf8'), made.key, 'the key is not in the log')

    await rename(file, `${file}.1`)
    served.child.kill('SIGUSR2')
    await until('the log continues in a new file', async () => {
      await ask(served.url, '/api/v1/hs-codes/01', auth)
      return (await linesOf(file).catch(() => [])).length > 0
    })
    const countOf = async (name: string) => (await linesOf(name)).length
    await until('no thread writes to the old file any more', async () => {
      const [old, all] = [await countOf(`${file}.1`), (await countOf(`${file}.1`)) + (await countOf(file))]
      for (let n = 0; n < 24; n++) await ask(served.url, '/api/v1/hs-codes/01', auth)
      await until('the lines are written', async () => (await countOf(`${file}.1`)) + (await countOf(file)) >= all + 24)
      return (await countOf(`${file}.1`)) === old
    })
    t.equal(await served.end('SIGTERM'), 0)
  })
}

for (const engine of ENGINES)
  t.test(`a line has the client's address and the request id, if enabled (${engine})`, async t => {
    const file = join(temporaryDirectory(t), 'access.log')
    const env = {
      ...(await prepared(t)),
      HSAPI_ENGINE: engine,
      HSAPI_WORKERS: engine === 'uws' ? '2' : '1',
      HSAPI_ACCESS_LOG: 'json',
      HSAPI_ACCESS_LOG_FILE: file,
      HSAPI_ACCESS_LOG_ADDRESS: 'on',
      HSAPI_REQUEST_ID: 'on',
      HSAPI_TRUST_PROXY: 'loopback',
    }
    const served = await startServe(t, env)
    const [direct, forwarded] = [
      await ask(served.url, '/api/v1/health?n=1', { 'x-request-id': 'mine' }),
      await ask(served.url, '/api/v1/health?n=2', { 'x-forwarded-for': '1.2.3.4, 2001:db8::0:7' }),
    ]
    const posted = await fetch(`${served.url}/api/v1/resolve?n=3`, {
      method: 'POST',
      body: '{"codes":["85"]}',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.5', connection: 'close' },
    })
    const lines = await linesAfter(file, 3)
    const of = (n: number) => lines.find(line => line.target.endsWith(`?n=${n}`))
    t.strictSame(Object.keys(of(1)).slice(-2), ['address', 'request_id'])
    t.match(of(1), { address: '127.0.0.1', request_id: 'mine' })
    t.match(of(2), { address: '2001:db8::7', request_id: forwarded.headers.get('x-request-id') })
    t.match(of(3), { address: '203.0.113.5', request_id: posted.headers.get('x-request-id') })
    t.equal(direct.headers.get('x-request-id'), 'mine')
    served.child.kill('SIGUSR2')
    await until('the signal is logged', () => /hsapi: SIGUSR2 received: reopening the access log/.test(served.output()))
  })

t.test('a key in a URL is not logged', async t => {
  const key = newKey('free')
  const start = key.slice(0, 20)
  for (const [target, shown] of [
    ['/api/v1/search?q=keyboard&level=4', '/api/v1/search?q=keyboard&level=4'],
    ['/api/v1/search?q=token%20rings', '/api/v1/search?q=token%20rings'],
    ['/?key=secret', '/?key=***'],
    ['/?API_KEY=secret&q=tea', '/?API_KEY=***&q=tea'],
    ['/?q=tea&apikey=secret', '/?q=tea&apikey=***'],
    ['/?x-api-key=secret', '/?x-api-key=***'],
    ['/?X-Marketplace-Key=secret', '/?X-Marketplace-Key=***'],
    ['/?api%5Fkey=secret', '/?api%5Fkey=***'],
    ['/?key[]=secret', '/?key[]=***'],
    ['/?token=a?b=c', '/?token=***'],
    ['/?access_token=secret&authorization=Bearer%20x', '/?access_token=***&authorization=***'],
    [`/?q=${key}`, '/?q=***'],
    [`/?q=tea+${start}`, '/?q=***'],
    [`/?${key}`, '/?***'],
    [`/?${key}=1`, '/?***'],
    [`/?q=${key.replaceAll('_', '%5f')}`, '/?q=***'],
    [`/?q=%zz${key}`, '/?q=***'],
    ['/?api%255Fkey=secret', '/?api%255Fkey=***'],
    ['/?q=100%25', '/?q=100%25'],
    [`/?q=%${'25'.repeat(20)}`, '/?q=***'],
    [`/api/v1/hs-codes/${key}`, '/api/v1/hs-codes/***'],
    ['/api/v1/hs-codes/0101?', '/api/v1/hs-codes/0101?'],
  ] as const)
    t.equal(maskTarget(target), shown)
})

const LONG_ACCESS = {
  timeMs: 0,
  method: 'GET',
  target: `/${'x'.repeat(1_000)}`,
  route: 'other',
  keyId: '',
  status: 404,
  microseconds: 1,
  bytes: 1,
}

t.test('lines that come faster than they can be written are dropped and counted', async t => {
  const messages: string[] = []
  const file = join(temporaryDirectory(t), 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => messages.push(message) })
  const ALL = 12_000
  for (let n = 0; n < ALL; n++) writer.log(LONG_ACCESS)
  t.ok(writer.dropped > 0)
  await writer.close()
  t.equal((await linesOf(file)).length + writer.dropped, ALL)
  t.strictSame(messages, [])
})

t.test('once the queue has been written, the log accepts as many lines as before', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  // twice as many lines as may be queued, in pieces that fit into the queue
  const [PIECES, LINES] = [3, 5_600]
  for (let piece = 0; piece < PIECES; piece++) {
    for (let n = 0; n < LINES; n++) writer.log(LONG_ACCESS)
    // each reopen waits for the current write and then writes the queue
    for (let i = 0; i < 2; i++) await writer.reopen()
  }
  t.equal(writer.dropped, 0)
  await writer.close()
  t.equal((await linesOf(file)).length, PIECES * LINES)
})

t.test('a log that cannot be written is reported once and delays no request', async t => {
  const messages: string[] = []
  const writer = await AccessLogWriter.open({ file: '/dev/full', onStatus: message => messages.push(message) })
  const access = {
    timeMs: 0,
    method: 'GET',
    target: '/',
    route: 'other',
    keyId: '',
    status: 200,
    microseconds: 1,
    bytes: 1,
  }
  for (let n = 0; n < 3; n++) {
    writer.log(access)
    await until('the line is dropped', () => writer.dropped > n)
  }
  await writer.close()
  t.equal(writer.dropped, 3)
  t.equal(messages.length, 1)
  t.match(messages[0], /cannot be written: ENOSPC/)
})

t.test(
  'a log that cannot be reopened is reported once, continues in the old file, and is reopened as soon as possible',
  async t => {
    const messages: string[] = []
    const folder = join(temporaryDirectory(t), 'logs')
    await mkdir(folder)
    const file = join(folder, 'access.log')
    const writer = await AccessLogWriter.open({ file, onStatus: message => messages.push(message) })
    await rename(folder, `${folder}.1`)
    for (let times = 0; times < 2; times++) {
      writer.log(LONG_ACCESS)
      await writer.reopen()
    }
    t.match(messages, [/cannot be written: ENOENT/])
    t.equal(messages.length, 1, 'writing to the old file does not count as success')
    await mkdir(folder)
    await until('the log is reopened', () => messages.length > 1)
    t.equal(messages[1], 'the access log is being written again')
    writer.log(LONG_ACCESS)
    await writer.close()
    t.equal((await linesOf(join(`${folder}.1`, 'access.log'))).length, 2)
    t.equal((await linesOf(file)).length, 1)
  },
)

t.test('each failure and each recovery of the log is reported', async t => {
  const messages: [string, boolean][] = []
  const folder = join(temporaryDirectory(t), 'logs')
  await mkdir(folder)
  const writer = await AccessLogWriter.open({ file: join(folder, 'access.log'), onStatus: (...one) => messages.push(one) })
  for (const times of [1, 2]) {
    await rename(folder, `${folder}.${times}`)
    await writer.reopen()
    await mkdir(folder)
    await writer.reopen()
  }
  await writer.close()
  const [failed, works] = [
    [/cannot be written: ENOENT/, true] as const,
    ['the access log is being written again', false] as const,
  ]
  t.match(messages, [failed, works, failed, works])
  t.equal(messages.length, 4)
})

t.test('only the owner and the group can read the log', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const before = process.umask(0)
  t.teardown(() => process.umask(before))
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  await writer.close()
  t.equal((await stat(file)).mode & 0o777, 0o640)
})

t.test('an unknown address is null', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  writer.log({ ...LONG_ACCESS, address: '' })
  await writer.close()
  t.match(await linesOf(file), [{ address: null }])
})

t.test('a pipe that nobody reads is refused, with the reason', async t => {
  const file = join(temporaryDirectory(t), 'pipe')
  execFileSync('mkfifo', [file])
  await t.rejects(AccessLogWriter.open({ file, onStatus: () => {} }), { message: `${file} is a pipe without a reader` })
})

t.test('the duration of a request is in whole microseconds', async t => {
  const file = join(temporaryDirectory(t), 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  writer.log({ ...LONG_ACCESS, microseconds: 12.6 })
  await writer.close()
  t.match(await linesOf(file), [{ us: 13 }])
})

/** Descriptors of this process for files below a folder. */
const openBelow = (folder: string) =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false
    }
  }).length

t.test('after a reopen only the new file is open, and after closing none', async t => {
  const folder = temporaryDirectory(t)
  const file = join(folder, 'access.log')
  const writer = await AccessLogWriter.open({ file, onStatus: message => t.fail(message) })
  for (let times = 0; times < 3; times++) {
    await rename(file, `${file}.${times}`)
    await writer.reopen()
    t.equal(openBelow(folder), 1)
  }
  await writer.close()
  t.equal(openBelow(folder), 0)
})

t.test('a close that takes too long counts the lines that are being written and those that wait as lost', async t => {
  const file = join(temporaryDirectory(t), 'pipe')
  execFileSync('mkfifo', [file])
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = await AccessLogWriter.open({ file, onStatus: () => {} })
  // more than a pipe holds
  const LINES = 1_000
  for (let n = 0; n < LINES; n++) writer.log(LONG_ACCESS)
  // starts to write, which the full pipe then stops
  const reopened = writer.reopen()
  for (let n = 0; n < 10; n++) writer.log(LONG_ACCESS)
  await t.rejects(writer.close(), new RegExp(`lost: ${LINES + 10}$`))
  await reopened
  closeSync(reader)
})

t.test('a log file that cannot be opened prevents the start, with a one-line error', async t => {
  const env = {
    ...(await prepared(t)),
    HSAPI_ACCESS_LOG: 'json',
    HSAPI_ACCESS_LOG_FILE: '/nowhere/access.log',
  }
  const { code, stderr } = await run(['serve'], env)
  t.equal(code, 2)
  t.match(stderr, /HSAPI_ACCESS_LOG_FILE: ENOENT/)
})
