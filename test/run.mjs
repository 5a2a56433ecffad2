/**
 * `npm test` runs this: every test but the long ones. `--long` runs those instead, `--runtime` what depends on the Node it runs on;
 * names of files or folders run just these. `--verbose` prints passing tests as well. tap's own runner would spend two seconds of each
 * process on loaders that nothing here needs.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compiledName, compileTests } from './compile.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Many seconds each, or with tools that Node does not bring: a browser, load tools, an installed package, a Redis over midnight. */
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
    'as-request',
    'calculator',
    'check',
    'coming-back',
    'doc-views',
    'docs',
    'embed',
    'find-keys',
    'invoice',
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
    'states',
    'typed-codes',
    'why',
  ].map(name => `test/web/${name}.test.ts`),
]

/** Sockets, files, threads and engines: what may differ from one Node to another. The rest is plain computing, tested on one. */
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

/** They run tools, pages or packages around the program: they alone reach 0.2 % of its lines, and measuring slows each process. */
const UNMEASURED = ['test/bench', 'test/package', 'test/proof', 'test/recipes', 'test/web']

/** A process of its own for each file would spend most of its time loading tap; all in one would leave a core idle. */
const FILES_A_PROCESS = 8
/** Long ones that share a browser; others run alone. */
const PAGES_A_PROCESS = 3
/** More than cores, since many tests wait. */
const JOBS = 3
/** Against hanging. */
const TIMEOUT_SECONDS = 900
/** Shown of a process that broke off without a failed test. */
const LAST_LINES = 40

const isBelow = (file, paths) => paths.some(path => file === path || file.startsWith(`${path}/`))

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

/** Files of one folder that run in one process, one after the other. */
function groupsOf(files) {
  const groups = new Map()
  for (const file of files) {
    const folder = dirname(file)
    const open = groups.get(folder)?.at(-1)
    if (open !== undefined && open.length < filesAProcess(file)) open.push(file)
    else groups.set(folder, [...(groups.get(folder) ?? []), [file]])
  }
  return [...groups.values()].flat()
}

/** A module for each group that imports its tests. */
function writeGroups(groups) {
  // of this run alone: two may go on at once
  const folder = join(ROOT, 'node_modules/.cache/hsapi-test-groups', String(process.pid))
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return groups.map((files, i) => {
    const name = `${dirname(files[0]).slice('test/'.length).replaceAll('/', '-')}-${i + 1}.tests.mjs`
    const imports = files.map(file => `import ${JSON.stringify(pathToFileURL(compiledName(join(ROOT, file))).href)}\n`)
    writeFileSync(join(folder, name), imports.join(''))
    return { file: join(folder, name), isMeasured: !isBelow(files[0], UNMEASURED) }
  })
}

function start(file, isMeasured) {
  const env = { ...process.env, TAP_TIMEOUT: String(TIMEOUT_SECONDS) }
  if (!isMeasured) delete env.NODE_V8_COVERAGE
  const child = spawn(process.execPath, ['--enable-source-maps', file], { cwd: ROOT, env, timeout: TIMEOUT_SECONDS * 1000 })
  let output = ''
  const take = data => {
    output += data
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise(done => child.once('close', (code, signal) => done({ ended: signal ?? code, output })))
}

/** Of a failed group: each failure with what tap says of it. */
function failuresIn(output) {
  let isWithin = false
  return output.split('\n').filter(line => {
    if (/^ *not ok /.test(line)) isWithin = true
    else if (/^ *(ok |# Subtest)/.test(line)) isWithin = false
    return isWithin
  })
}

const totals = { total: 0, pass: 0, fail: 0, skip: 0 }

async function runGroup({ file, isMeasured }) {
  const startMs = Date.now()
  const { ended, output } = await start(file, isMeasured)
  const summary = /^# \{ (.*) \}$/m.exec(output)?.[1] ?? ''
  const count = name => Number(new RegExp(`\\b${name}: (\\d+)`).exec(summary)?.[1] ?? 0)
  const isWell = ended === 0 && summary !== ''
  // a process that broke off counts as a failure of its own
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
const nothing = named.find(name => !files.some(file => isBelow(file, [name])))
if (nothing !== undefined) {
  console.error(`no tests in ${nothing}`)
  process.exit(2)
}
// program, pages, and the dataset once for all tests that look at the shipped one
for (const program of [
  ['npm', 'run', '--silent', 'build:code'],
  [process.execPath, 'dist/src/main.js', 'build', '--if-changed'],
]) {
  const { status } = spawnSync(program[0], program.slice(1), { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await compileTests()
await runAll(writeGroups(groupsOf(files.filter(chosen))))
if (args.length === 0)
  console.log(`left out: ${LONG.length} long ones, such as the browser and real load tools; "npm run test:all" runs them, too`)
