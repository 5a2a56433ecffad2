/**
 * npm run bench:build: the cost of the steps from a fresh clone to the first answer, and figures that grow with the dataset,
 * each with its limit and the last saved run. `-- --tests` adds npm test (minutes), `-- --save` saves the figures. CPU is user
 * and system time of the command and all its children, so a busy machine hardly changes it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeLargerDataset } from './larger-dataset.mjs'
import { machine } from './machine.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SAVED = join(ROOT, 'bench/results', `build-${arch()}.json`)
const MAIN = join(ROOT, 'dist/src/main.js')
const BOOTS = 15
/** The shipped dataset has 29,407 records, including padded lines. */
const EXTRA_RECORDS = 15 * 29_407

const { values } = parseArgs({ options: { tests: { type: 'boolean' }, save: { type: 'boolean' } } })
const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
const median = list => list.slice().sort((a, b) => a - b)[list.length >> 1]

function requireSuccess(command, { status, stdout, stderr }) {
  if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}${stderr}`)
}

/** Seconds of CPU for a command line, including its child processes. */
function cpuSeconds(command) {
  const script = `TIMEFORMAT='cpu %U %S'; time { ${command}; }`
  const ran = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 })
  requireSuccess(command, ran)
  const [, user, system] = /cpu (\S+) (\S+)\s*$/.exec(ran.stderr)
  return Number(user) + Number(system)
}

function buildCpuSeconds() {
  return median([1, 2, 3].map(() => cpuSeconds(`node ${MAIN} build --out ${join(folder, 'hs.snapshot')}`)))
}

/** The compiler's peak memory in MB and its seconds, for a dataset with `extra` more lines. */
function buildLarger(extra) {
  const dataset = join(folder, `dataset-${extra}`)
  writeLargerDataset({ from: join(ROOT, 'dataset'), to: dataset, extra })
  const report = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS))`
  const program = ['--import', `data:text/javascript,${encodeURIComponent(report)}`, MAIN]
  const args = ['build', '--dataset', dataset, '--out', join(folder, 'larger.snapshot')]
  const startMs = performance.now()
  const ran = spawnSync(process.execPath, [...program, ...args], { encoding: 'utf8' })
  requireSuccess('build', ran)
  const seconds = (performance.now() - startMs) / 1000
  return { megabytes: Number(/peak ([0-9]+)/.exec(ran.stderr)[1]) / 1024, seconds }
}

/** Milliseconds until a server's first answer; for a program that is not a server, until it exits. */
function timed(args) {
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HSAPI_PORT: '0', HSAPI_DATA_DIR: join(folder, 'data') }
    const child = spawn(process.execPath, args, { cwd: ROOT, env })
    let output = ''
    let answeredMs
    const look = async data => {
      output += data
      const url = /ready on (http:\S+)/.exec(output)?.[1]
      if (url === undefined) return
      // the server may print more later
      child.stdout.off('data', look)
      child.stdout.resume()
      await fetch(`${url}/api/v1/health`)
      answeredMs = performance.now()
      child.kill()
    }
    child.stdout.on('data', look)
    child.on('error', reject)
    child.on('close', () => resolve((answeredMs ?? performance.now()) - startMs))
  })
}

/** Time to the first answer, as a multiple of an empty Node start measured in alternation. */
async function bootRatio() {
  const empty = []
  const boots = []
  for (let i = 0; i < BOOTS; i++) {
    empty.push(await timed(['-e', '0']))
    boots.push(await timed([MAIN, 'serve']))
  }
  return median(boots) / median(empty)
}

function packedMegabytes() {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return JSON.parse(stdout)[0].size / 1e6
}

function packages() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const fitsThisMachine = ({ os = ['linux'], cpu = [arch()] }) => os.includes('linux') && cpu.includes(arch())
  return Object.entries(lock.packages).filter(([name, entry]) => name !== '' && fitsThisMachine(entry)).length
}

const larger = buildLarger(EXTRA_RECORDS)
const half = buildLarger(EXTRA_RECORDS >> 1)
const rows = [
  ['code: from sources to the compiled program, s of CPU', 3, cpuSeconds('rm -f dist/code-state && npm run --silent build:code')],
  // the classifier takes three of the eleven seconds
  ['dataset: from rows to the snapshot, s of CPU', 11, buildCpuSeconds()],
  ['sixteen times the dataset: peak memory of the compiler, MB', 2000, larger.megabytes],
  ['compile time of sixteen times the dataset divided by that of eight times', 2.2, larger.seconds / half.seconds],
  ['boot to the first answer, as a multiple of an empty Node start', 5, await bootRatio()],
  // without countries, notes and classifier, the snapshot would have 40 MB
  ['snapshot, MB', 65, statSync(join(ROOT, 'dist/hs.snapshot')).size / 1e6],
  ['package, MB', 15, packedMegabytes()],
  ['npm ci, packages for this machine', 330, packages()],
]
if (values.tests) rows.push(['npm test, minutes of CPU', 6, cpuSeconds('npm test >/dev/null 2>&1') / 60])
rmSync(folder, { recursive: true })

const round = figure => Number(figure.toPrecision(3))
const last = (() => {
  try {
    return JSON.parse(readFileSync(SAVED, 'utf8'))
  } catch {
    return { figures: {} }
  }
})()
console.log(`| What | Limit | Last (${last.date ?? 'none'}) | Now |\n|---|---|---|---|`)
for (const [what, bar, figure] of rows)
  console.log(`| ${what} | ${bar} | ${last.figures[what] ?? ''} | ${round(figure)}${figure > bar ? ' (missed)' : ''} |`)
if (values.save) {
  const figures = {
    ...last.figures,
    ...Object.fromEntries(rows.map(([what, , figure]) => [what, round(figure)])),
  }
  const saved = { date: new Date().toISOString().slice(0, 10), machine: machine(), figures }
  writeFileSync(SAVED, `${JSON.stringify(saved, null, 2)}\n`)
}
