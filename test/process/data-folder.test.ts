import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { requestReload, ServerClaim } from '../../src/process/data-folder.js'
import { prepared, run, startServe } from '../support/cli.js'
import { FIXTURE } from '../support/service.js'

t.test('the answer to an earlier reload request is not taken for the answer to a later one', async t => {
  const directory = t.testdir()
  const claim = await ServerClaim.take(directory, false)
  t.teardown(() => claim.release())
  const lock = readdirSync(directory).find(name => /^server-.*\.lock$/.test(name)) ?? ''
  const earlier = { nonce: 'earlier', isLoaded: true, message: 'earlier' }
  writeFileSync(join(directory, lock.replace('.lock', '.reloaded')), JSON.stringify(earlier))
  claim.onReload(async () => ({ isLoaded: false, message: 'now' }))
  t.match(await requestReload(directory, 30_000), [{ isLoaded: false, message: 'now' }])
})

t.test('only its owner can open the data directory, whichever command creates it', async t => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const keys = await prepared(t)
  t.equal((await run(['keys', 'create', '--tier', 'free'], keys)).code, 0)
  t.equal(mode(keys.HSAPI_DATA_DIR), '700', 'keys create')

  const served = await prepared(t)
  const server = await startServe(t, served)
  t.equal(mode(served.HSAPI_DATA_DIR), '700', 'serve')
  t.equal(await server.end('SIGTERM'), 0)

  const { HSAPI_DATA_DIR } = await prepared(t)
  for (let times = 0; times < 2; times++) {
    const { code, stderr } = await run(['build', '--dataset', FIXTURE], { HSAPI_DATA_DIR })
    t.equal(code, 0, stderr)
    t.equal(mode(HSAPI_DATA_DIR), '700', 'build')
  }
  t.equal(mode(join(HSAPI_DATA_DIR, 'snapshots')), '700', 'the snapshots that were replaced')
})

t.test('a request to reload is answered once, and leaves no files behind', async t => {
  const directory = t.testdir()
  const claim = await ServerClaim.take(directory, false)
  const files = () => readdirSync(directory).filter(name => /\.reload(ed)?$/.test(name))
  t.match(await requestReload(directory, 0), [{ isLoaded: false, message: /no answer within 0 seconds/ }])
  t.strictSame(files(), [], 'a request that nobody answered is withdrawn')
  let reloads = 0
  claim.onReload(async () => ({ isLoaded: true, message: String(++reloads) }))
  t.match(await requestReload(directory, 30_000), [{ message: '1' }])
  t.strictSame(files(), [])
  t.match(await requestReload(directory, 30_000), [{ message: '2' }])
  const [lock = ''] = readdirSync(directory).filter(name => name.startsWith('server-'))
  writeFileSync(join(directory, lock.replace('.lock', '.reloaded')), '{}')
  await claim.release()
  t.strictSame(readdirSync(directory), [], 'an answer that nobody read is removed')
})

t.test('a start removes temporary files of killed processes, but none that may still be written', async t => {
  const directory = t.testdir()
  const [old, young] = ['keys.json.1.ab.tmp', 'keys.json.2.cd.tmp']
  for (const name of [old, young, 'old.csv']) writeFileSync(join(directory, name), '')
  const twoMinutesAgo = Date.now() / 1000 - 120
  for (const name of [old, 'old.csv']) utimesSync(join(directory, name), twoMinutesAgo, twoMinutesAgo)
  const claim = await ServerClaim.take(directory, false)
  t.strictSame(
    readdirSync(directory).filter(name => !name.startsWith('server')),
    [young, 'old.csv'],
  )
  await claim.release()
})

t.test('two servers share a directory only if both were started to share it', async t => {
  for (const [first, second] of [
    [false, true],
    [true, false],
    [false, false],
  ] as const) {
    const directory = t.testdir()
    const claim = await ServerClaim.take(directory, first)
    await t.rejects(ServerClaim.take(directory, second), /already uses it/)
    await claim.release()
  }
  const directory = t.testdir()
  const claims = [await ServerClaim.take(directory, true), await ServerClaim.take(directory, true)]
  t.equal((await requestReload(directory, 0)).length, 2)
  for (const claim of claims) await claim.release()
})
