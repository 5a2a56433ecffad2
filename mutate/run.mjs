/**
 * Mutation testing: `npm run mutate -- FOLDER` breaks each line of a folder or file in many small ways and counts how many of
 * these mutants the tests detect. Stryker makes the mutants. It works on a copy of the checkout, so that no mutant can reach
 * the sources or the caches of `npm test`. The copy is compiled once; a variable selects the mutant that a process runs.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STRYKER = join(ROOT, 'mutate/node_modules/.bin/stryker')
/** Time limit of a mutant. It is far longer than a busy machine needs, because a mutant that exceeds it counts as detected. */
const TIMEOUT_MS = 30_000
const CONCURRENCY = 2
const SURVIVOR_CHARS = 400

/** The tests of a folder, if they are not just those in the test folder of the same name. */
const TESTS = {
  'src/quotas': [
    'test/quotas',
    'test/gate',
    'test/leases',
    'test/http/limit-fields.test.ts',
    'test/http/limits.test.ts',
    'test/process/save-usage.test.ts',
  ],
  'src/leases': ['test/leases', 'test/gate/exchange.test.ts'],
  'src/questions/shipment': [
    'test/questions/shipment.test.ts',
    'test/http/shipment.test.ts',
    'test/http/invoice.test.ts',
    'test/country',
  ],
  'src/catalog/tariff.ts': ['test/catalog/tariff.test.ts', 'test/http/tariff.test.ts', 'test/http/invoice.test.ts'],
  'src/catalog/landed-cost.ts': ['test/catalog/landed-cost.test.ts', 'test/http/shipment.test.ts'],
  'src/catalog/amount.ts': ['test/catalog/tariff.test.ts', 'test/catalog/landed-cost.test.ts', 'test/http/tariff.test.ts'],
  'build/importers': ['test/build/importers'],
}
/** Test files that take many seconds each: running them for every mutant would take days. */
const TOO_LONG = ['test/build/importers/import-faults.test.ts', 'test/build/importers/import-xlsx.test.ts']

function fail(message) {
  console.error(`mutate: ${message}`)
  process.exit(2)
}

function run(program, args, cwd, env = process.env) {
  const { status } = spawnSync(program, args, { cwd, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const isBelow = (file, path) => file === path || file.startsWith(`${path}/`)

function testsOf(subject) {
  const known = Object.keys(TESTS).find(path => isBelow(subject, path))
  const paths = TESTS[known] ?? [
    subject
      .replace(/^src\//, 'test/')
      .replace(/^build\//, 'test/build/')
      .replace(/\.ts$/, '.test.ts'),
  ]
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map(name => join('test', name))
    .filter(name => name.endsWith('.test.ts') && paths.some(path => isBelow(name, path)) && !TOO_LONG.includes(name))
  if (tests.length === 0) fail(`no tests for ${subject}; name them in mutate/run.mjs`)
  return tests.sort()
}

/** The copy gets its own node_modules with links to the packages, but without caches. */
function copyCheckout() {
  const copy = mkdtempSync(join(tmpdir(), 'hsapi-mutate-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const name of listed.stdout.split('\0').filter(name => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(join(copy, dirname(name)), { recursive: true })
    cpSync(join(ROOT, name), join(copy, name))
  }
  cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name))
  return copy
}

/**
 * Compiles the copy after Stryker has inserted all mutants; pages and snapshot stay those of the original code. On request, the
 * program reports the mutants it reached when it exits.
 */
const BUILD = `
import { readFileSync, writeFileSync } from 'node:fs'
import { compileTests } from './test/compile.mjs'
await import('./scripts/compile.mjs')
await compileTests()
const MAIN = 'dist/src/main.js'
writeFileSync(MAIN, readFileSync(MAIN, 'utf8') + \`
import { writeFileSync as writeReached } from 'node:fs'
import { threadId as reachedIn } from 'node:worker_threads'
const reachedFolder = process.env.HSAPI_MUTATE_REACHED
if (reachedFolder !== undefined) process.on('exit', () =>
  writeReached(reachedFolder + '/' + process.pid + '-' + reachedIn, JSON.stringify(globalThis.__stryker__?.mutantCoverage?.static ?? {})))
\`)
`

/**
 * Replaces tap: collects the tests of a file instead of running them, so that they can run many times. Each run uses a real tap
 * test.
 */
const TAP = `
import '@tapjs/core'
import { Test } from '@tapjs/test'
// the original timers, because tests replace the global ones with timers that follow a moved clock
const { setTimeout, clearTimeout } = globalThis
export const registered = []
export default { test: (...args) => void registered.push(args) }
export async function runTest(args, limitMs) {
  // without tap's own time limit, which would end the process
  const root = new Test({ name: 'mutant', timeout: 0 })
  root.resume()
  root.test(...args)
  root.end()
  let timer
  const late = new Promise(done => { if (limitMs) timer = setTimeout(done, limitMs, 'late') })
  const ended = root.ended ? undefined : await Promise.race([new Promise(done => root.once('end', done)), late])
  clearTimeout(timer)
  if (ended === 'late') return 'hangs'
  return root.passing() ? undefined : (root.lists.fail[0]?.name ?? 'failed')
}
`

function replaceTap(copy) {
  const folder = join(copy, 'node_modules/tap')
  rmSync(folder)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
  writeFileSync(join(folder, 'index.js'), TAP)
}

const [given = '', ...more] = process.argv.slice(2)
const subject = given.replace(/^\.\//, '').replace(/\/$/, '')
if (!/^(src|build)\//.test(subject) || !existsSync(join(ROOT, subject)))
  fail('name a folder or a file below src or build: npm run mutate -- src/quotas')
const tests = testsOf(subject)
const copy = copyCheckout()
writeFileSync(join(copy, 'mutate-build.mjs'), BUILD)
writeFileSync(join(copy, 'mutate-tests.json'), JSON.stringify(tests))
replaceTap(copy)
writeFileSync(
  join(copy, 'stryker.config.json'),
  JSON.stringify({
    testRunner: 'hsapi',
    plugins: [join(ROOT, 'mutate/runner.mjs')],
    coverageAnalysis: 'perTest',
    buildCommand: `${process.execPath} mutate-build.mjs`,
    mutate: [subject.endsWith('.ts') ? subject : `${subject}/**/*.ts`],
    inPlace: true,
    // TypeScript 7 lacks the API with which Stryker would read a tsconfig
    tsconfigFile: 'there-is-none.json',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutants.json' },
    concurrency: CONCURRENCY,
    timeoutMS: TIMEOUT_MS,
    dryRunTimeoutMinutes: 20,
    tempDirName: join(copy, '.stryker'),
    allowConsoleColors: false,
  }),
)
console.log(`${subject}, by ${tests.length} test files, in ${copy}`)
const startMs = Date.now()
run(STRYKER, ['run', ...more], copy)
report(JSON.parse(readFileSync(join(copy, 'mutants.json'), 'utf8')), (Date.now() - startMs) / 1000)

function report({ files }, seconds) {
  const totals = { killed: 0, all: 0 }
  const survivors = []
  for (const [name, { source, mutants }] of Object.entries(files)) {
    const valid = mutants.filter(({ status }) => !['CompileError', 'RuntimeError', 'Ignored'].includes(status))
    const alive = valid.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    totals.killed += valid.length - alive.length
    totals.all += valid.length
    const lines = source.split('\n')
    for (const { location, replacement } of alive)
      survivors.push(
        `${name}:${location.start.line}: ${lines[location.start.line - 1].trim()}\n    → ${replacement}`.slice(0, SURVIVOR_CHARS),
      )
    console.log(`${name}: ${valid.length - alive.length} of ${valid.length} noticed`)
  }
  if (survivors.length > 0) console.log(`\nnot noticed:\n${survivors.join('\n')}`)
  const each = totals.all === 0 ? 0 : seconds / totals.all
  console.log(
    `\n${subject}: ${totals.killed} of ${totals.all} noticed, ${(totals.killed / totals.all).toFixed(2)}; ${each.toFixed(1)} s per mutant`,
  )
}
