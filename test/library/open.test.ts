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
const OPENERS = { openCatalog, openPortable }

t.test('a catalog opens from a file', async t => {
  const file = join(temporaryDirectory(t), 'hs.snapshot')
  writeFileSync(file, bytes)
  const hs = await openCatalog({ snapshot: file })
  t.equal(hs.lookup('851713')?.description.en, 'Smartphones')
})

t.test('by default, a catalog opens the snapshot in HSAPI_SNAPSHOT, or else the shipped one', async t => {
  const folder = temporaryDirectory(t)
  const [inDataDirectory, named] = [join(folder, 'hsapi/hs.snapshot'), join(folder, 'named.snapshot')]
  mkdirSync(join(folder, 'hsapi'))
  for (const file of [inDataDirectory, named]) writeFileSync(file, bytes)
  const show = `import { openCatalog } from '${join(ROOT, 'dist/src/index.js')}'; console.log((await openCatalog()).source)`
  const sourceWith = (env: Record<string, string>) => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', show], { env, encoding: 'utf8' })
    return stdout.trim()
  }
  const shipped = join(ROOT, 'dist/hs.snapshot')
  t.equal(
    sourceWith({ XDG_STATE_HOME: folder, HSAPI_DATA_DIR: join(folder, 'hsapi') }),
    shipped,
    'the snapshot in the data directory is not used',
  )
  t.equal(sourceWith({ HSAPI_SNAPSHOT: '' }), shipped, 'an empty HSAPI_SNAPSHOT is treated as unset')
  t.equal(sourceWith({ HSAPI_SNAPSHOT: named }), named)
})

t.test('a catalog opens from bytes at any offset of a buffer', async t => {
  for (const [name, open] of Object.entries(OPENERS)) {
    for (const shift of [0, 1, 8]) {
      for (const buffer of [new ArrayBuffer(bytes.length + 8), new SharedArrayBuffer(bytes.length + 8)]) {
        const moved = new Uint8Array(buffer, shift, bytes.length)
        moved.set(bytes)
        const hs = await open({ snapshot: moved })
        t.equal(hs.lookup('851713')?.description.ar, 'هواتف ذكية', `${name} opens bytes at offset ${shift}`)
        t.equal(hs.search('smartphones').items[0]?.hs_code, '851713')
        t.equal(hs.suggest('smart')[0]?.text, 'smartphones')
      }
    }
  }
})

t.test('a missing or invalid snapshot is refused with its reason', async t => {
  const altered = Uint8Array.from(bytes)
  altered[altered.length - 1] = 0xff
  for (const open of Object.values(OPENERS)) {
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

t.test('a snapshot is refused if the platform cannot compute its checksum', async t => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor
  t.teardown(() => Object.defineProperty(globalThis, 'crypto', original))
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true })
  await t.rejects(openPortable({ snapshot: bytes }), { code: 'db_unavailable', message: /crypto\.subtle/ })
})

t.test('a closed catalog throws; its earlier answers and other catalogs still work', async t => {
  const [one, other] = [await openCatalog({ snapshot: bytes }), await openCatalog({ snapshot: bytes })]
  const phones = one.lookup('851713')
  one.close()
  one.close()
  for (const call of [
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
    t.throws(call, new CatalogError('db_unavailable', 'This catalog was closed.'))
  t.equal(phones?.description.en, 'Smartphones')
  t.equal(one.dataset.edition, other.dataset.edition)
  t.strictSame(other.lookup('851713'), phones)
})

t.test('several threads can open catalogs from the same shared bytes', async t => {
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
  t.strictSame(answers, [expected, expected], 'each thread gets the expected answers and ends after closing its catalog')
})
