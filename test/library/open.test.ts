import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { CatalogError, openCatalog } from '../../src/index.js'
import { openCatalog as openPortable } from '../../src/library/portable.js'
import { ROOT } from '../support/cli.js'
import { compiledFixture, temporaryDirectory } from '../support/service.js'

const bytes = await compiledFixture()
const WAYS = { openCatalog, openPortable }

t.test('a catalog opens from a file', async t => {
  const file = join(temporaryDirectory(t), 'hs.snapshot')
  writeFileSync(file, bytes)
  const hs = await openCatalog({ snapshot: file })
  t.equal(hs.lookup('851713')?.description.en, 'Smartphones')
})

t.test('by default a catalog is the shipped snapshot, or the one that HSAPI_SNAPSHOT names', async t => {
  const folder = temporaryDirectory(t)
  const [left, named] = [join(folder, 'hsapi/hs.snapshot'), join(folder, 'named.snapshot')]
  mkdirSync(join(folder, 'hsapi'))
  for (const file of [left, named]) writeFileSync(file, bytes)
  const show = `import { openCatalog } from '${join(ROOT, 'dist/src/index.js')}'; console.log((await openCatalog()).source)`
  const sourceWith = (env: Record<string, string>) => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', show], { env, encoding: 'utf8' })
    return stdout.trim()
  }
  const shipped = join(ROOT, 'dist/hs.snapshot')
  t.equal(
    sourceWith({ XDG_STATE_HOME: folder, HSAPI_DATA_DIR: join(folder, 'hsapi') }),
    shipped,
    'it does not use the snapshot of another program',
  )
  t.equal(sourceWith({ HSAPI_SNAPSHOT: '' }), shipped, 'an empty HSAPI_SNAPSHOT is treated as unset')
  t.equal(sourceWith({ HSAPI_SNAPSHOT: named }), named)
})

t.test('a catalog opens from bytes at any offset in memory', async t => {
  for (const [name, open] of Object.entries(WAYS)) {
    for (const shift of [0, 1, 8]) {
      for (const buffer of [new ArrayBuffer(bytes.length + 8), new SharedArrayBuffer(bytes.length + 8)]) {
        const moved = new Uint8Array(buffer, shift, bytes.length)
        moved.set(bytes)
        const hs = await open({ snapshot: moved })
        t.equal(hs.lookup('851713')?.description.ar, 'هواتف ذكية', name)
        t.equal(hs.search('smartphones').items[0]?.hs_code, '851713')
        t.equal(hs.suggest('smart')[0]?.text, 'smartphones')
      }
    }
  }
})

t.test('a snapshot that is missing or invalid is reported in one sentence', async t => {
  const altered = Uint8Array.from(bytes)
  altered[altered.length - 1] = 0xff
  for (const open of Object.values(WAYS)) {
    await t.rejects(open({ snapshot: altered }), {
      code: 'db_unavailable',
      message: /^the snapshot passed as bytes: the snapshot was altered: its checksum/,
    })
    await t.rejects(open({ snapshot: bytes.subarray(0, 1000) }), { message: /truncated/ })
    await t.rejects(open({ snapshot: new Uint8Array(3) }), { message: /not an hsapi snapshot/ })
    for (const snapshot of [null, 5, [1]])
      await t.rejects(open({ snapshot } as never), {
        code: 'invalid_parameter',
        details: { parameter: 'snapshot' },
      })
    await t.rejects(open('hs.snapshot' as never), { code: 'invalid_parameter' })
  }
  await t.rejects(openCatalog({ snapshot: '/nowhere/hs.snapshot' }), {
    code: 'db_unavailable',
    message: /^\/nowhere\/hs\.snapshot: there is no snapshot/,
  })
  await t.rejects(openPortable({ snapshot: 'hs.snapshot' }), { message: /cannot read files/ })
  await t.rejects(openPortable(), { code: 'invalid_parameter' })
})

t.test('without a way to check the checksum, the snapshot is refused', async t => {
  const given = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor
  t.teardown(() => Object.defineProperty(globalThis, 'crypto', given))
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true })
  await t.rejects(openPortable({ snapshot: bytes }), { code: 'db_unavailable', message: /crypto\.subtle/ })
})

t.test('a closed catalog no longer answers; values that it gave stay, and so do other catalogs', async t => {
  const [one, other] = [await openCatalog({ snapshot: bytes }), await openCatalog({ snapshot: bytes })]
  const phones = one.lookup('851713')
  one.close()
  one.close()
  for (const ask of [
    () => one.lookup('85'),
    () => one.search('phones'),
    () => one.suggest('ph'),
    () => one.children('85'),
    () => one.lines('85'),
    () => one.path('85'),
    () => one.resolve('85'),
    () => one.editions('2017', '851712'),
    () => one.earlier('85'),
    () => one.rate('85'),
    () => one.tariff('85', 1),
  ])
    t.throws(ask, new CatalogError('db_unavailable', 'This catalog was closed.'))
  t.equal(phones?.description.en, 'Smartphones')
  t.equal(one.dataset.edition, other.dataset.edition)
  t.strictSame(other.lookup('851713'), phones)
})

t.test('threads open catalogs of their own, from shared bytes', async t => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  const program = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(workerData.library).then(async ({ openCatalog }) => {
      const hs = await openCatalog({ snapshot: workerData.shared })
      parentPort.postMessage([hs.lookup('851713'), hs.search('smartphones').total])
      hs.close()
    })`
  const workerData = { shared, library: join(ROOT, 'dist/src/index.js') }
  const answers = await Promise.all(
    [1, 2].map(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(program, { eval: true, workerData })
          let answer: unknown
          worker.once('message', message => {
            answer = message
          })
          worker.once('error', reject)
          worker.once('exit', code => resolve([code, answer]))
        }),
    ),
  )
  const hs = await openCatalog({ snapshot: bytes })
  const expected = [0, [hs.lookup('851713'), hs.search('smartphones').total]]
  t.strictSame(answers, [expected, expected], 'each catalog can be closed separately')
})
