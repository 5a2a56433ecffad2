/** A stop always completes, even if files cannot be written, and reports what was lost. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { KeyFile } from '../../src/keys/key-file.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import { TIERS } from '../../src/quotas/tiers.js'
import { builtSnapshot, ROOT, run, type Served, startServe } from '../support/cli.js'
import { smallDisk, WITHOUT_DISK } from '../support/disk.js'
import { Connection } from '../support/raw.js'
import { ask, ENGINES, makeKey, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const PATH = '/api/v1/hs-codes/85'
/** The default of HSAPI_DRAIN_SECONDS, and a few seconds more. */
const STOP_MS_MAX = 9_000
const NOBODY = { uid: 65_534, gid: 65_534 }

/** With several threads if the engine supports them. */
const THREADS = ENGINES.flatMap(engine =>
  (engine === 'uws' ? ['1', '2'] : ['1']).map(workers => ({ HSAPI_ENGINE: engine, HSAPI_WORKERS: workers })),
)

/** Creates keys in a data directory and returns their request headers. */
async function newKeys(directory: string, count: number, changes: Partial<KeyRecord> = {}): Promise<{ 'x-api-key': string }[]> {
  const keys = Array.from({ length: count }, () => makeKey('pro', changes))
  await new KeyFile(directory).replace(keys.map(({ record }) => record))
  return keys.map(({ key }) => ({ 'x-api-key': key }))
}

const PER_DAY = TIERS.pro.perDay

async function settings(t: Test): Promise<{ HSAPI_DATA_DIR: string; HSAPI_SNAPSHOT: string }> {
  return { HSAPI_DATA_DIR: join(temporaryDirectory(t), 'data'), HSAPI_SNAPSHOT: await builtSnapshot(t) }
}

/** Sends SIGTERM. Returns how the server ended, or undefined if it did not end in time. */
async function ended(served: Served): Promise<{ code: number | null; signal: NodeJS.Signals | null } | undefined> {
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(done =>
    served.child.once('exit', (code, signal) => done({ code, signal })),
  )
  served.child.kill('SIGTERM')
  return Promise.race([exit, wait(STOP_MS_MAX, undefined, { ref: false })])
}

/** Waits until the log of counts is not empty, which shows that saving works. */
async function untilSaved(directory: string): Promise<void> {
  const size = () => statSync(join(directory, 'usage.0.log'), { throwIfNoEntry: false })?.size ?? 0
  for (let i = 0; i < 100 && size() === 0; i++) await wait(50)
}

for (const threads of THREADS)
  t.test(`requests on connections made before the signal are answered (${Object.values(threads).join(', ')})`, async t => {
    const env = { ...(await settings(t)), ...threads }
    const served = await startServe(t, env)
    // while the process is suspended, the kernel still accepts connections
    served.child.kill('SIGSTOP')
    const port = Number(new URL(served.url).port)
    const connections = await Promise.all(Array.from({ length: 40 }, () => Connection.open(port)))
    for (const connection of connections) connection.send('GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n')
    const end = ended(served)
    served.child.kill('SIGCONT')
    await Promise.race([Promise.all(connections.map(({ closed }) => closed)), wait(STOP_MS_MAX, undefined, { ref: false })])
    t.equal(connections.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length, connections.length)
    t.strictSame(await end, { code: 0, signal: null })
  })

const TITLES = Array.from({ length: 100 }, (_, i) => ({
  text: `Wireless noise cancelling headphones, model ${i}, with case and cable`,
}))

/** Sends batches of a hundred titles and makes sure that the server has received them. */
async function batchesUnderWay(served: Served, headers: readonly { 'x-api-key': string }[], count: number) {
  const port = Number(new URL(served.url).port)
  const body = JSON.stringify({ items: TITLES })
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)))
  for (const [i, connection] of connections.entries())
    connection.send(
      `POST /api/v1/classify HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${headers[i % headers.length]?.['x-api-key']}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  await Promise.all(Array.from({ length: 8 }, () => ask(served.url, '/api/v1/health')))
  return connections
}

for (const threads of THREADS) {
  const name = Object.values(threads).join(', ')
  t.test(`batches that were received before the signal are answered, and the end is logged (${name})`, async t => {
    const env = {
      ...(await settings(t)),
      ...threads,
      HSAPI_SNAPSHOT: join(ROOT, 'dist', 'hs.snapshot'),
      HSAPI_DRAIN_SECONDS: '1',
    }
    const headers = await newKeys(env.HSAPI_DATA_DIR, 4, { unlimited: true })
    const served = await startServe(t, { ...env, HSAPI_FINISH_SECONDS: '600' })
    const connections = await batchesUnderWay(served, headers, 48)
    served.child.kill('SIGTERM')
    await Promise.all(connections.map(({ closed }) => closed))
    t.equal(connections.filter(({ text }) => text.startsWith('HTTP/1.1 200') && text.endsWith('}')).length, connections.length)
    t.equal(await served.ended, 0)
    t.match(served.output(), /hsapi: stopped, nothing was lost; exit code 0\n$/)
  })

  t.test(`batches that take longer than HSAPI_FINISH_SECONDS are cut off, which is logged (${name})`, async t => {
    const limits = { HSAPI_FINISH_SECONDS: '0', HSAPI_DRAIN_SECONDS: '0' }
    const env = { ...(await settings(t)), ...threads, ...limits, HSAPI_SNAPSHOT: join(ROOT, 'dist', 'hs.snapshot') }
    const headers = await newKeys(env.HSAPI_DATA_DIR, 4, { unlimited: true })
    const served = await startServe(t, env)
    const connections = await batchesUnderWay(served, headers, 48)
    t.equal(await served.end('SIGTERM'), 1)
    await Promise.all(connections.map(({ closed }) => closed))
    t.match(served.output(), /hsapi: \d+ requests were still under way and cut off/)
    t.match(served.output(), /hsapi: stopped, with losses; exit code 1\n$/)
  })
}

for (const engine of ENGINES) {
  t.test(`a server stops although the disk is full at the last save (${engine})`, { skip: WITHOUT_DISK }, async t => {
    const disk = smallDisk(t)
    const env = { ...(await settings(t)), HSAPI_DATA_DIR: join(disk.path, 'data'), HSAPI_ENGINE: engine }
    // so many keys that saving their counts needs more space than is left in the last page of the file
    const headers = await newKeys(env.HSAPI_DATA_DIR, 300)
    const served = await startServe(t, env)
    await ask(served.url, PATH, headers[0])
    await untilSaved(env.HSAPI_DATA_DIR)
    disk.fill()
    for (const each of headers) await ask(served.url, PATH, each)
    t.strictSame(await ended(served), { code: 1, signal: null }, 'after exit code 1, a supervisor starts the server again')
    t.match(served.output(), /hsapi: counts not saved and lost \(requests: \d+, keys: \d+\): ENOSPC/)
    t.strictSame(
      readdirSync(env.HSAPI_DATA_DIR).filter(name => name.endsWith('.lock')),
      [],
      'all other steps were done',
    )
  })

  const isRoot = process.getuid?.() === 0
  t.test(`a server stops although its data directory can no longer be written (${engine})`, async t => {
    const env = { ...(await settings(t)), HSAPI_ENGINE: engine }
    mkdirSync(env.HSAPI_DATA_DIR)
    const [headers] = await newKeys(env.HSAPI_DATA_DIR, 1)
    if (isRoot) {
      for (const path of [env.HSAPI_DATA_DIR, env.HSAPI_SNAPSHOT]) chmodSync(join(path, '..'), 0o755)
      for (const path of [env.HSAPI_DATA_DIR, join(env.HSAPI_DATA_DIR, 'keys.json')]) chownSync(path, NOBODY.uid, NOBODY.gid)
    }
    const served = await startServe(t, env, undefined, isRoot ? NOBODY : undefined)
    await ask(served.url, PATH, headers)
    await untilSaved(env.HSAPI_DATA_DIR)
    chmodSync(env.HSAPI_DATA_DIR, 0o500)
    await ask(served.url, PATH, headers)
    t.strictSame(await ended(served), { code: 1, signal: null })
    t.match(served.output(), /hsapi: .*usage\.json.*EACCES/)
    chmodSync(env.HSAPI_DATA_DIR, 0o700)
    const again = await startServe(t, env)
    const { headers: shown } = await ask(again.url, '/api/v1/health', headers)
    t.equal(shown.get('x-ratelimit-remaining-day'), String(PER_DAY - 2), 'counts that could be appended are saved')
    await again.end('SIGTERM')
  })
}

/** A named pipe that is open but never read. */
function stuckPipe(t: Test): string {
  const path = join(temporaryDirectory(t), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  t.teardown(() => closeSync(fd))
  return path
}

const LONG = `/${'x'.repeat(3_000)}`
/** More than a pipe and the buffers around it hold. */
const LONG_COUNT = 120

for (const threads of THREADS) {
  const { HSAPI_ENGINE: engine, HSAPI_WORKERS: workers } = threads
  for (const [what, file] of [
    ['a pipe', (t: Test) => ({ HSAPI_ACCESS_LOG_FILE: stuckPipe(t) })],
    ['standard output', () => ({})],
  ] as [string, (t: Test) => Record<string, string>][])
    t.test(`a server stops although nobody reads its access log on ${what} (${engine}, ${workers})`, async t => {
      const env = { ...(await settings(t)), ...threads, HSAPI_ACCESS_LOG: 'json', ...file(t) }
      const [headers] = await newKeys(env.HSAPI_DATA_DIR, 1)
      const served = await startServe(t, env)
      const isStdout = what === 'standard output'
      if (isStdout) served.child.stdout?.pause()
      await ask(served.url, PATH, headers)
      for (let i = 0; i < LONG_COUNT; i++) await ask(served.url, LONG)
      t.strictSame(await ended(served), { code: 1, signal: null })
      if (!isStdout) t.match(served.output(), /hsapi: access log lines not written in time and lost: \d+/)
      served.child.stdout?.resume()
      const again = await startServe(t, { ...env, HSAPI_ACCESS_LOG: 'off' })
      const { headers: shown } = await ask(again.url, '/api/v1/health', headers)
      t.equal(shown.get('x-ratelimit-remaining-day'), String(PER_DAY - 1), 'counts are saved first')
      await again.end('SIGTERM')
    })
}

/** Opening a named pipe waits for a writer, like any file on a network disk that is unreachable. */
const hang = (path: string) => execFileSync('mkfifo', [path])

/** Whether a thread of the process waits for a writer of a named pipe: the kernel shows in which function a thread sleeps. */
function isHanging(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.some(thread => readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'utf8') === 'wait_for_partner')
}

for (const [what, hold] of [
  [
    'a reload',
    (env: Record<string, string>, served: Served) => {
      rmSync(env.HSAPI_SNAPSHOT as string)
      hang(env.HSAPI_SNAPSHOT as string)
      served.child.kill('SIGHUP')
    },
  ],
  [
    'a file status request',
    (env: Record<string, string>) => {
      const directory = env.HSAPI_DATA_DIR as string
      const [lock = ''] = readdirSync(directory).filter(name => /^server-.*lock$/.test(name))
      hang(join(directory, lock.replace('.lock', '.reload')))
    },
  ],
] as [string, (env: Record<string, string>, served: Served) => void][])
  t.test(`a server stops although ${what} hangs, as on an unreachable network disk`, async t => {
    const env = { ...(await settings(t)), HSAPI_DRAIN_SECONDS: '0' }
    const [headers] = await newKeys(env.HSAPI_DATA_DIR, 1)
    const served = await startServe(t, env)
    await ask(served.url, PATH, headers)
    hold(env, served)
    await until('the server waits for the file', () => isHanging(served.child.pid as number))
    t.strictSame(await ended(served), { code: null, signal: 'SIGKILL' }, 'the server ended itself after its time limit')
    t.match(served.output(), /stopping did not finish within 5 seconds/)
    const again = await startServe(t, { ...env, HSAPI_SNAPSHOT: await builtSnapshot(t) })
    const { headers: shown } = await ask(again.url, '/api/v1/health', headers)
    t.equal(shown.get('x-ratelimit-remaining-day'), String(PER_DAY - 1), 'counts are saved first')
    await again.end('SIGTERM')
  })

t.test('a start on a full disk fails with one line and exit code 1, so that it is retried', { skip: WITHOUT_DISK }, async t => {
  const disk = smallDisk(t)
  const env = { ...(await settings(t)), HSAPI_DATA_DIR: join(disk.path, 'data'), HSAPI_PORT: '0' }
  disk.fill()
  const failed = await run(['serve'], env)
  t.equal(failed.code, 1, 'the exit code is not 2, after which hsapi.service gives up')
  t.match(failed.stderr, /^hsapi: HSAPI_DATA_DIR .*ENOSPC.*\n$/)
  const command = await run(['keys', 'create', '--tier', 'free'], env)
  t.equal(command.code, 2, 'a command exits with 2, because no supervisor restarts it')
})
