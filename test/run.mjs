/**
 * Runs the tests. `npm test` runs all except the long ones; `--long` runs those instead, `--runtime` those that depend on the
 * version of Node. `node test/run.mjs FILE...` or `FOLDER...` runs only these. `--verbose` also prints passing tests.
 *
 * tap's own runner cannot be used, for two reasons. It compiles tests with the JavaScript API of TypeScript, which TypeScript 7
 * does not have; so program, dataset and tests are compiled first, and plain JavaScript runs. And it starts a process for each
 * file; here one process runs several, because loading tap and the program takes longer than most tests.
 *
 * Failures of named files show lines of the source, failures of whole runs lines of the compiled test: looking up the source
 * lines would slow the run by a tenth.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compiledName, compileTests } from './compile.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Tests that take many seconds each, or need tools that Node does not include: a browser, load tools, an installed package, a
 * Redis over midnight.
 */
const LONG = [
  'test/bench',
  ...['import-faults', 'import-xlsx'].map(name => `test/build/importers/${name}.test.ts`),
  'test/commands/keys.test.ts',
  'test/docs/commands.test.ts',
  'test/files/file-lock.test.ts',
  'test/http/unread.test.ts',
  'test/library/browser.test.ts',
  'test/mcp/inspector.test.ts',
  'test/package/install.test.ts',
  ...['places', 'reload', 'reload-memory', 'restart', 'stop', 'unlimited'].map(name => `test/process/${name}.test.ts`),
  'test/proof',
  'test/recipes',
  'test/redis',
  ...[
    'admin',
    'app',
    'calculator',
    'coming-back',
    'currency',
    'doc-views',
    'docs',
    'embed',
    'find-keys',
    'hydration',
    'keep',
    'key-link',
    'looks',
    'neighbours',
    'notes',
    'quota',
    'quote',
    'rate-ranges',
    'record',
    'rendered-pages',
    'search',
    'shipment-kept',
    'shipment-page',
    'shipment-quota',
    'states',
    'typed-codes',
    'why',
  ].map(name => `test/web/${name}.test.ts`),
]

/**
 * Sockets, files, threads and engines, which may differ between versions of Node. The rest is plain computation, tested on one
 * version.
 */
const RUNTIME = [
  'test/commands/export.test.ts',
  'test/files',
  'test/library/answers.test.ts',
  'test/library/open.test.ts',
  'test/redis/connection.test.ts',
  'test/engines',
  ...['bodies', 'closing', 'faults', 'health', 'keys', 'limits', 'lookup'].map(name => `test/http/${name}.test.ts`),
  ...['admin', 'broken', 'follow-keys', 'reload', 'restart', 'save-usage', 'serve', 'workers'].map(
    name => `test/process/${name}.test.ts`,
  ),
]

/**
 * These tests run tools or packages around the program, or servers and commands whose lines other tests cover. They alone cover
 * only 0.2 % of the lines, and measuring slows each process.
 */
const UNMEASURED = [
  ...['bench', 'dataset', 'deploy', 'package', 'proof', 'recipes'].map(name => `test/${name}`),
  ...['enrich', 'export', 'lookup', 'progress'].map(name => `test/commands/${name}.test.ts`),
  ...['broken', 'serve', 'trust-proxy', 'workers'].map(name => `test/process/${name}.test.ts`),
]

/** One process per file would spend most of its time loading tap and the program; a single process would leave a core idle. */
const FILES_A_PROCESS = 16
/** Long tests that share a browser; other long tests run alone. */
const PAGES_A_PROCESS = 3
/** More than cores, because many tests wait. */
const JOBS = 3
/** A limit against hanging. */
const TIMEOUT_SECONDS = 900
/** Lines shown of a process that ended without a failed test. */
const LAST_LINES = 40

/** Node passes it on to every child, even to one whose environment lacks it, unless it is deleted here. */
const coverage = process.env.NODE_V8_COVERAGE
delete process.env.NODE_V8_COVERAGE
const measuredEnv = { ...process.env, NODE_V8_COVERAGE: coverage }

const isBelow = (file, paths) => paths.some(path => file === path || file.startsWith(`${path}/`))
const isMeasured = file => !isBelow(file, UNMEASURED)

function testFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join('test', name))
    .sort()
}

function filesAProcess(file) {
  if (!isBelow(file, LONG)) return FILES_A_PROCESS
  return isBelow(file, ['test/web']) ? PAGES_A_PROCESS : 1
}

/**
 * Groups of files, measured or not, that run in one process, one after another. A small number of files is spread over all lanes.
 */
function groupsOf(files) {
  const kinds = new Map()
  for (const file of files) {
    const kind = `${filesAProcess(file)} ${isMeasured(file)}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), file])
  }
  const groups = [...kinds.values()].flatMap(alike => {
    const size = Math.min(filesAProcess(alike[0]), Math.ceil(alike.length / JOBS))
    return Array.from({ length: Math.ceil(alike.length / size) }, (_, i) => alike.slice(i * size, (i + 1) * size))
  })
  // large groups first, so that no lane waits long for another at the end
  return groups.sort((a, b) => b.length - a.length)
}

/**
 * Writes a module for each group that imports its tests. tap waits until all are imported; otherwise it would end the run, and
 * remove the folders of files that still wait at their top level, when the tests of the others are finished.
 */
function writeGroups(groups) {
  // separate for each run, because two may run at the same time
  const folder = join(ROOT, 'node_modules/.cache/hsapi-test-groups', String(process.pid))
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return groups.map((files, i) => {
    const name = `${dirname(files[0]).slice('test/'.length).replaceAll('/', '-')}-${i + 1}.tests.mjs`
    const addresses = files.map(file => pathToFileURL(compiledName(join(ROOT, file))).href)
    const imports = addresses.map(address => `  await import(${JSON.stringify(address)})`)
    const lines = ["import t from 'tap'", 'const all = (async () => {', ...imports, '})()', 't.waitOn(all)', 'await all', '']
    writeFileSync(join(folder, name), lines.join('\n'))
    return { file: join(folder, name), measured: isMeasured(files[0]) }
  })
}

function start(file, measured) {
  const env = { ...(measured ? measuredEnv : process.env), TAP_TIMEOUT: String(TIMEOUT_SECONDS) }
  const program = named.length > 0 ? ['--enable-source-maps', file] : [file]
  const child = spawn(process.execPath, program, { cwd: ROOT, env, timeout: TIMEOUT_SECONDS * 1000 })
  let output = ''
  const take = data => {
    output += data
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise(done => child.once('close', (code, signal) => done({ ended: signal ?? code, output })))
}

/** The failures of a group, each with tap's output. */
function failuresIn(output) {
  let isWithin = false
  return output.split('\n').filter(line => {
    if (/^ *not ok /.test(line)) isWithin = true
    else if (/^ *(ok |# Subtest)/.test(line)) isWithin = false
    return isWithin
  })
}

const totals = { total: 0, pass: 0, fail: 0, skip: 0 }

async function runGroup({ file, measured }) {
  const startMs = Date.now()
  const { ended, output } = await start(file, measured)
  const summary = /^# \{ (.*) \}$/m.exec(output)?.[1] ?? ''
  const count = name => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  const isWell = ended === 0 && summary !== ''
  // a process that ended early counts as a failure
  const fail = count('fail') + (isWell || count('fail') > 0 ? 0 : 1)
  for (const name of ['total', 'pass', 'skip']) totals[name] += count(name)
  totals.fail += fail
  if (!isWell || options.includes('--verbose')) {
    const shown = isWell ? output.split('\n') : failuresIn(output)
    console.log((shown.length > 0 ? shown : output.split('\n').slice(-LAST_LINES)).join('\n'))
  }
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
  console.log(`${isWell ? 'ok' : `not ok (ended with ${ended})`} - ${basename(file, '.tests.mjs')} # ${summary}, ${seconds} s`)
}

async function runAll(groups) {
  const next = groups.values()
  const lane = async () => {
    for (const group of next) await runGroup(group)
  }
  await Promise.all(Array.from({ length: JOBS }, lane))
}

function report() {
  const figures = Object.entries(totals).filter(([name, count]) => count > 0 || name === 'pass')
  console.log(`# { ${figures.map(([name, count]) => `${name}: ${count}`).join(', ')} }`)
  if (totals.fail > 0) process.exitCode = 1
}

const args = process.argv.slice(2)
const named = args.filter(arg => !arg.startsWith('-')).map(name => name.replace(/\/$/, ''))
const options = args.filter(arg => arg.startsWith('-') && arg !== '--long' && arg !== '--runtime')

function chosen(file) {
  if (named.length > 0) return isBelow(file, named)
  if (args.includes('--runtime')) return isBelow(file, RUNTIME)
  return isBelow(file, LONG) === args.includes('--long')
}

const files = testFiles()
// a stale name in a list above would silently match nothing
const nothing = [...named, ...LONG, ...RUNTIME, ...UNMEASURED].find(name => !files.some(file => isBelow(file, [name])))
if (nothing !== undefined) {
  console.error(`no tests in ${nothing}${named.includes(nothing) ? '' : ', which a list in test/run.mjs names'}`)
  process.exit(2)
}

function make(program, env = process.env) {
  const { status } = spawnSync(program[0], program.slice(1), { cwd: ROOT, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
const makeProgram = env => make(['npm', 'run', '--silent', 'build:code'], env)

// program, pages, and the dataset once for all tests of the shipped one
makeProgram(process.env)
make([process.execPath, 'dist/src/main.js', 'build', '--if-changed'])
await compileTests()
const groups = writeGroups(groupsOf(files.filter(chosen)))
if (coverage === undefined) await runAll(groups)
else {
  // code for coverage is not bundled and starts slowly, so the other tests run before it is built
  await runAll(groups.filter(({ measured }) => !measured))
  makeProgram(measuredEnv)
  await runAll(groups.filter(({ measured }) => measured))
}
report()
if (args.length === 0)
  console.log(`left out: ${LONG.length} long ones, such as the browser and real load tools; "npm run test:all" includes them`)
