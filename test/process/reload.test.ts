import { copyFileSync, cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { smallDisk, WITHOUT_DISK } from '../support/disk.js'
import { load } from '../support/load.js'
import { ask, ENGINES, FIXTURE, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const WITHOUT_THREADS = ENGINES.includes('uws') ? false : 'threads need uWebSockets.js'

/** Two snapshots of the same codes that differ in every word and rate. */
async function editions(t: Test): Promise<{ env: Record<string, string>; old: string; renewed: string }> {
  const env = await prepared(t)
  const directory = temporaryDirectory(t)
  const dataset = join(directory, 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  const chapter = join(dataset, 'chapters', '85.csv')
  const text = readFileSync(chapter, 'utf8')
  writeFileSync(chapter, text.replaceAll('Cards with', 'Renewed cards with').replaceAll('Smartphones', 'Renewed phones'))
  const renewed = join(directory, 'renewed.snapshot')
  await run(['build', '--dataset', dataset, '--out', renewed])
  const old = join(directory, 'old.snapshot')
  copyFileSync(env.HSAPI_SNAPSHOT, old)
  return { env, old, renewed }
}

/** Replaces the file with a rename, as a build does. */
function put(from: string, to: string): void {
  copyFileSync(from, `${to}.new`)
  renameSync(`${to}.new`, to)
}

async function newKey(env: Record<string, string>): Promise<Record<string, string>> {
  const made = await run(['keys', 'create', '--tier', 'pro', '--per-minute', '2000000', '--per-day', '2000000', '--json'], env)
  return { 'x-api-key': JSON.parse(made.stdout).key }
}

const first = async (url: string, headers: Record<string, string>) =>
  (await ask(url, '/api/v1/hs-codes/852321', headers)).body.data.description.en

t.test('hsapi reload makes a server load a new snapshot, and reports a bad one', async t => {
  const { env, renewed } = await editions(t)
  const headers = await newKey(env)
  const served = await startServe(t, env)
  t.equal(await first(served.url, headers), 'Cards with a magnetic stripe')
  put(renewed, env.HSAPI_SNAPSHOT as string)
  const done = await run(['reload'], env)
  t.equal(done.code, 0, done.stderr)
  t.match(done.stdout, /process \d+ on \S+: .*hs\.snapshot was loaded: .* records/)
  t.equal(await first(served.url, headers), 'Renewed cards with a magnetic stripe')

  writeFileSync(env.HSAPI_SNAPSHOT as string, readFileSync(renewed).subarray(0, 5000))
  const refused = await run(['reload'], env)
  t.equal(refused.code, 2)
  t.match(refused.stdout, /truncated.*still serving the previous dataset/)
  t.equal(await first(served.url, headers), 'Renewed cards with a magnetic stripe')
  t.match(served.output(), /hsapi: .*truncated/)
  t.equal(await served.end('SIGTERM'), 0)
  const nobody = await run(['reload'], env)
  t.equal(nobody.code, 2)
  t.match(nobody.stderr, /no running server uses this directory/)
})

t.test('hsapi reload on a full disk prints one line and exits with 2', { skip: WITHOUT_DISK }, async t => {
  const disk = smallDisk(t)
  const env = { ...(await prepared(t)), HSAPI_DATA_DIR: join(disk.path, 'data') }
  const served = await startServe(t, env)
  disk.fill()
  const { code, stderr } = await run(['reload'], env)
  t.equal(code, 2)
  t.match(stderr, /^hsapi: HSAPI_DATA_DIR .*: ENOSPC: .*\n$/)
  disk.free()
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('after a reload every thread serves the new dataset', { skip: WITHOUT_THREADS }, async t => {
  const { env, renewed } = await editions(t)
  const headers = await newKey(env)
  const served = await startServe(t, { ...env, HSAPI_WORKERS: '3' })
  put(renewed, env.HSAPI_SNAPSHOT as string)
  t.equal((await run(['reload'], env)).code, 0)
  // a new connection each time, so that every thread gets some
  const answers = new Set<string>()
  for (let i = 0; i < 40; i++) answers.add(await first(served.url, headers))
  t.strictSame([...answers], ['Renewed cards with a magnetic stripe'])
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('with HSAPI_WATCH=1, a snapshot replaced during the start is noticed', async t => {
  const { env, renewed } = await editions(t)
  const headers = await newKey(env)
  const preload = join(temporaryDirectory(t), 'preload.mjs')
  const read = `${preload}.read`
  const go = `${preload}.go`
  writeFileSync(
    preload,
    `import fs from 'node:fs'
    import fsPromises from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { open, readdir } = fsPromises
    fsPromises.open = async (path, ...args) => {
      const handle = await open(path, ...args)
      if (path !== ${JSON.stringify(env.HSAPI_SNAPSHOT)}) return handle
      const close = handle.close.bind(handle)
      handle.close = () => close().then(() => fs.writeFileSync(${JSON.stringify(read)}, ''))
      return handle
    }
    // the start waits here
    fsPromises.readdir = async (...args) => {
      while (!fs.existsSync(${JSON.stringify(go)})) await new Promise(done => setTimeout(done, 20))
      return readdir(...args)
    }
    syncBuiltinESMExports()`,
  )
  const starting = startServe(t, { ...env, HSAPI_WATCH: '1', NODE_OPTIONS: `--import ${preload}` })
  await until('the snapshot was read', () => existsSync(read))
  put(renewed, env.HSAPI_SNAPSHOT as string)
  writeFileSync(go, '')
  const served = await starting
  await until('the snapshot is loaded', () => served.output().includes('was loaded'))
  t.equal(await first(served.url, headers), 'Renewed cards with a magnetic stripe')
  t.equal(await served.end('SIGTERM'), 0)
})

t.test('SIGHUP reloads the snapshot, and so does a replaced file with HSAPI_WATCH=1', async t => {
  const { env, old, renewed } = await editions(t)
  const headers = await newKey(env)
  const served = await startServe(t, { ...env, HSAPI_WATCH: '1' })
  put(renewed, env.HSAPI_SNAPSHOT as string)
  const untilServed = async (text: string) => {
    await until(`it serves ${text}`, async () => (await first(served.url, headers)) === text)
    t.equal(await first(served.url, headers), text)
  }
  await untilServed('Renewed cards with a magnetic stripe')
  t.equal(await served.end('SIGTERM'), 0)

  const again = await startServe(t, env)
  put(old, env.HSAPI_SNAPSHOT as string)
  again.child.kill('SIGHUP')
  await until('the snapshot is loaded', () => again.output().includes('was loaded'))
  t.equal(await first(again.url, headers), 'Cards with a magnetic stripe')
  t.equal(await again.end('SIGTERM'), 0)
})

for (const [what, more] of [
  ['one thread', { HSAPI_ENGINE: 'node' }],
  ...(ENGINES.includes('uws') ? [['three threads', { HSAPI_WORKERS: '3' }] as const] : []),
] as const) {
  t.test(`a reload loads changed decisions; invalid ones are refused, and the old ones stay in use (${what})`, async t => {
    const env: Record<string, string> = await prepared(t)
    const headers = await newKey(env)
    const file = join(temporaryDirectory(t), 'decisions.csv')
    const write = (code: string) => writeFileSync(file, `sku,gtin,text,code,country,who,day,why\nA,,,${code},,Ali,2026-11-01,\n`)
    write('852321')
    const served = await startServe(t, { ...env, ...more, HSAPI_DECISIONS: file })
    // a new connection each time, so that every thread gets some
    const decided = async () => {
      const codes = new Set<string>()
      for (let i = 0; i < 20; i++) {
        const { body } = await ask(served.url, '/api/v1/classify?text=smartphone&sku=A', headers)
        codes.add(`${body.data.items[0].status} ${body.data.items[0].candidates[0].hs_code}`)
      }
      return [...codes].join()
    }
    t.equal(await decided(), 'decided 852321')
    write('852329')
    const done = await run(['reload'], env)
    t.equal(done.code, 0, done.stderr)
    t.equal(await decided(), 'decided 852329')
    write('phones')
    const refused = await run(['reload'], env)
    t.equal(refused.code, 2)
    t.match(refused.stdout, /decisions\.csv:2: code is "phones".*still serving the previous dataset/)
    t.equal(await decided(), 'decided 852329')
    write('852351')
    served.child.kill('SIGHUP')
    await until('the changed decisions are loaded', async () => (await decided()) === 'decided 852351')
    t.equal(await served.end('SIGTERM'), 0)

    const watching = await startServe(t, { ...env, ...more, HSAPI_DECISIONS: file, HSAPI_WATCH: '1' })
    write('852321')
    const first = async () =>
      (await ask(watching.url, '/api/v1/classify?text=smartphone&sku=A', headers)).body.data.items[0].candidates[0].hs_code
    await until('the changed file is loaded', async () => (await first()) === '852321')
    t.equal(await watching.end('SIGTERM'), 0)
  })
}

for (const [what, more] of [
  ['one thread', { HSAPI_ENGINE: 'node' }],
  ...(ENGINES.includes('uws') ? [['one thread', {}] as const, ['two threads', { HSAPI_WORKERS: '2' }] as const] : []),
] as const) {
  t.test(
    `under load, reloads lose no request, and each response has whole records (${what} ${JSON.stringify(more)})`,
    async t => {
      const { env, old, renewed } = await editions(t)
      const headers = await newKey(env)
      const served = await startServe(t, { ...env, ...more })
      const paths = ['/api/v1/hs-codes/852321', '/api/v1/hs-codes/8523/children', '/api/v1/search?q=magnetic+stripe']
      let isOver = false
      const result = load({
        port: Number(new URL(served.url).port),
        paths,
        headers,
        connections: 6,
        keepAlive: true,
        isOver: () => isOver,
        check: (_path, status, body) => {
          if (status !== 200) return `${status} ${body.slice(0, 100)}`
          const { data } = JSON.parse(body)
          const record = Array.isArray(data) ? data[0] : data
          const { en, ar } = record.description
          const isWhole = /^(Renewed cards|Cards) with a magnetic stripe$/.test(en) && ar === 'بطاقات بشريط مغناطيسي'
          return isWhole && record.hs_code === '852321' ? undefined : body.slice(0, 200)
        },
      })
      const RELOADS = 12
      for (let i = 0; i < RELOADS; i++) {
        put(i % 2 === 0 ? renewed : old, env.HSAPI_SNAPSHOT as string)
        served.child.kill('SIGHUP')
        await until('the snapshot is loaded', () => served.output().split('was loaded').length > i + 1)
      }
      isOver = true
      const { answered, wrong } = await result
      t.equal(served.output().split('was loaded').length - 1, RELOADS)
      t.strictSame(wrong, [])
      t.ok(answered > 100, `${answered} answers`)
      t.equal(await served.end('SIGTERM'), 0)
    },
  )
}
