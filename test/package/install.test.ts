/**
 * Packs the program and installs it in an empty folder, as a user would. The dependencies come from npm's cache, which `npm ci`
 * has filled, so no network is needed.
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

/** Everything that packing reads. It is copied first, because packing writes to dist/, which other tests use. */
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

/** Limits for the download and the installation. They allow a new dataset or page, but not a folder packed by mistake. */
const PACKED_BYTES_MAX = 22_000_000
const UNPACKED_BYTES_MAX = 62_000_000
const FILES_MAX = 1_350

const execute = promisify(execFile)

/** Runs npm without the settings of tap, which would measure the coverage of every Node process. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('env', ['-u', 'NODE_OPTIONS', 'npm', ...args], { cwd })
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

/** Writes a lock file with the exact versions of the project's, so that npm does not need the registry. */
function lockRunTimeVersions(home: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const runTime = Object.entries<{ dev?: boolean }>(lock.packages).filter(([at, { dev }]) => at !== '' && !dev)
  const packages = { '': {}, ...Object.fromEntries(runTime) }
  writeFileSync(join(home, 'package.json'), '{}')
  writeFileSync(join(home, 'package-lock.json'), JSON.stringify({ lockfileVersion: lock.lockfileVersion, packages }))
}

/** Returns the environment of a user with this home directory. */
const userOf = (home: string) => ({ PATH: process.env.PATH ?? '', HOME: home, HSAPI_PORT: '0' })

function runInstalled(home: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return execute(join(home, 'node_modules/.bin/hsapi'), args, { cwd: home, env: userOf(home) })
}

async function hsapi(home: string, ...args: string[]): Promise<string> {
  return (await runInstalled(home, ...args)).stdout
}

async function serveAndRequest(t: Test, home: string): Promise<void> {
  const shipped = join(home, 'node_modules/hsapi/dist/hs.snapshot')
  const child = spawn(join(home, 'node_modules/.bin/hsapi'), ['serve'], { cwd: home, env: userOf(home) })
  const ended = new Promise<number | null>(done => child.on('close', done))
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const onOutput = (data: Buffer) => {
      output += data
      const ready = /ready on (http:\S+)/.exec(output)
      if (ready !== null) resolve(ready[1] as string)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    ended.then(code => reject(new Error(`serve ended with ${code}: ${output}`)))
  })
  const key = /hs_free_\w+/.exec(output)?.[0] ?? ''
  const answer = await fetch(`${url}/api/v1/hs-codes/852321`, { headers: { 'x-api-key': key } })
  t.equal(answer.status, 200, 'the server answers from the snapshot in the package')
  t.match(await answer.json(), { data: { hs_code: '852321', level: 6 } })
  const page = await fetch(`${url}/`)
  t.match(await page.text(), '<!doctype html>', 'the server serves the explorer')
  t.ok(existsSync(join(home, '.local/state/hsapi/keys.json')), 'keys are stored in the state directory')
  t.notOk(existsSync(join(home, 'data')), 'nothing is stored in the working directory')
  t.match(output, `snapshot ${shipped} (shipped)`, 'the server logs which snapshot it serves')
  child.kill('SIGTERM')
  t.equal(await ended, 0, 'the server ends with code 0 on SIGTERM')
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Builds a snapshot of another dataset in the data directory, and tests which programs use it. */
async function buildOwnTariff(t: Test, home: string): Promise<void> {
  const shipped = join(home, 'node_modules/hsapi/dist/hs.snapshot')
  const before = digestOf(shipped)
  const built = join(home, '.local/state/hsapi/hs.snapshot')
  t.match(await hsapi(home, 'build', '--dataset', 'my-tariff'), /^\.local\/state\/hsapi\/hs\.snapshot: \d/m)
  t.equal(digestOf(shipped), before, 'the shipped snapshot is not changed')
  const found = await runInstalled(home, 'lookup', '010121')
  t.match(found.stdout, /Horses/, 'commands use the new snapshot')
  t.equal(
    found.stderr,
    `hsapi: snapshot ${built} (from the data directory, instead of the shipped one)\n`,
    'commands log which snapshot they use',
  )

  const program = "import { openCatalog } from 'hsapi'; const hs = await openCatalog(); console.log(hs.source)"
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', program], {
    cwd: home,
    env: userOf(home),
  })
  t.equal(stdout, `${shipped}\n`, 'the library still uses the shipped snapshot')

  const build = (out: string, ...flags: string[]) => hsapi(home, 'build', '--dataset', 'my-tariff', '--out', out, ...flags)
  await t.rejects(build(shipped, '--force'), { code: 2, stderr: /is the shipped snapshot/ })
  t.equal(digestOf(shipped), before)
  const inPackage = join(home, 'node_modules/hsapi/my.snapshot')
  await t.rejects(build(inPackage), { code: 2, stderr: /inside the installed package.*--force/ })
  t.notOk(existsSync(inPackage))
  await build(inPackage, '--force')
  t.equal(digestOf(inPackage), digestOf(built), 'with --force, a snapshot can be built inside the package')
}

/** A user's program. It is compiled with the types of the package, without those of Node or a browser. */
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

/** A program that uses the client. The compiler must report unknown codes and fields. */
const CLIENT = `import { type CountryEstimate, HsapiClient, type LeftOut, type Resolved, type ShipmentItem } from 'hsapi/client'

const hs = new HsapiClient({ url: 'http://127.0.0.1:1', key: 'k' })
export async function costOf(item: ShipmentItem): Promise<string | undefined> {
  const estimate: CountryEstimate = await hs.tariff(item.hs_code, item.value, { country: 'SA', include: ['exact'] })
  const missing: LeftOut[] = estimate.not_included.filter(({ code }) => code === 'excise_needs_quantity')
  return missing.length > 0 ? undefined : estimate.exact?.landed_cost
}
export const statusOf = async (code: string): Promise<Resolved['status'] | undefined> => (await hs.resolve([code]))[0]?.status
// @ts-expect-error: there is no such code
export const isMissing = (one: LeftOut): boolean => one.code === 'excise'
export const unitOf = async (code: string) => (await hs.lookup(code, { include: ['unit'] })).unit?.name.ar.length
// @ts-expect-error: include does not request the path
export const pathOf = async (code: string) => (await hs.lookup(code, { include: ['unit'] })).path
`

const RESOLUTIONS = { node16: 'node16', node18: 'node16', nodenext: 'nodenext', esnext: 'bundler' } as const

/** Compiles a program with one of the module resolutions. Returns the output of the compiler. */
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
    t.equal(await compile(home, 'program.mts', module), '', `the types of the library are complete with ${module}`)
    t.equal(await compile(home, 'client.mts', module), '', `the types of the client are complete with ${module}`)
    t.equal(await compile(home, 'named.mts', module), '', `the type of hsapi/snapshot is complete with ${module}`)
  }
  for (const module of ['node16', 'node18', 'nodenext'] as const)
    t.equal(await compile(home, 'common.cts', module), '', `CommonJS can import the library dynamically with ${module}`)
  t.match(
    await compile(home, 'static.cts', 'node16'),
    /TS1479: .* writing a dynamic 'import\("hsapi"\)' call/,
    'the compiler suggests a dynamic import in CommonJS',
  )
  const show = "import { answer } from './program.mjs'; console.log(JSON.stringify(answer))"
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', show], { cwd: home })
  t.strictSame(JSON.parse(stdout), [
    'Tea, green or black, plain or flavoured, other than instant tea and tea extracts of 2101',
    '091020',
    'invalid_code',
    null,
  ])
  const common = await execute(process.execPath, ['-e', "require('./common.cjs').answer.then(console.log)"], { cwd: home })
  t.equal(common.stdout, '0902\n')
}

/** A program that imports the shipped snapshot. When it is bundled, the bundler copies the file next to its output. */
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
  const found = await execute(process.execPath, ['find.mjs'], { cwd: home })
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
  const { stdout } = await execute(process.execPath, ['stdin.mjs'], { cwd: outdir, env: userOf(outdir) })
  t.equal(stdout, '4\n', 'a bundle can open the imported snapshot')
}

/** Returns the relative paths of all files in a folder. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true }) as string[]
  return all.filter(name => statSync(join(folder, name)).isFile())
}

t.test('the packed program can be installed in an empty folder and used', async t => {
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
  for (const name of Object.keys(dependencies)) t.ok(existsSync(join(modules, name)), `${name} is installed`)
  for (const name of Object.keys(devDependencies)) t.notOk(existsSync(join(modules, name)), `${name} is not installed`)

  await t.test('the package contains exactly the files that a user needs', async t => {
    const files = filesIn(installed)
    const packed = statSync(archive).size
    const unpacked = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0)
    t.comment(`${packed} bytes packed, ${unpacked} unpacked, ${files.length} files`)
    t.ok(packed <= PACKED_BYTES_MAX, `the archive has ${packed} bytes`)
    t.ok(unpacked <= UNPACKED_BYTES_MAX, `the installed package has ${unpacked} bytes`)
    t.ok(files.length <= FILES_MAX, `the installed package has ${files.length} files`)
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
      'the tables of goods are not packed, because the snapshot contains them',
    )
    t.strictSame(readdirSync(join(installed, 'deploy')), ['fetch-uws.mjs'])
    t.strictSame(readdirSync(join(installed, 'dist')).sort(), ['build', 'hs.snapshot', 'sbom.cdx.json', 'src', 'web'])
    const client = readdirSync(join(ROOT, 'src/client')).map(name => `client/${name.replace(/\.ts$/, '.d.ts')}`)
    const types = ['answers/shapes.d.ts', 'contract/types.d.ts', 'library/catalog-error.d.ts', 'library/values.d.ts']
    const declared = ['index.d.ts', ...types, ...client]
    t.strictSame(
      files.filter(name => name.endsWith('.d.ts')).sort(),
      [...declared.map(name => `dist/src/${name}`), 'snapshot.d.ts'].sort(),
      'only exported modules have type declarations',
    )
    const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      t.notOk(Object.hasOwn(scripts, name), `the package has no script ${name}`)
  })

  await t.test('every file that package.json exports exists', async t => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const targets: string[] = Object.values<string | Record<string, string>>(exports).flatMap(target =>
      typeof target === 'string' ? [target] : Object.values(target),
    )
    t.ok(targets.length > 5)
    for (const target of targets) t.ok(existsSync(join(installed, target)), `${target} exists`)
  })

  await t.test('links in the pages of the package lead to files in the package', async t => {
    const pages = filesIn(installed).filter(name => /^(README(\.ar)?|docs\/[^/]+)\.md$/.test(name))
    let followed = 0
    for (const page of pages)
      for (const target of linksIn(readFileSync(join(installed, page), 'utf8')).filter(isRelative)) {
        const [path = ''] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        // pages may describe files that exist only in a checkout
        if (page.startsWith('docs/') && /^(bench|deploy|proof)(\/|$)/.test(file)) continue
        followed++
        t.ok(existsSync(join(installed, file)), `the file that ${page} links as ${target} exists`)
      }
    t.ok(followed > 200, `there are ${followed} links`)
  })

  await t.test('the installed commands work', async t => {
    t.match(await hsapi(home), /^hsapi: .*Usage: hsapi COMMAND.*serve .*engine /s, 'without arguments, hsapi lists the commands')
    t.match(await hsapi(home), join(home, '.local/state/hsapi'), 'without arguments, hsapi names the data directory')
    t.match(await hsapi(home, 'engine'), /^engine +(uWebSockets\.js 20|node:http)/)
    t.match(await hsapi(home, 'lookup', '0902'), /^0902\nTea/)
    await t.rejects(hsapi(home, 'build'), { code: 2, stderr: /^hsapi: --dataset is missing: / })
  })

  await t.test('the installed server works', t => serveAndRequest(t, home))
  await t.test('the installed library works', t => useAsLibrary(t, home))
  await t.test('hsapi/snapshot leads to the shipped snapshot', t => findSnapshot(t, home))

  await t.test('the installed program can import and build another tariff', async t => {
    writeFileSync(join(home, 'tariff.csv'), 'HS,English,Arabic,Duty\n010121,Horses,خيول,5\n')
    const map = ['--map', 'code=HS,en=English,ar=Arabic,rate=Duty']
    await hsapi(home, 'import', 'tariff.csv', '--layout', 'generic', '--out', 'my-tariff', ...map)
    t.match(
      readFileSync(join(home, 'my-tariff/chapters/01.csv'), 'utf8'),
      /^01,"?Live animals /m,
      'the import takes missing chapter titles from the shipped snapshot',
    )
    t.match(await hsapi(home, 'build', '--dataset', 'my-tariff', '--out', 'my.snapshot'), /^my\.snapshot: \d/m)
    t.match(await hsapi(home, 'lookup', '010121', '--snapshot', 'my.snapshot'), /Horses/)
    await buildOwnTariff(t, home)
  })
})
