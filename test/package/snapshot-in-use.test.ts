import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { readConfig } from '../../src/settings/config.js'
import { snapshotInUse, snapshotToBuild } from '../../src/snapshot-in-use.js'
import { prepared, run, smallCheckout, startServe } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'

const SHIPPED = join(packageRoot(), 'dist', 'hs.snapshot')

t.test('the snapshot in use is that of HSAPI_SNAPSHOT, else that in the data directory, else the shipped one', async t => {
  const dataDir = temporaryDirectory(t)
  const inDataDir = join(dataDir, 'hs.snapshot')
  t.strictSame(snapshotInUse({ dataDir, snapshot: undefined }), { file: SHIPPED, origin: 'shipped' })
  writeFileSync(inDataDir, '')
  t.strictSame(snapshotInUse({ dataDir, snapshot: undefined }), { file: inDataDir, origin: 'data directory' })
  const named = { file: '/srv/my.snapshot', origin: 'HSAPI_SNAPSHOT' }
  t.strictSame(snapshotInUse({ dataDir, snapshot: '/srv/my.snapshot' }), named)
  t.strictSame(snapshotInUse(readConfig({ HSAPI_SNAPSHOT: '/srv/my.snapshot' })), named)
})

t.test(
  'a build writes to HSAPI_SNAPSHOT; by default, the shipped dataset goes to dist, any other to the data directory',
  async t => {
    const settings = { dataDir: '/state/hsapi', snapshot: undefined }
    t.equal(snapshotToBuild(settings, true), SHIPPED)
    t.equal(snapshotToBuild(settings, false), '/state/hsapi/hs.snapshot')
    for (const isShipped of [true, false])
      t.equal(snapshotToBuild({ ...settings, snapshot: 'my.snapshot' }, isShipped), 'my.snapshot')
  },
)

/** Creates a checkout with a compiled snapshot of its shipped dataset, and with another dataset. */
async function checkoutWithTariff(t: Test) {
  const { root, main } = smallCheckout(t)
  cpSync(FIXTURE, join(root, 'my-tariff'), { recursive: true })
  writeFileSync(
    join(root, 'my-tariff/manifest.json'),
    readFileSync(join(FIXTURE, 'manifest.json'), 'utf8').replace('"edition": "', '"edition": "My '),
  )
  const hsapi = (args: string[], env: Record<string, string> = {}) => run(args, env, root, main)
  t.match(await hsapi(['build']), { code: 0, stdout: /^dist\/hs\.snapshot: \d+ records$/m })
  const shipped = join(root, 'dist/hs.snapshot')
  return { root, main, hsapi, shipped, before: readFileSync(shipped) }
}

t.test('in a checkout, the snapshot of another dataset is in the data directory, and is used until it is deleted', async t => {
  const { root, hsapi, shipped, before } = await checkoutWithTariff(t)
  const built = await hsapi(['build', '--dataset', 'my-tariff'])
  t.match(built, { code: 0, stdout: /^data\/hs\.snapshot: \d+ records$/m })
  t.match(built.stdout, /^Commands use it now; .*\. Delete it to return to the shipped snapshot\.$/m)
  t.ok(readFileSync(shipped).equals(before), 'the shipped snapshot is not changed')
  t.equal(
    (await hsapi(['build', '--if-changed'])).stdout,
    'dist/hs.snapshot is up to date\n',
    'a build of the shipped dataset has nothing to do',
  )
  const logLine = 'hsapi: snapshot data/hs.snapshot (from the data directory, instead of the shipped one)\n'
  t.match(await hsapi(['lookup', '85']), { code: 0, stderr: logLine })
  t.match((await hsapi(['doctor'])).stdout, /data\/hs\.snapshot \(data directory\): My /)
  rmSync(join(root, 'data/hs.snapshot'))
  t.match(await hsapi(['lookup', '85']), { code: 0, stderr: '' })
  t.match((await hsapi(['doctor'])).stdout, /dist\/hs\.snapshot \(shipped\): /)
})

t.test('the shipped dataset is recognised under any path', async t => {
  const { root, hsapi } = await checkoutWithTariff(t)
  symlinkSync('dataset', join(root, 'linked'))
  for (const dataset of ['dataset', './dataset', 'my-tariff/../dataset/', join(root, 'dataset'), 'linked'])
    t.equal((await hsapi(['build', '--if-changed', '--dataset', dataset])).stdout, 'dist/hs.snapshot is up to date\n', dataset)
})

t.test('only the shipped dataset can be built to the path of the shipped snapshot', async t => {
  const { root, hsapi, shipped, before } = await checkoutWithTariff(t)
  const refused = {
    code: 2,
    stderr:
      /hs\.snapshot is the shipped snapshot, which only a build of the shipped dataset may replace; choose another place with --out\n$/,
  }
  symlinkSync('dist', join(root, 'linked'))
  for (const out of ['dist/hs.snapshot', shipped, 'linked/hs.snapshot']) {
    t.match(await hsapi(['build', '--dataset', 'my-tariff', '--out', out]), refused, out)
    t.match(await hsapi(['build', '--dataset', 'my-tariff'], { HSAPI_SNAPSHOT: out }), refused, `HSAPI_SNAPSHOT=${out}`)
  }
  t.match(await hsapi(['build', '--dataset', 'my-tariff', '--out', shipped, '--force']), refused, '--force is refused as well')
  const layer = ['build', '--base', shipped, '--layer', 'SA=dataset/countries/SA']
  t.match(await hsapi([...layer, '--out', shipped]), refused, 'country layers are refused as well')
  t.match(await hsapi(layer), { code: 0, stdout: /^data\/hs\.snapshot: / })
  t.ok(readFileSync(shipped).equals(before))
})

t.test('"npm start" and "npm run build" build the shipped snapshot even if HSAPI_SNAPSHOT names another one', async t => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  const { hsapi } = await checkoutWithTariff(t)
  const named = join(temporaryDirectory(t), 'my.snapshot')
  await hsapi(['build', '--dataset', 'my-tariff', '--out', named])
  const before = readFileSync(named)
  for (const name of ['start', 'build']) {
    const [, args = ''] = /dist\/src\/main\.js (build[^&]*)/.exec(scripts[name]) ?? []
    t.match(await hsapi(args.trim().split(' '), { HSAPI_SNAPSHOT: named }), { code: 0, stdout: /^dist\/hs\.snapshot/ }, name)
  }
  t.ok(readFileSync(named).equals(before))
})

t.test('a server logs which snapshot it serves, and a reload selects the snapshot again', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  const inDataDir = join(HSAPI_DATA_DIR, 'hs.snapshot')
  const named = await startServe(t, { HSAPI_DATA_DIR, HSAPI_SNAPSHOT })
  t.match(named.output(), `hsapi: snapshot ${HSAPI_SNAPSHOT} (named by HSAPI_SNAPSHOT)\n`)
  t.equal(await named.end('SIGTERM'), 0)

  copyFileSync(HSAPI_SNAPSHOT, inDataDir)
  const found = await startServe(t, { HSAPI_DATA_DIR })
  t.match(found.output(), `hsapi: snapshot ${inDataDir} (from the data directory, instead of the shipped one)\n`)
  rmSync(inDataDir)
  const { stdout } = await run(['reload'], { HSAPI_DATA_DIR })
  t.match(stdout, SHIPPED, 'without a snapshot in the data directory, the reload uses the shipped one')
  t.equal(await found.end('SIGTERM'), 0)
})

t.test('commands log which snapshot they use, unless it is the shipped one or an argument', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  mkdirSync(HSAPI_DATA_DIR, { recursive: true })
  copyFileSync(HSAPI_SNAPSHOT, join(HSAPI_DATA_DIR, 'hs.snapshot'))
  const lookup = async (env: Record<string, string>, ...args: string[]) => (await run(['lookup', '85', ...args], env)).stderr
  t.equal(
    await lookup({ HSAPI_DATA_DIR }),
    `hsapi: snapshot ${join(HSAPI_DATA_DIR, 'hs.snapshot')} (from the data directory, instead of the shipped one)\n`,
  )
  t.equal(await lookup({ HSAPI_DATA_DIR, HSAPI_SNAPSHOT }), `hsapi: snapshot ${HSAPI_SNAPSHOT} (named by HSAPI_SNAPSHOT)\n`)
  t.equal(await lookup({ HSAPI_DATA_DIR }, '--snapshot', HSAPI_SNAPSHOT), '', 'nothing is logged if the snapshot is an argument')
})
