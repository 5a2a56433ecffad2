/**
 * Runs tests for Stryker, many mutants in one process: loading tap, the program and the tests takes longer than most tests.
 * Each mutant gets only the tests that reach it, fast ones first, until one fails.
 *
 * A mutant may leave something behind that makes later tests fail. So a failure counts only if the same test then
 * passes without the mutant. Otherwise the mutant is tried again in a new process.
 */
import { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import workerThreads, { Worker } from 'node:worker_threads'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner'

/** Files that the processes of a run share, below Stryker's copy. */
const SHARED = '.mutate'
const DURATIONS = join(SHARED, 'durations.json')
const REACHED = join(SHARED, 'reached')
const RETRIED = join(SHARED, 'retried')

/** A test that takes this much longer than without mutants counts as hanging. */
const LIMIT_FACTOR = 10
const LIMIT_MIN_MS = 2_000
/** The fastest tests that reach a mutant run, up to this total time, and at least one. */
const TESTS_MS_MAX = 20_000

/** Mutated code reads this global; the name is Stryker's. */
globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} } }
const mutated = globalThis.__stryker__
let isDryRun = false

/** Threads and processes that a test starts run the same mutant and report what they reached. */
const childEnv = () => ({
  ...(mutated.activeMutant !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutated.activeMutant }),
  ...(isDryRun && { HSAPI_MUTATE_REACHED: join(process.cwd(), REACHED) }),
})

workerThreads.Worker = class extends Worker {
  constructor(file, options = {}) {
    const { env = process.env } = options
    super(file, typeof env === 'symbol' ? options : { ...options, env: { ...env, ...childEnv() } })
  }
}
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  options.envPairs?.push(...Object.entries(childEnv()).map(([name, value]) => `${name}=${value}`))
  return spawn.call(this, options)
}
syncBuiltinESMExports()

const inCopy = path => import(pathToFileURL(join(process.cwd(), path)).href)

class Runner {
  #tests
  #isSpoiled = false

  capabilities() {
    return { reloadEnvironment: false }
  }

  async dryRun() {
    mkdirSync(REACHED, { recursive: true })
    mkdirSync(RETRIED, { recursive: true })
    isDryRun = true
    await this.#load()
    const tests = []
    for (const { id, run } of this.#tests) {
      mutated.currentTestId = id
      const startMs = performance.now()
      const failureMessage = await run()
      const timeSpentMs = performance.now() - startMs
      mutated.currentTestId = undefined
      addReachedByChildren(id)
      const status = failureMessage === undefined ? TestStatus.Success : TestStatus.Failed
      tests.push({ id, name: id, timeSpentMs, status, failureMessage })
    }
    isDryRun = false
    writeFileSync(DURATIONS, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))))
    return { status: DryRunStatus.Complete, tests, mutantCoverage: mutated.mutantCoverage }
  }

  async mutantRun({ activeMutant: { id }, testFilter, hitLimit, mutantActivation }) {
    if (this.#isSpoiled) throw new Error('a mutant left something behind')
    const isStatic = mutantActivation === 'static'
    const activate = isActive => {
      mutated.activeMutant = isActive ? id : undefined
      mutated.hitCount = isActive ? 0 : undefined
      mutated.hitLimit = hitLimit
    }
    activate(isStatic)
    try {
      await this.#load()
    } catch (error) {
      return killed(id, error)
    }
    let tests = this.#chosen(testFilter)
    const mark = join(RETRIED, id)
    const isRetried = !isStatic && existsSync(mark)
    // a test that depends on an earlier one fails in any case
    if (isRetried) tests = await passing(tests)
    for (const test of tests) {
      activate(true)
      const failure = await test.run(test.limitMs)
      activate(false)
      if (failure === undefined) continue
      if (isRetried) this.#isSpoiled = true
      else if (!isStatic && (await test.run(test.limitMs)) !== undefined) {
        writeFileSync(mark, '')
        throw new Error('fails without the mutant, too')
      }
      return killed(test.id, failure)
    }
    return { status: MutantRunStatus.Survived, nrOfTests: tests.length }
  }

  async #load() {
    if (this.#tests !== undefined) return
    const { registered, runTest } = await inCopy('node_modules/tap/index.js')
    const tests = []
    for (const file of JSON.parse(readFileSync('mutate-tests.json', 'utf8'))) {
      await inCopy(`node_modules/.cache/hsapi-tests/${file.replace(/\.ts$/, '.js')}`)
      const found = registered.splice(0)
      tests.push(...found.map((args, i) => ({ id: `${file} ${i} ${args[0]}`, run: limitMs => runTest(args, limitMs) })))
    }
    this.#tests = tests
  }

  #chosen(ids) {
    const durations = JSON.parse(readFileSync(DURATIONS, 'utf8'))
    const wanted = this.#tests
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .sort((a, b) => durations[a.id] - durations[b.id])
    for (const test of wanted) test.limitMs = Math.max(LIMIT_MIN_MS, LIMIT_FACTOR * durations[test.id])
    let sumMs = 0
    return wanted.filter(({ id }, i) => {
      sumMs += durations[id]
      return i === 0 || sumMs <= TESTS_MS_MAX
    })
  }
}

async function passing(tests) {
  const found = []
  for (const test of tests) if ((await test.run()) === undefined) found.push(test)
  return found
}

function addReachedByChildren(id) {
  const { perTest } = mutated.mutantCoverage
  const reached = perTest[id] ?? {}
  perTest[id] = reached
  for (const name of readdirSync(REACHED)) {
    for (const [mutant, hits] of Object.entries(JSON.parse(readFileSync(join(REACHED, name), 'utf8'))))
      reached[mutant] = (reached[mutant] ?? 0) + hits
    rmSync(join(REACHED, name))
  }
}

const killed = (by, failure) => ({
  status: MutantRunStatus.Killed,
  killedBy: [by],
  failureMessage: String(failure),
  nrOfTests: 1,
})

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'hsapi', Runner)]
