/**
 * `npm test` runs this: every test but the long ones. `--long` runs those instead, `--runtime` what depends on the Node it runs on;
 * names of files or folders run just these. Other options go to tap.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileAll, compiledName } from './compile.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Many seconds each, or with tools that Node does not bring: a browser, load tools, an installed package, a Redis over midnight. */
const LONG = [
  'test/bench',
  ...['import-faults', 'import-xlsx'].map(name => `test/build/importers/${name}.test.ts`),
  'test/http/unread.test.ts',
  'test/library/browser.test.ts',
  'test/package/install.test.ts',
  ...['places', 'reload-memory', 'restart', 'stop'].map(name => `test/process/${name}.test.ts`),
  'test/proof',
  'test/recipes',
  'test/redis',
  ...['check', 'docs', 'key-link', 'looks', 'record', 'search', 'states'].map(name => `test/web/${name}.test.ts`),
]

/** Sockets, files, threads and engines: what may differ from one Node to another. The rest is plain computing, tested on one. */
const RUNTIME = [
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

/** A process of its own for each file would spend most of its time loading tap; all in one would leave a core idle. */
const FILES_A_PROCESS = 8

const isBelow = (file, paths) => paths.some(path => file === path || file.startsWith(`${path}/`))

function testFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join('test', name))
    .sort()
}

/** Files of one folder that run in one process, one after the other. Long ones run alone. */
function groupsOf(files) {
  const groups = new Map()
  for (const file of files) {
    const folder = dirname(file)
    const open = groups.get(folder)?.at(-1)
    if (open !== undefined && open.length < FILES_A_PROCESS && !isBelow(file, LONG)) open.push(file)
    else groups.set(folder, [...(groups.get(folder) ?? []), [file]])
  }
  return [...groups.values()].flat()
}

/** A module for each group that imports its tests: what tap is to run. */
function writeGroups(groups) {
  // of this run alone: two may go on at once
  const folder = join(ROOT, 'node_modules/.cache/hsapi-test-groups', String(process.pid))
  mkdirSync(folder, { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return groups.map((files, i) => {
    const name = `${dirname(files[0]).slice('test/'.length).replaceAll('/', '-')}-${i + 1}.tests.mjs`
    const imports = files.map(file => `import ${JSON.stringify(pathToFileURL(compiledName(join(ROOT, file))).href)}\n`)
    writeFileSync(join(folder, name), imports.join(''))
    return join(folder, name)
  })
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
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
await compileAll()
// once for all tests that look at the shipped dataset
run(process.execPath, ['dist/src/main.js', 'build', '--if-changed'])
run(join(ROOT, 'node_modules/.bin/tap'), [...options, ...writeGroups(groupsOf(files.filter(chosen)))])
if (args.length === 0)
  console.log(`left out: ${LONG.length} long ones, such as the browser and real load tools; "npm run test:all" runs them, too`)
