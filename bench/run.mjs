/** npm run bench — see bench/README.md, or --help. */
import { mkdtempSync, rmSync } from 'node:fs'
import { arch, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare } from './compare.mjs'
import { LoadError } from './deployment.mjs'
import { machine } from './machine.mjs'
import { OptionError } from './option.mjs'
import { HELP, readOptions } from './options.mjs'
import { Progress } from './progress.mjs'
import { writeReports } from './report/write.mjs'
import { connections } from './sections/connections.mjs'
import { cost } from './sections/cost.mjs'
import { dataset } from './sections/dataset.mjs'
import { keys } from './sections/keys.mjs'
import { latency } from './sections/latency.mjs'
import { pipeline } from './sections/pipeline.mjs'
import { redis } from './sections/redis.mjs'
import { workers } from './sections/workers.mjs'
import { freezeWorkingTree, REPOSITORY, revisionOfTree } from './stage.mjs'
import { findings } from './targets.mjs'
import { loadDeployments } from './url.mjs'
import { isInstalled } from './wrk.mjs'

const RUN = { cost, pipeline, workers, redis, dataset, keys, connections, latency }
const EXIT_MISTAKE = 2
const EXIT_BROKEN = 3
const BUSY_LOAD = 1.2

async function measureAll({ settings, sections, isWanted, isTrial, out }, folder) {
  const progress = new Progress(sections.length + 1)
  const notes = []
  progress.section('prepare')
  progress.step('compiling the dataset')
  const stage = await freezeWorkingTree(folder).prepare()
  const startMs = Date.now()
  const results = {
    date: new Date(startMs).toISOString(),
    machine: machine(),
    revision: revisionOfTree(),
    settings,
    notes,
  }
  // the benchmark's own preparations run on the core of the load generator and cause a load of one
  const [busy] = loadavg()
  if (busy > BUSY_LOAD)
    notes.push(`The machine was busy before the run (load average ${busy.toFixed(1)}): repeat it on a quiet one.`)
  if (results.machine.cores < 2) notes.push('The machine has only one core, which server and load generator shared.')
  for (const name of sections) {
    progress.section(name)
    results[name] = await RUN[name]({ stage, settings, progress, notes, folder, isWanted })
  }
  results.minutes = (Date.now() - startMs) / 60_000
  results.findings = findings(results)
  progress.clear()

  const { markdown, file } = writeReports(out ?? join(REPOSITORY, 'bench/results'), isTrial ? 'trial' : arch(), results)
  process.stdout.write(`${markdown}\nWritten: ${file}.json, .md and .html\n`)
}

async function main() {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return process.stdout.write(HELP)
  if (options.load) {
    if (!(await loadDeployments(options.load))) process.exitCode = EXIT_BROKEN
    return
  }
  if (!isInstalled('wrk')) throw new OptionError('wrk is not installed: apt-get install wrk')
  const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
  // exit on an interrupt, so that the exit handlers stop the servers
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (options.compare !== undefined) await compare(options, folder)
  else await measureAll(options, folder)
}

try {
  await main()
} catch (error) {
  const isExpected = error instanceof OptionError || error instanceof LoadError
  process.stderr.write(`\n${isExpected ? error.message : error.stack}\n`)
  process.exit(error instanceof OptionError ? EXIT_MISTAKE : 1)
}
