/**
 * Runs the tests. By default, as in `npm test`, it runs all except the long ones. `--long` runs the long ones, `--runtime`
 * those that depend on the version of Node. `node test/run.mjs PATH...` runs only these files or folders. `--verbose` also
 * prints passing tests.
 *
 * tap's own runner is not used, for two reasons. It compiles tests with the JavaScript API of TypeScript, which TypeScript 7
 * does not have. And it starts a process for each file, although loading tap and the program takes longer than most tests.
 *
 * Failures of named files show lines of the source. In a run of all tests they show lines of the compiled test, because source
 * maps would slow the run by a tenth.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compiledName, compileTests } from './compile.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Tests that take many seconds each, or need tools such as a browser, load tools or Redis. */
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

/** Tests of sockets, files, threads and engines, which may behave differently in other versions of Node. */
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

/** Tests whose coverage is not measured: without them, only 0.2 % fewer lines are covered, and measuring slows each process. */
const UNMEASURED = [
  ...['bench', 'dataset', 'deploy', 'package', 'proof', 'recipes'].map(name => `test/${name}`),
  ...['enrich', 'export', 'lookup', 'progress'].map(name => `test/commands/${name}.test.ts`),
  ...['broken', 'serve', 'trust-proxy', 'workers'].map(name => `test/process/${name}.test.ts`),
]

/**
 * With one file per process, most time would be spent on loading tap and the program; with one process, a core would be idle.
 */
const FILES_PER_PROCESS = 16
/** Browser tests in one process share a browser. Other long tests have their own process. */
const BROWSER_FILES_PER_PROCESS = 3
/** Processes at the same time: more than the two cores of a small machine, because many tests wait. */
const JOBS = 3
/** Ends processes that hang. */
const TIMEOUT_SECONDS = 900
/** Number of output lines to print of a process that ended early without reporting a failed test. */
const LAST_LINES = 40

/** Deleted from the environment, because Node passes it to every child process, even to one whose `env` option lacks it. */
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

function filesPerProcess(file) {
  if (!isBelow(file, LONG)) return FILES_PER_PROCESS
  return isBelow(file, ['test/web']) ? BROWSER_FILES_PER_PROCESS : 1
}

/** Divides the files into groups that run in one process each. A few files are distributed over all processes. */
function groupsOf(files) {
  const kinds = new Map()
  for (const file of files) {
    const kind = `${filesPerProcess(file)} ${isMeasured(file)}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), file])
  }
  const groups = [...kinds.values()].flatMap(ofKind => {
    const size = Math.min(filesPerProcess(ofKind[0]), Math.ceil(ofKind.length / JOBS))
    return Array.from({ length: Math.ceil(ofKind.length / size) }, (_, i) => ofKind.slice(i * size, (i + 1) * size))
  })
  // large groups first, so that all processes end at about the same time
  return groups.sort((a, b) => b.length - a.length)
}

/**
 * Writes for each group a module that imports its tests. `waitOn` keeps tap from ending the run, and from removing temporary
 * folders, while a file still awaits something at its top level.
 */
function writeGroups(groups) {
  // each run has its own folder, because several runs may take place at the same time
  const folder = join(ROOT, 'node_modules/.cache/hsapi-test-groups', String(process.pid))
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return groups.map((files, i) => {
    const name = `${dirname(files[0]).slice('test/'.length).replaceAll('/', '-')}-${i + 1}.tests.mjs`
    const urls = files.map(file => pathToFileURL(compiledName(join(ROOT, file))).href)
    const imports = urls.map(url => `  await import(${JSON.stringify(url)})`)
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

/** Returns the lines of tap's output that belong to failures. */
function failuresIn(output) {
  let isFailure = false
  return output.split('\n').filter(line => {
    if (/^ *not ok /.test(line)) isFailure = true
    else if (/^ *(ok |# Subtest)/.test(line)) isFailure = false
    return isFailure
  })
}

const totals = { total: 0, pass: 0, fail: 0, skip: 0 }

async function runGroup({ file, measured }) {
  const startMs = Date.now()
  const { ended, output } = await start(file, measured)
  const summary = /^# \{ (.*) \}$/m.exec(output)?.[1] ?? ''
  const count = name => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  const hasPassed = ended === 0 && summary !== ''
  // a process that ended early without a failed test counts as one failure
  const fail = count('fail') + (hasPassed || count('fail') > 0 ? 0 : 1)
  for (const name of ['total', 'pass', 'skip']) totals[name] += count(name)
  totals.fail += fail
  if (!hasPassed || options.includes('--verbose')) {
    const shown = hasPassed ? output.split('\n') : failuresIn(output)
    console.log((shown.length > 0 ? shown : output.split('\n').slice(-LAST_LINES)).join('\n'))
  }
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
  console.log(`${hasPassed ? 'ok' : `not ok (ended with ${ended})`} - ${basename(file, '.tests.mjs')} # ${summary}, ${seconds} s`)
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
// without this check, a name in a list would be ignored after its file is renamed
const withoutTests = [...named, ...LONG, ...RUNTIME, ...UNMEASURED].find(name => !files.some(file => isBelow(file, [name])))
if (withoutTests !== undefined) {
  console.error(`no tests in ${withoutTests}${named.includes(withoutTests) ? '' : ', which a list in test/run.mjs names'}`)
  process.exit(2)
}

function make(program, env = process.env) {
  const { status } = spawnSync(program[0], program.slice(1), { cwd: ROOT, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
const makeProgram = env => make(['npm', 'run', '--silent', 'build:code'], env)

// compiles the program, the pages and the shipped dataset
makeProgram(process.env)
make([process.execPath, 'dist/src/main.js', 'build', '--if-changed'])
await compileTests()
const groups = writeGroups(groupsOf(files.filter(chosen)))
if (coverage === undefined) await runAll(groups)
else {
  // code for measuring coverage is not bundled and starts slowly, so the other tests run first
  await runAll(groups.filter(({ measured }) => !measured))
  makeProgram(measuredEnv)
  await runAll(groups.filter(({ measured }) => measured))
}
report()
if (args.length === 0)
  console.log(
    `left out: ${LONG.length} long tests or folders, such as those with a browser or load tools; "npm run test:all" runs them`,
  )
