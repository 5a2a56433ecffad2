import { readdirSync, statSync, writeFileSync } from 'node:fs'
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
