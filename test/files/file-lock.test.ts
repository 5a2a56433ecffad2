import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { confirmedHolder, FileLock, type Holder, holderOf, STALE_MS } from '../../src/files/file-lock.js'
import { temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const MODULE = new URL('../../dist/src/files/file-lock.js', import.meta.url).href

function child(script: string): { output: Promise<string>; pid: number } {
  const started = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { FileLock } from ${JSON.stringify(MODULE)}\n${script}`,
  ])
  let text = ''
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', data => {
      text += data
    })
  return { pid: started.pid as number, output: new Promise(done => started.on('close', () => done(text))) }
}

/** Starts a process that takes the lock and is then killed, so that its lock file remains. */
async function leaveOrphan(path: string): Promise<void> {
  await child(`await FileLock.take(${JSON.stringify(path)}, 0); process.kill(process.pid, 'SIGKILL')`).output
}

const lockPath = (t: Test) => join(temporaryDirectory(t), 'x.lock')

t.test('only one process holds a lock, and others get the identity of the holder', async t => {
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
  await leaveOrphan(path)
  t.ok((await holderOf(path)) !== undefined)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('a process that has the id of the former holder is not mistaken for it', async t => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: '1', host: hostname(), nonce: 'n' }))
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('the lock of a process on another host can be taken when it has not been renewed for STALE_MS', async t => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify({ pid: 1, started: '1', host: 'elsewhere', nonce: 'n' }))
  t.match(await FileLock.tryTake(path), { host: 'elsewhere' })
  const old = new Date(Date.now() - STALE_MS - 1_000)
  utimesSync(path, old, old)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('the lock of a process in another PID namespace or from an earlier boot can also be taken after STALE_MS', async t => {
  const path = lockPath(t)
  await ((await FileLock.tryTake(path)) as FileLock).release()
  const ownHolder = { pid: process.pid, started: '1', host: hostname(), nonce: 'n' }
  for (const origin of [{ pidNamespace: 'pid:[1]' }, { boot: 'another' }]) {
    writeFileSync(path, JSON.stringify({ ...ownHolder, ...origin }))
    t.match(await FileLock.tryTake(path), origin)
    const old = new Date(Date.now() - STALE_MS - 1_000)
    utimesSync(path, old, old)
    t.ok((await FileLock.tryTake(path)) instanceof FileLock)
  }
  // on systems without /proc, the start time, namespace and boot are unknown
  writeFileSync(path, JSON.stringify({ ...ownHolder, started: '', pidNamespace: '', boot: '' }))
  t.match(
    await FileLock.tryTake(path),
    { pid: process.pid },
    'without these, a lock belongs to the running process that has its process id',
  )
  writeFileSync(path, JSON.stringify({ ...ownHolder, pid: 2 ** 22 + 1, started: '', pidNamespace: '', boot: '' }))
  t.ok((await FileLock.tryTake(path)) instanceof FileLock, 'without these, the lock of a process that is not running is taken')
})

const inContainer = ['--pid', '--fork', '--mount-proc']
const skip = spawnSync('unshare', [...inContainer, 'true']).status === 0 ? false : 'PID namespaces cannot be created here'

t.test('if two containers have the same host name and process id 1, only one of them gets the lock', { skip }, async t => {
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
  const outputOf = (container: ReturnType<typeof start>) =>
    new Promise<string>(done => container.stdout.once('data', data => done(String(data))))
  const first = start('process.stdin.resume()')
  t.equal(await outputOf(first), 'taken by 1')
  t.equal(await outputOf(start('')), 'held by 1')
  first.stdin.end()
})

t.test('confirmedHolder waits for a holder on another host until it renews its lock or the lock is stale', async t => {
  const path = lockPath(t)
  t.equal(await confirmedHolder(path), undefined)
  const holder = { pid: 1, started: '1', host: 'elsewhere', nonce: 'n' }
  writeFileSync(path, JSON.stringify(holder))
  const nearlyStale = new Date(Date.now() - STALE_MS + 700)
  utimesSync(path, nearlyStale, nearlyStale)
  t.equal(await confirmedHolder(path), undefined, 'a lock that is not renewed has no holder')
  utimesSync(path, nearlyStale, new Date(Date.now() - 5_000))
  let found: unknown
  confirmedHolder(path).then(confirmed => {
    found = confirmed
  })
  await until('the holder is confirmed', () => {
    utimesSync(path, nearlyStale, new Date())
    return found !== undefined
  })
  t.strictSame(found, holder)
  const ownPath = (await FileLock.own(nonce => `${path}.${nonce}`, {})).path
  t.match(await confirmedHolder(ownPath), { pid: process.pid }, 'a holder on this host is confirmed at once')
})

t.test('an empty lock file, left by a crash, can be taken after STALE_MS', async t => {
  const path = lockPath(t)
  writeFileSync(path, '')
  t.notOk((await FileLock.tryTake(path)) instanceof FileLock)
  const old = new Date(Date.now() - STALE_MS - 1_000)
  utimesSync(path, old, old)
  t.ok((await FileLock.tryTake(path)) instanceof FileLock)
})

t.test('a process that has lost its lock does not remove the lock of the new holder', async t => {
  const path = lockPath(t)
  const lock = (await FileLock.tryTake(path)) as FileLock
  writeFileSync(path, JSON.stringify({ pid: 1, started: '1', host: 'elsewhere', nonce: 'other' } satisfies Holder))
  await lock.release()
  t.equal((await holderOf(path))?.nonce, 'other')
})

t.test('if many processes find the lock of a killed process, only one at a time holds the lock', async t => {
  for (let round = 0; round < 4; round++) {
    const directory = temporaryDirectory(t)
    const path = join(directory, 'x.lock')
    const counter = join(directory, 'counter')
    writeFileSync(counter, '0')
    await leaveOrphan(path)
    // each process slowly adds 1 to a number in a file; two at the same time would lose an addition
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

t.test('a process does not replace a lock that another process has just taken over from a killed one', async t => {
  const path = lockPath(t)
  await leaveOrphan(path)
  const nonce = (await holderOf(path))?.nonce as string
  const other = { pid: process.pid, started: '', host: hostname(), nonce: 'the faster one' }
  const { link } = fsPromises
  t.teardown(() => {
    fsPromises.link = link
    syncBuiltinESMExports()
  })
  // simulates the other process between finding the orphan and getting the right to replace it
  fsPromises.link = async (from, to) => {
    if (String(to).endsWith(`.${nonce}`)) writeFileSync(path, JSON.stringify(other))
    return link(from, to)
  }
  syncBuiltinESMExports()
  t.strictSame(await FileLock.tryTake(path), other)
  t.strictSame(await holderOf(path), other)
})
