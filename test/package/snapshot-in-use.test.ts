import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { readConfig } from '../../src/settings/config.js'
import { snapshotInUse, snapshotToBuild } from '../../src/snapshot-in-use.js'
import { prepared, run, smallCheckout, startServe } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'

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

t.test(
  'a build goes to HSAPI_SNAPSHOT; otherwise the shipped dataset goes to dist, and any other to the data directory',
  async t => {
    const settings = { dataDir: '/state/hsapi', snapshot: undefined }
    t.equal(snapshotToBuild(settings, true), SHIPPED)
    t.equal(snapshotToBuild(settings, false), '/state/hsapi/hs.snapshot')
    for (const isShipped of [true, false])
      t.equal(snapshotToBuild({ ...settings, snapshot: 'my.snapshot' }, isShipped), 'my.snapshot')
  },
)

/** A checkout with its shipped dataset compiled, and another dataset. */
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

t.test('in a checkout, another dataset is compiled to the data directory, and served until it is deleted', async t => {
  const { root, hsapi, shipped, before } = await checkoutWithTariff(t)
  const built = await hsapi(['build', '--dataset', 'my-tariff'])
  t.match(built, { code: 0, stdout: /^data\/hs\.snapshot: \d+ records$/m })
  t.match(built.stdout, /^Commands use it, .*; delete it to return to the shipped snapshot\.$/m)
  t.ok(readFileSync(shipped).equals(before), 'the shipped snapshot is not changed')
  t.equal(
    (await hsapi(['build', '--if-changed'])).stdout,
    'dist/hs.snapshot is up to date\n',
    'the shipped snapshot is up to date for "npm start"',
  )
  const own = 'hsapi: snapshot data/hs.snapshot (from the data directory, instead of the shipped one)\n'
  t.match(await hsapi(['lookup', '85']), { code: 0, stderr: own })
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

t.test('the shipped snapshot is made only from the shipped dataset', async t => {
  const { root, hsapi, shipped, before } = await checkoutWithTariff(t)
  const refused = {
    code: 2,
    stderr:
      /hs\.snapshot is the shipped snapshot, which only the shipped dataset is compiled to; choose another place with --out\n$/,
  }
  symlinkSync('dist', join(root, 'linked'))
  for (const out of ['dist/hs.snapshot', shipped, 'linked/hs.snapshot']) {
    t.match(await hsapi(['build', '--dataset', 'my-tariff', '--out', out]), refused, out)
    t.match(await hsapi(['build', '--dataset', 'my-tariff'], { HSAPI_SNAPSHOT: out }), refused, `HSAPI_SNAPSHOT=${out}`)
  }
  t.match(await hsapi(['build', '--dataset', 'my-tariff', '--out', shipped, '--force']), refused, '--force does not change this')
  const layer = ['build', '--base', shipped, '--layer', 'SA=dataset/countries/SA']
  t.match(await hsapi([...layer, '--out', shipped]), refused, 'country layers are refused as well')
  t.match(await hsapi(layer), { code: 0, stdout: /^data\/hs\.snapshot: / })
  t.ok(readFileSync(shipped).equals(before))
})

t.test('"npm start" compiles to the shipped snapshot, never to the one that HSAPI_SNAPSHOT names', async t => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  const { hsapi } = await checkoutWithTariff(t)
  const own = join(temporaryDirectory(t), 'my.snapshot')
  await hsapi(['build', '--dataset', 'my-tariff', '--out', own])
  const before = readFileSync(own)
  for (const name of ['start', 'build']) {
    const [, args = ''] = /dist\/src\/main\.js (build[^&]*)/.exec(scripts[name]) ?? []
    t.match(await hsapi(args.trim().split(' '), { HSAPI_SNAPSHOT: own }), { code: 0, stdout: /^dist\/hs\.snapshot/ }, name)
  }
  t.ok(readFileSync(own).equals(before))
})

t.test('a server says which snapshot it serves, and a reload looks for it again', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  const own = join(HSAPI_DATA_DIR, 'hs.snapshot')
  const named = await startServe(t, { HSAPI_DATA_DIR, HSAPI_SNAPSHOT })
  t.match(named.output(), `hsapi: snapshot ${HSAPI_SNAPSHOT} (named by HSAPI_SNAPSHOT)\n`)
  t.equal(await named.end('SIGTERM'), 0)

  copyFileSync(HSAPI_SNAPSHOT, own)
  const found = await startServe(t, { HSAPI_DATA_DIR })
  t.match(found.output(), `hsapi: snapshot ${own} (from the data directory, instead of the shipped one)\n`)
  rmSync(own)
  const { stdout } = await run(['reload'], { HSAPI_DATA_DIR })
  t.match(stdout, SHIPPED, 'without a snapshot in the data directory, it uses the shipped one')
  t.equal(await found.end('SIGTERM'), 0)
})

t.test('commands name their data on standard error, unless it is the shipped snapshot', async t => {
  const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = await prepared(t)
  mkdirSync(HSAPI_DATA_DIR, { recursive: true })
  copyFileSync(HSAPI_SNAPSHOT, join(HSAPI_DATA_DIR, 'hs.snapshot'))
  const lookup = async (env: Record<string, string>, ...args: string[]) => (await run(['lookup', '85', ...args], env)).stderr
  t.equal(
    await lookup({ HSAPI_DATA_DIR }),
    `hsapi: snapshot ${join(HSAPI_DATA_DIR, 'hs.snapshot')} (from the data directory, instead of the shipped one)\n`,
  )
  t.equal(await lookup({ HSAPI_DATA_DIR, HSAPI_SNAPSHOT }), `hsapi: snapshot ${HSAPI_SNAPSHOT} (named by HSAPI_SNAPSHOT)\n`)
  t.equal(
    await lookup({ HSAPI_DATA_DIR }, '--snapshot', HSAPI_SNAPSHOT),
    '',
    'nothing is printed if the command names the snapshot',
  )
})
