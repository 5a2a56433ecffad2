import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { readConfig } from '../../src/settings/config.js'
import { snapshotInUse, snapshotToBuild } from '../../src/snapshot-in-use.js'
import { prepared, run, startServe } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const SHIPPED = join(packageRoot(), 'dist', 'hs.snapshot')

t.test('HSAPI_SNAPSHOT comes first, then the data directory, then the shipped snapshot', async t => {
  const dataDir = temporaryDirectory(t)
  const own = join(dataDir, 'hs.snapshot')
  t.strictSame(snapshotInUse({ dataDir, snapshot: undefined }), { file: SHIPPED, origin: 'shipped' })
  writeFileSync(own, '')
  t.strictSame(snapshotInUse({ dataDir, snapshot: undefined }), { file: own, origin: 'data directory' })
  const named = { file: '/srv/my.snapshot', origin: 'HSAPI_SNAPSHOT' }
  t.strictSame(snapshotInUse({ dataDir, snapshot: '/srv/my.snapshot' }), named)
  t.strictSame(snapshotInUse(readConfig({ HSAPI_SNAPSHOT: '/srv/my.snapshot' })), named)
})

t.test('a build goes to HSAPI_SNAPSHOT, else to dist in a checkout and to the data directory elsewhere', async t => {
  const settings = { dataDir: '/state/hsapi', snapshot: undefined }
  t.equal(snapshotToBuild(settings, true), SHIPPED)
  t.equal(snapshotToBuild(settings, false), '/state/hsapi/hs.snapshot')
  t.equal(snapshotToBuild({ ...settings, snapshot: 'my.snapshot' }, false), 'my.snapshot')
})

t.test('a server says which snapshot it serves, and a reload looks for it anew', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  const own = join(HSAPI_DATA_DIR, 'hs.snapshot')
  const named = await startServe(t, { HSAPI_DATA_DIR, HSAPI_SNAPSHOT })
  t.match(named.output(), `hsapi: snapshot ${HSAPI_SNAPSHOT} (HSAPI_SNAPSHOT)\n`)
  t.equal(await named.end('SIGTERM'), 0)

  copyFileSync(HSAPI_SNAPSHOT, own)
  const found = await startServe(t, { HSAPI_DATA_DIR })
  t.match(found.output(), `hsapi: snapshot ${own} (data directory)\n`)
  rmSync(own)
  const { stdout } = await run(['reload'], { HSAPI_DATA_DIR })
  t.match(stdout, SHIPPED, 'without its own one it takes the shipped one')
  t.equal(await found.end('SIGTERM'), 0)
})

t.test('commands say on standard error where the data comes from, unless that is the shipped snapshot', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  mkdirSync(HSAPI_DATA_DIR, { recursive: true })
  copyFileSync(HSAPI_SNAPSHOT, join(HSAPI_DATA_DIR, 'hs.snapshot'))
  const lookup = async (env: Record<string, string>, ...args: string[]) => (await run(['lookup', '85', ...args], env)).stderr
  t.equal(await lookup({ HSAPI_DATA_DIR }), `hsapi: snapshot ${join(HSAPI_DATA_DIR, 'hs.snapshot')} (data directory)\n`)
  t.equal(await lookup({ HSAPI_DATA_DIR, HSAPI_SNAPSHOT }), `hsapi: snapshot ${HSAPI_SNAPSHOT} (HSAPI_SNAPSHOT)\n`)
  t.equal(await lookup({ HSAPI_DATA_DIR }, '--snapshot', HSAPI_SNAPSHOT), '', 'nor where the command names it')
})
