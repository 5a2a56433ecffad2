/** Snapshots that a build replaced, and how to return to one. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run, startServe } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'

interface Listed {
  id: string
  version: string | null
  origin: string
  in_use: boolean
}

function setUp(t: Test) {
  const folder = temporaryDirectory(t)
  const env = { HSAPI_DATA_DIR: join(folder, 'data'), HSAPI_DRAIN_SECONDS: '0' }
  const dataset = join(folder, 'tariff')
  cpSync(FIXTURE, dataset, { recursive: true })
  const manifest = join(dataset, 'manifest.json')
  const before = readFileSync(manifest, 'utf8')
  const build = async (edition: string) => {
    writeFileSync(manifest, before.replace('Test 2022', edition))
    const { code, stdout, stderr } = await run(['build', '--dataset', dataset], env)
    t.equal(code, 0, stderr)
    return stdout
  }
  const list = async (): Promise<Listed[]> => JSON.parse((await run(['snapshots', 'list', '--json'], env)).stdout)
  const inUse = async () => (await list()).find(one => one.in_use) as Listed
  return { env, build, list, inUse, kept: () => readdirSync(join(env.HSAPI_DATA_DIR, 'snapshots')).sort() }
}

t.test('a build keeps the last three snapshots that it replaced', async t => {
  const { build, inUse, kept } = setUp(t)
  const ids: string[] = []
  for (const edition of ['one', 'two', 'three', 'four', 'five']) {
    await build(edition)
    ids.push((await inUse()).id)
  }
  t.equal(new Set(ids).size, 5)
  t.strictSame(
    kept(),
    ids
      .slice(1, 4)
      .map(id => `${id}.snapshot`)
      .sort(),
  )
})

t.test('a pinned snapshot is served until it is unpinned, even if others are built', async t => {
  const { env, build, list, inUse, kept } = setUp(t)
  await build('one')
  const { id } = await inUse()
  await build('two')
  const latest = (await inUse()).id
  t.not(latest, id)
  const used = await run(['snapshots', 'use', id.slice(0, 6)], env)
  t.match(used, { code: 0, stdout: `Snapshot ${id} is pinned: version 1.2.3.` })
  for (const edition of ['three', 'four', 'five', 'six'])
    t.match(await build(edition), `keep using snapshot ${id}, which is pinned`)
  t.match(await inUse(), { id, origin: 'pinned' })
  t.ok(kept().includes(`${id}.snapshot`), 'the pinned snapshot is not removed')
  t.ok((await list()).some(({ origin }) => origin === 'latest'))
  const served = await startServe(t, { ...env, HSAPI_ADMIN_PORT: '0' }, /admin port: (http:\S+)/)
  t.match(served.output(), new RegExp(`${id}\\.snapshot \\(pinned by "hsapi snapshots use"\\)`))
  const ready = await (await fetch(`${served.url}/ready`)).text()
  t.match(ready, new RegExp(`^snapshot: ${id}, version 1\\.2\\.3, in use since 20\\d\\d-\\d\\d-\\d\\dT[0-9:]{8}\\S*$`, 'm'))
  const metrics = await (await fetch(`${served.url}/metrics`)).text()
  t.match(metrics, /^hsapi_snapshot_since_timestamp_seconds 1\d{9}/m)
  t.match(await run(['snapshots', 'use', 'latest'], env), { code: 0, stdout: /^The snapshot is no longer pinned/ })
  t.match(await run(['reload'], env), { code: 0 })
  t.notMatch(await (await fetch(`${served.url}/ready`)).text(), id)
  t.match(await run(['snapshots', 'use', 'latest'], env), { code: 0, stdout: 'No snapshot was pinned.\n' })
})

t.test('the shipped snapshot can also be pinned', async t => {
  const { env, build, list, inUse } = setUp(t)
  await build('one')
  const shipped = (await list()).find(({ origin }) => origin === 'shipped')
  if (shipped === undefined) return t.fail('the shipped snapshot is listed')
  t.match(await run(['snapshots', 'use', shipped.id], env), { code: 0 })
  t.match(await inUse(), { id: shipped.id, origin: 'pinned' })
})

t.test('a snapshot that cannot be pinned is refused in one line', async t => {
  const { env, build } = setUp(t)
  await build('one')
  const use = (id: string, more = {}) => run(['snapshots', 'use', id], { ...env, ...more })
  t.match(await use('0000000000000000'), { code: 2, stderr: /^hsapi: no snapshot id starts with 0000000000000000; .*\n$/ })
  t.match(await use('../keys'), { code: 2, stderr: /^hsapi: "\.\.\/keys" is not a snapshot id; .*\n$/ })
  t.match(await use('1234', { HSAPI_SNAPSHOT: '/srv/x' }), { code: 2, stderr: /^hsapi: HSAPI_SNAPSHOT names \/srv\/x: .*\n$/ })
  t.match(await run(['snapshots'], env), { code: 2, stderr: /^hsapi: snapshots needs one of list, use; .*\n$/ })
  t.notOk(existsSync(join(env.HSAPI_DATA_DIR, 'snapshot-pinned')))
})

t.test('a damaged kept snapshot is listed with its problem and cannot be pinned', async t => {
  const { env, build, inUse, kept } = setUp(t)
  await build('one')
  const { id } = await inUse()
  await build('two')
  const [name = ''] = kept()
  writeFileSync(join(env.HSAPI_DATA_DIR, 'snapshots', name), 'damaged')
  const { stdout } = await run(['snapshots', 'list'], env)
  t.match(stdout, new RegExp(`^ {2}${id}  .*this is not an hsapi snapshot`, 'm'))
  t.match(await run(['snapshots', 'use', id], env), { code: 2, stderr: /this is not an hsapi snapshot/ })
})
