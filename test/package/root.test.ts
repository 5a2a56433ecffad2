import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { readConfig } from '../../src/settings/config.js'
import { snapshotInUse } from '../../src/snapshot-in-use.js'
import { VERSION } from '../../src/version.js'
import { ROOT, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

t.test('the package finds its own folder and version', async t => {
  t.equal(join(packageRoot(), '/'), fileURLToPath(new URL('../../', import.meta.url)))
  t.equal(VERSION, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
})

t.test(
  'in a checkout, the default snapshot is in the package folder, and the data directory in the working directory',
  async t => {
    const config = readConfig({ HSAPI_DATA_DIR: temporaryDirectory(t) })
    t.equal(snapshotInUse(config).file, join(packageRoot(), 'dist', 'hs.snapshot'))
    t.equal(readConfig({}).dataDir, 'data')
  },
)

t.test('the compiled program finds its version in any working directory, and refuses an empty HSAPI_SNAPSHOT', async t => {
  const elsewhere = temporaryDirectory(t)
  t.equal((await run(['--version'], {}, elsewhere)).stdout, `${VERSION}\n`)
  const { stderr } = await run(['serve'], { HSAPI_SNAPSHOT: '' }, elsewhere)
  t.equal(stderr, `hsapi: HSAPI_SNAPSHOT is set but empty; unset it to use the one in the data directory or the shipped one\n`)
})
