import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { confirmedHolder, FileLock, type Holder, holderOf, STALE_MS } from '../../src/files/file-lock.js'
import { temporaryDirectory } from '../support/service.js'

const MODULE = new URL('../../dist/src/files/file-lock.js', import.meta.url).href

function child(script: string): { output: Promise<string>; pid: number } {
  const process_ = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { FileLock } from ${JSON.stringify(MODULE)}\n${script}`,
  ])
  let text = ''
  for (const stream of [process_.stdout, process_.stderr])
    stream.on('data', data => {
      text += data
    })
  return { pid: process_.pid as number, output: new Promise(done => process_.on('close', () => done(text))) }
}

/** Leaves the lock of a killed process. */
async function orphan(path: string): Promise<void> {
  await child(`await FileLock.take(${JSON.stringify(path)}, 0); process.kill(process.pid, 'SIGKILL')`).output
}

const lockPath = (t: Test) => join(temporaryDirectory(t), 'x.lock')

t.test('there is one holder at a time, and others get its identity', async t => {
  const path = lockPath(t)
  const lock = await FileLock.take(path, 0)
  t.ok(lock instanceof FileLock)
  t.match(await FileLock.tryTake(path), { pid: process.pid, host: hostname() })
  await (lock as FileLock).release()
  t.equal(await holderOf(path), undefined)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
  t.strictSame(readdirSync(join(path, '..')), ['x.lock'], 'no other file is left')
})

t.test('the lock of a dead process is taken at once', async t => {
  const path = lockPath(t)
  await orphan(path)
  t.ok((await holderOf(path)) !== undefined)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('a reused process id is not taken for the holder', async t => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: '1', host: hostname(), nonce: 'n' }))
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('for a process of another host, only the age is known', async t => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify({ pid: 1, started: '1', host: 'elsewhere', nonce: 'n' }))
  t.match(await FileLock.tryTake(path), { host: 'elsewhere' })
  const old = new Date(Date.now() - STALE_MS - 1_000)
  utimesSync(path, old, old)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('for a process of another PID namespace or an earlier boot, only the age counts, too', async t => {
  const path = lockPath(t)
  await ((await FileLock.tryTake(path)) as FileLock).release()
  const ours = { pid: process.pid, started: '1', host: hostname(), nonce: 'n' }
  for (const place of [{ pidNamespace: 'pid:[1]' }, { boot: 'another' }]) {
    writeFileSync(path, JSON.stringify({ ...ours, ...place }))
    t.match(await FileLock.tryTake(path), place)
    const old = new Date(Date.now() - STALE_MS - 1_000)
    utimesSync(path, old, old)
    t.ok((await FileLock.tryTake(path)) instanceof FileLock)
  }
  // as on systems without /proc
  writeFileSync(path, JSON.stringify({ ...ours, started: '', pidNamespace: '', boot: '' }))
  t.match(await FileLock.tryTake(path), { pid: process.pid }, 'this process is running')
  writeFileSync(path, JSON.stringify({ ...ours, pid: 2 ** 22 + 1, started: '', pidNamespace: '', boot: '' }))
  t.ok((await FileLock.tryTake(path)) instanceof FileLock, 'the other process is not running')
})

const inContainer = ['--pid', '--fork', '--mount-proc']
const skip = spawnSync('unshare', [...inContainer, 'true']).status === 0 ? false : 'there are no PID namespaces here'

t.test('of two containers with one host name, each with a process 1, one gets the lock', { skip }, async t => {
  const path = lockPath(t)
  const script = (rest: string) =>
    `import { FileLock } from ${JSON.stringify(MODULE)}
    const lock = await FileLock.tryTake(${JSON.stringify(path)})
    process.stdout.write(lock instanceof FileLock ? 'taken by ' + process.pid : 'held by ' + lock.pid)
    ${rest}`
  const start = (rest: string) =>
    spawn('unshare', [...inContainer, process.execPath, '--input-type=module', '-e', script(rest)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  const said = (container: ReturnType<typeof start>) =>
    new Promise<string>(done => container.stdout.once('data', data => done(String(data))))
  const first = start('process.stdin.resume()')
  t.equal(await said(first), 'taken by 1')
  t.equal(await said(start('')), 'held by 1')
  first.stdin.end()
})

t.test('a holder that cannot be checked is waited for, until it renews its lock or is gone', async t => {
  const path = lockPath(t)
  t.equal(await confirmedHolder(path), undefined)
  const holder = { pid: 1, started: '1', host: 'elsewhere', nonce: 'n' }
  writeFileSync(path, JSON.stringify(holder))
  const nearlyStale = new Date(Date.now() - STALE_MS + 700)
  utimesSync(path, nearlyStale, nearlyStale)
  t.equal(await confirmedHolder(path), undefined, 'gone')
  utimesSync(path, nearlyStale, new Date(Date.now() - 5_000))
  const found = confirmedHolder(path)
  await new Promise(done => setTimeout(done, 100))
  utimesSync(path, nearlyStale, new Date())
  t.strictSame(await found, holder)
  const own = (await FileLock.own(nonce => `${path}.${nonce}`, {})).path
  t.match(await confirmedHolder(own), { pid: process.pid }, 'at once')
})

t.test('an empty file left by a crash is waited for, then taken', async t => {
  const path = lockPath(t)
  writeFileSync(path, '')
  t.notOk((await FileLock.tryTake(path)) instanceof FileLock)
  const old = new Date(Date.now() - STALE_MS - 1_000)
  utimesSync(path, old, old)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test("a process that lost the lock does not remove another's", async t => {
  const path = lockPath(t)
  const lock = (await FileLock.tryTake(path)) as FileLock
  writeFileSync(path, JSON.stringify({ pid: 1, started: '1', host: 'elsewhere', nonce: 'other' } satisfies Holder))
  await lock.release()
  t.equal((await holderOf(path))?.nonce, 'other')
})

t.test('many processes that find the same orphan take it one after the other, never two at once', async t => {
  for (let round = 0; round < 4; round++) {
    const directory = temporaryDirectory(t)
    const path = join(directory, 'x.lock')
    const counter = join(directory, 'counter')
    writeFileSync(counter, '0')
    await orphan(path)
    // each process slowly adds one to a number in a file: without the lock, two at once would lose one
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs'
      import { setTimeout as wait } from 'node:timers/promises'
      for (let i = 0; i < 3; i++) {
        const lock = await FileLock.take(${JSON.stringify(path)}, 20_000)
        if (!(lock instanceof FileLock)) throw new Error('no lock')
        const value = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'))
        await wait(3)
        writeFileSync(${JSON.stringify(counter)}, String(value + 1))
        await lock.release()
      }`
    const outputs = await Promise.all(Array.from({ length: 6 }, () => child(script).output))
    t.strictSame(outputs, ['', '', '', '', '', ''])
    t.equal(readFileSync(counter, 'utf8'), '18')
    t.strictSame(readdirSync(directory).sort(), ['counter'])
  }
})

t.test('a process that finds an orphan already replaced leaves the new lock alone', async t => {
  const path = lockPath(t)
  await orphan(path)
  const nonce = (await holderOf(path))?.nonce as string
  const other = { pid: process.pid, started: '', host: hostname(), nonce: 'the faster one' }
  const { link } = fsPromises
  t.teardown(() => {
    fsPromises.link = link
    syncBuiltinESMExports()
  })
  // after finding the orphan and before getting the right to replace it
  fsPromises.link = async (from, to) => {
    if (String(to).endsWith(`.${nonce}`)) writeFileSync(path, JSON.stringify(other))
    return link(from, to)
  }
  syncBuiltinESMExports()
  t.strictSame(await FileLock.tryTake(path), other)
  t.strictSame(await holderOf(path), other)
})
