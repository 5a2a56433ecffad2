/**
 * Packs the program and installs it in an empty folder, as a user would.
 * The run-time dependencies come from npm's cache, which `npm ci` has filled, so no network is needed unless the cache was
 * emptied since.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { ROOT } from '../support/cli.js'
import { isRelative, linksIn } from '../support/pages.js'
import { runProgram } from '../support/program.js'
import { temporaryDirectory } from '../support/service.js'

/** Everything that packing reads. It works on a copy, because packing rewrites dist/ while other tests use it. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'snapshot.d.ts',
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  'LICENSE',
  'src',
  'build',
  'dataset',
  'deploy',
  'docs',
  'scripts',
]

/** Limits for the download and the installation: enough for a new dataset or page, but not for a stray folder. */
const PACKED_BYTES_MAX = 21_500_000
const UNPACKED_BYTES_MAX = 59_000_000
const FILES_MAX = 1_350

const started = promisify(execFile)

/** Runs npm and its children as for a user, without the coverage that tap requests of every Node. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await started('env', ['-u', 'NODE_OPTIONS', 'npm', ...args], { cwd })
  return stdout
}

async function pack(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout')
  for (const source of SOURCES) cpSync(join(ROOT, source), join(checkout, source), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  await npm(checkout, 'pack', '--pack-destination', folder)
  const [archive] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  return join(folder, archive as string)
}

/** Uses the exact versions of our lock file, so that npm need not ask the registry. */
function lockRunTimeVersions(home: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const runTime = Object.entries<{ dev?: boolean }>(lock.packages).filter(([at, { dev }]) => at !== '' && !dev)
  const packages = { '': {}, ...Object.fromEntries(runTime) }
  writeFileSync(join(home, 'package.json'), '{}')
  writeFileSync(join(home, 'package-lock.json'), JSON.stringify({ lockfileVersion: lock.lockfileVersion, packages }))
}

/** The environment of a user with this home. */
const userOf = (home: string) => ({ PATH: process.env.PATH ?? '', HOME: home, HSAPI_PORT: '0' })

function runInstalled(home: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return started(join(home, 'node_modules/.bin/hsapi'), args, { cwd: home, env: userOf(home) })
}

async function hsapi(home: string, ...args: string[]): Promise<string> {
  return (await runInstalled(home, ...args)).stdout
}

async function serveAndAsk(t: Test, home: string): Promise<void> {
  const shipped = join(home, 'node_modules/hsapi/dist/hs.snapshot')
  const child = spawn(join(home, 'node_modules/.bin/hsapi'), ['serve'], { cwd: home, env: userOf(home) })
  const ended = new Promise<number | null>(done => child.on('close', done))
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const look = (data: Buffer) => {
      output += data
      const ready = /ready on (http:\S+)/.exec(output)
      if (ready !== null) resolve(ready[1] as string)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    ended.then(code => reject(new Error(`serve ended with ${code}: ${output}`)))
  })
  const key = /hs_free_\w+/.exec(output)?.[0] ?? ''
  const answer = await fetch(`${url}/api/v1/hs-codes/852321`, { headers: { 'x-api-key': key } })
  t.equal(answer.status, 200, 'it answers from the snapshot inside the package')
  t.match(await answer.json(), { data: { hs_code: '852321', level: 6 } })
  const page = await fetch(`${url}/`)
  t.match(await page.text(), '<!doctype html>', 'its pages are answered as well')
  t.ok(existsSync(join(home, '.local/state/hsapi/keys.json')), 'the key is in the state directory')
  t.notOk(existsSync(join(home, 'data')), 'there are no files in the working directory')
  t.match(output, `snapshot ${shipped} (shipped)`, 'it says which snapshot it serves')
  child.kill('SIGTERM')
  t.equal(await ended, 0, 'it stops on SIGTERM')
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** After this, the data directory holds a snapshot that commands and servers use. */
async function buildOwnTariff(t: Test, home: string): Promise<void> {
  const shipped = join(home, 'node_modules/hsapi/dist/hs.snapshot')
  const before = digestOf(shipped)
  const own = join(home, '.local/state/hsapi/hs.snapshot')
  t.match(await hsapi(home, 'build', '--dataset', 'my-tariff'), /^\.local\/state\/hsapi\/hs\.snapshot: \d/m)
  t.equal(digestOf(shipped), before, 'the shipped snapshot is left alone')
  const found = await runInstalled(home, 'lookup', '010121')
  t.match(found.stdout, /Horses/, 'commands answer from the new one')
  t.equal(
    found.stderr,
    `hsapi: snapshot ${own} (from the data directory, instead of the shipped one)\n`,
    'they name the snapshot',
  )

  const ask = "import { openCatalog } from 'hsapi'; const hs = await openCatalog(); console.log(hs.source)"
  const { stdout } = await started(process.execPath, ['--input-type=module', '-e', ask], {
    cwd: home,
    env: userOf(home),
  })
  t.equal(stdout, `${shipped}\n`, 'the library stays with the shipped snapshot: other programs of this user rely on it')

  const build = (out: string, ...flags: string[]) => hsapi(home, 'build', '--dataset', 'my-tariff', '--out', out, ...flags)
  await t.rejects(build(shipped, '--force'), { code: 2, stderr: /is the shipped snapshot/ })
  t.equal(digestOf(shipped), before)
  const beside = join(home, 'node_modules/hsapi/my.snapshot')
  await t.rejects(build(beside), { code: 2, stderr: /inside the installed package.*--force/ })
  t.notOk(existsSync(beside))
  await build(beside, '--force')
  t.equal(digestOf(beside), digestOf(own), 'with --force it is overwritten')
}

/** A user's program, compiled with the package's types only: without those of Node or a browser. */
const PROGRAM = `import { CatalogError, type HsRecord, openCatalog } from 'hsapi'

const hs = await openCatalog()
const tea: HsRecord | null = hs.lookup('0902')
const found: readonly string[] = hs.search('saffron', { limit: 5 }).items.map(item => item.hs_code)
let code: CatalogError['code'] | undefined
try {
  hs.lookup('9.2')
} catch (error) {
  if (error instanceof CatalogError) code = error.code
}
export const answer = [tea?.description.en, found[0], code, hs.lookup('0999')]
`

/** A CommonJS program, as in docs/library.md. */
const COMMONJS = `${/^```ts\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, 'docs/library.md'), 'utf8'))?.[1]}
export const answer = find('0902').then(tea => tea?.hs_code)
`

const STATIC = `import { openCatalog } from 'hsapi'
export const catalog = openCatalog()
`

const NAMED = `import snapshot from 'hsapi/snapshot'
import { openCatalog } from 'hsapi'
export const file: string = snapshot
export const catalog = openCatalog({ snapshot })
`

/** The client with typed answers: the compiler must report unknown fields. */
const CLIENT = `import { type CountryEstimate, HsapiClient, type LeftOut, type Resolved, type ShipmentItem } from 'hsapi/client'

const hs = new HsapiClient({ url: 'http://127.0.0.1:1', key: 'k' })
export async function costOf(item: ShipmentItem): Promise<string | undefined> {
  const estimate: CountryEstimate = await hs.tariff(item.hs_code, item.value, { country: 'SA', include: ['exact'] })
  const missing: LeftOut[] = estimate.not_included.filter(({ code }) => code === 'excise_needs_quantity')
  return missing.length > 0 ? undefined : estimate.exact?.landed_cost
}
export const statusOf = async (code: string): Promise<Resolved['status'] | undefined> => (await hs.resolve([code]))[0]?.status
// @ts-expect-error no such code
export const isMissing = (one: LeftOut): boolean => one.code === 'excise'
export const unitOf = async (code: string) => (await hs.lookup(code, { include: ['unit'] })).unit?.name.ar.length
// @ts-expect-error not asked for
export const pathOf = async (code: string) => (await hs.lookup(code, { include: ['unit'] })).path
`

const RESOLUTIONS = { node16: 'node16', node18: 'node16', nodenext: 'nodenext', esnext: 'bundler' } as const

/** The compiler's output for a program, with one of its module resolutions. */
async function compile(home: string, file: string, module: keyof typeof RESOLUTIONS): Promise<string> {
  const config = `tsconfig.${file}.${module}.json`
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    lib: file === 'client.mts' ? ['es2022', 'dom'] : ['es2022'],
    target: 'es2022',
  }
  const compilerOptions = { ...options, module, moduleResolution: RESOLUTIONS[module] }
  writeFileSync(join(home, config), JSON.stringify({ compilerOptions, files: [file] }))
  const { output } = await runProgram(join(ROOT, 'node_modules/.bin/tsc'), ['-p', join(home, config)])
  return output
}

async function useAsLibrary(t: Test, home: string): Promise<void> {
  const programs = {
    'program.mts': PROGRAM,
    'common.cts': COMMONJS,
    'static.cts': STATIC,
    'named.mts': NAMED,
    'client.mts': CLIENT,
  }
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(home, name), text)
  for (const module of ['node16', 'nodenext', 'esnext'] as const) {
    t.equal(await compile(home, 'program.mts', module), '', `its types are complete: ${module}`)
    t.equal(await compile(home, 'client.mts', module), '', `and those of the client: ${module}`)
    t.equal(await compile(home, 'named.mts', module), '', `so is the type of the snapshot's path: ${module}`)
  }
  for (const module of ['node16', 'node18', 'nodenext'] as const)
    t.equal(await compile(home, 'common.cts', module), '', `CommonJS can use a dynamic import: ${module}`)
  t.match(
    await compile(home, 'static.cts', 'node16'),
    /TS1479: .* writing a dynamic 'import\("hsapi"\)' call/,
    'the error names the reason',
  )
  const show = "import { answer } from './program.mjs'; console.log(JSON.stringify(answer))"
  const { stdout } = await started(process.execPath, ['--input-type=module', '-e', show], { cwd: home })
  t.strictSame(JSON.parse(stdout), ['Tea, green or black, plain or flavoured', '091020', 'invalid_code', null])
  const common = await started(process.execPath, ['-e', "require('./common.cjs').answer.then(console.log)"], { cwd: home })
  t.equal(common.stdout, '0902\n')
}

/** A program that imports the shipped snapshot and is bundled: the bundler copies the file next to its output. */
const BUNDLED = `import snapshot from 'hsapi/snapshot'
import { openCatalog } from 'hsapi'
openCatalog({ snapshot }).then(hs => console.log(hs.lookup('0902').level))
`

async function findSnapshot(t: Test, home: string): Promise<void> {
  const shipped = join(home, 'node_modules/hsapi/dist/hs.snapshot')
  const show = `import { createRequire } from 'node:module'
    const { resolve } = createRequire(import.meta.url)
    console.log(JSON.stringify([import.meta.resolve('hsapi/snapshot'), resolve('hsapi/snapshot')]))`
  writeFileSync(join(home, 'find.mjs'), show)
  const found = await started(process.execPath, ['find.mjs'], { cwd: home })
  t.strictSame(JSON.parse(found.stdout), [pathToFileURL(shipped).href, shipped])

  const outdir = join(home, 'bundled')
  await build({
    stdin: { contents: BUNDLED, resolveDir: home, sourcefile: 'program.js' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    loader: { '.snapshot': 'file' },
    outdir,
    outExtension: { '.js': '.mjs' },
    logLevel: 'silent',
  })
  const { stdout } = await started(process.execPath, ['stdin.mjs'], { cwd: outdir, env: userOf(outdir) })
  t.equal(stdout, '4\n', 'a bundle has it, too')
}

/** Every file of a folder, by its relative path. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true }) as string[]
  return all.filter(name => statSync(join(folder, name)).isFile())
}

t.test('the packed program installs into an empty folder and serves', async t => {
  const folder = temporaryDirectory(t)
  const archive = await pack(folder)
  const home = join(folder, 'home')
  mkdirSync(home)
  lockRunTimeVersions(home)
  // the program must not depend on an install script
  await npm(home, 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', archive)
  const modules = join(home, 'node_modules')
  const installed = join(modules, 'hsapi')

  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) t.ok(existsSync(join(modules, name)), `${name} is there`)
  for (const name of Object.keys(devDependencies)) t.notOk(existsSync(join(modules, name)), `${name} is not`)

  await t.test('it contains what it needs and no more', async t => {
    const files = filesIn(installed)
    const packed = statSync(archive).size
    const unpacked = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
    t.comment(`${packed} bytes packed, ${unpacked} unpacked, ${files.length} files`)
    t.ok(packed <= PACKED_BYTES_MAX, `${packed} bytes packed`)
    t.ok(unpacked <= UNPACKED_BYTES_MAX, `${unpacked} bytes unpacked`)
    t.ok(files.length <= FILES_MAX, `${files.length} files`)
    const [, ...shown] =
      /builds a (\d+) MB archive \((\d+) MB unpacked\)/.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? []
    const megabytes = [packed, unpacked].map(bytes => bytes / 1e6)
    t.ok(
      megabytes.every((size, i) => Math.abs(size - Number(shown[i])) <= 1),
      `the README says ${shown.join(' and ')} MB; measured: ${megabytes.join(' and ')}`,
    )
    t.strictSame(
      readdirSync(installed).sort(),
      [
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'README.ar.md',
        'README.md',
        'RELEASING.md',
        'SECURITY.md',
        'SKILL.md',
        'dataset',
        'deploy',
        'dist',
        'docs',
        'package.json',
        'snapshot.d.ts',
      ],
      'files that only a checkout needs are not packed',
    )
    t.strictSame(
      readdirSync(join(installed, 'dataset')),
      ['CHANGES.md', 'LICENSE.md', 'README.md', 'query-words.csv', 'word-forms.csv'],
      'goods are in the snapshot',
    )
    t.strictSame(readdirSync(join(installed, 'deploy')), ['fetch-uws.mjs'])
    t.strictSame(readdirSync(join(installed, 'dist')).sort(), ['build', 'hs.snapshot', 'sbom.cdx.json', 'src', 'web'])
    const client = readdirSync(join(ROOT, 'src/client')).map(name => `client/${name.replace(/\.ts$/, '.d.ts')}`)
    const types = ['answers/shapes.d.ts', 'contract/types.d.ts', 'library/catalog-error.d.ts', 'library/values.d.ts']
    const declared = ['index.d.ts', ...types, ...client]
    t.strictSame(
      files.filter(name => name.endsWith('.d.ts')).sort(),
      [...declared.map(name => `dist/src/${name}`), 'snapshot.d.ts'].sort(),
      'declarations of exported modules, and no others',
    )
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      t.notOk(Object.hasOwn(scripts, name), `no script ${name}`)
  })

  await t.test('everything that package.json exports is there', async t => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const targets: string[] = Object.values<string | Record<string, string>>(exports).flatMap(target =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    t.ok(targets.length > 5)
    for (const target of targets) t.ok(existsSync(join(installed, target)), target)
  })

  await t.test('links of its pages lead to files in the package', async t => {
    const pages = filesIn(installed).filter(name => /^(README(\.ar)?|docs\/[^/]+)\.md$/.test(name))
    let followed = 0
    for (const page of pages)
      for (const target of linksIn(readFileSync(join(installed, page), 'utf8')).filter(isRelative)) {
        const [path = ''] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        // pages may describe files that exist only in a checkout
        if (page.startsWith('docs/') && /^(bench|deploy|proof)(\/|$)/.test(file)) continue
        followed++
        t.ok(existsSync(join(installed, file)), `${page}: ${target}`)
      }
    t.ok(followed > 200, `${followed} links`)
  })

  await t.test('its commands work', async t => {
    t.match(await hsapi(home), /^hsapi: .*Usage: hsapi COMMAND.*serve .*engine /s, 'without arguments it lists the commands')
    t.match(await hsapi(home), join(home, '.local/state/hsapi'), 'and says where keys will be')
    t.match(await hsapi(home, 'engine'), /^engine +(uWebSockets\.js 20|node:http)/)
    t.match(await hsapi(home, 'lookup', '0902'), /^0902\nTea/)
    await t.rejects(hsapi(home, 'build'), { code: 2, stderr: /^hsapi: --dataset is missing: / })
  })

  await t.test('it serves', t => serveAndAsk(t, home))
  await t.test('it works as a library', t => useAsLibrary(t, home))
  await t.test('its snapshot can be found by name', t => findSnapshot(t, home))

  await t.test('it compiles another tariff', async t => {
    writeFileSync(join(home, 'tariff.csv'), 'HS,English,Arabic,Duty\n010121,Horses,خيول,5\n')
    const map = ['--map', 'code=HS,en=English,ar=Arabic,rate=Duty']
    await hsapi(home, 'import', 'tariff.csv', '--layout', 'generic', '--out', 'my-tariff', ...map)
    t.match(
      readFileSync(join(home, 'my-tariff/chapters/01.csv'), 'utf8'),
      /^01,"?Live animals /m,
      'import finds the titles in the shipped snapshot',
    )
    t.match(await hsapi(home, 'build', '--dataset', 'my-tariff', '--out', 'my.snapshot'), /^my\.snapshot: \d/m)
    t.match(await hsapi(home, 'lookup', '010121', '--snapshot', 'my.snapshot'), /Horses/)
    await buildOwnTariff(t, home)
  })
})
