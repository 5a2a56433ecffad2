/** npm run bench — see README.md beside this file, or --help. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare } from './compare.mjs'
import { machine } from './machine.mjs'
import { HELP, OptionError, readOptions } from './options.mjs'
import { Progress } from './progress.mjs'
import { htmlReport } from './report/html.mjs'
import { markdownReport } from './report/markdown.mjs'
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
import { loadDeployment } from './url.mjs'
import { isInstalled } from './wrk.mjs'

const RUN = { cost, pipeline, workers, redis, dataset, keys, connections, latency }
const EXIT_MISTAKE = 2
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
  // its own preparations are on the load's core and make up to one of it
  const [busy] = loadavg()
  if (busy > BUSY_LOAD)
    notes.push(
      `The machine was busy before the run (load average ${busy.toFixed(1)}): repeat it on a quiet one.`,
    )
  if (results.machine.cores < 2) notes.push('One core only: server and load took turns on it.')
  for (const name of sections) {
    progress.section(name)
    results[name] = await RUN[name]({ stage, settings, progress, notes, folder, isWanted })
  }
  results.minutes = (Date.now() - startMs) / 60_000
  results.findings = findings(results)
  progress.clear()

  const target = out ?? join(REPOSITORY, 'bench/results')
  const file = join(target, isTrial ? 'trial' : 'latest')
  mkdirSync(target, { recursive: true })
  const markdown = markdownReport(results)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(`${file}.md`, markdown)
  writeFileSync(`${file}.html`, htmlReport(results))
  process.stdout.write(`${markdown}\nWritten: ${file}.json, .md and .html\n`)
}

async function main() {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return process.stdout.write(HELP)
  if (options.load) return loadDeployment(options.load)
  if (!isInstalled('wrk')) throw new OptionError('wrk is not installed: apt-get install wrk')
  const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
  // an interrupt ends through the exit handlers, which also end the servers
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  if (options.compare !== undefined) await compare(options, folder)
  else await measureAll(options, folder)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`\n${error instanceof OptionError ? error.message : error.stack}\n`)
  process.exit(error instanceof OptionError ? EXIT_MISTAKE : 1)
}
