/** Runs the real program in a separate process or thread. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'
import { QUERY_WORDS_FILE, WORD_FORMS_FILE } from '../../build/dataset/word-forms.js'
import { compiledBytes, compiledFixture, FIXTURE, temporaryDirectory } from './service.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))

export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Runs the program with these arguments and only these settings. It runs in a thread, which takes half as long to start as a
 * process, unless it needs a process: for another folder, another copy of the program, a server or Node's own variables.
 */
export function run(args: string[], env: Record<string, string> = {}, cwd = ROOT, main = MAIN): Promise<Run> {
  const { PATH = '', NODE_V8_COVERAGE: coverage } = process.env
  // Node passes this variable to every process, but a thread gets it only through its environment
  const settings = { PATH, ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }), ...env }
  // a server handles signals and starts its own threads; Node reads NODE_ variables only when a process starts
  const needsProcess = args[0] === 'serve' || Object.keys(env).some(name => name.startsWith('NODE_'))
  const inThread = cwd === ROOT && main === MAIN && !needsProcess
  return inThread
    ? runOf(new Worker(main, { argv: args, env: settings, execArgv: [], stdout: true, stderr: true }), 'exit')
    : runOf(spawn(process.execPath, [main, ...args], { cwd, env: settings }), 'close')
}

function runOf(program: ChildProcessWithoutNullStreams | Worker, end: 'exit' | 'close'): Promise<Run> {
  let stdout = ''
  let stderr = ''
  program.stdout.on('data', data => {
    stdout += data
  })
  program.stderr.on('data', data => {
    stderr += data
  })
  return new Promise((resolve, reject) => {
    program.on('error', reject)
    program.on(end, (code: number | null) => resolve({ code, stdout, stderr }))
  })
}

/** Returns the settings of a server: the path of a compiled fixture, and a data directory that does not exist yet. */
export async function prepared(t: Test): Promise<{ HSAPI_DATA_DIR: string; HSAPI_SNAPSHOT: string }> {
  const directory = temporaryDirectory(t)
  const snapshot = join(directory, 'hs.snapshot')
  writeFileSync(snapshot, await compiledFixture())
  return { HSAPI_DATA_DIR: join(directory, 'data'), HSAPI_SNAPSHOT: snapshot }
}

/** Writes a snapshot of the fixture. `change` can modify the directory of the dataset first. Returns the path. */
export async function builtSnapshot(t: Test, change: (dataset: string) => void = () => {}): Promise<string> {
  const directory = temporaryDirectory(t)
  const dataset = join(directory, 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  change(dataset)
  const file = join(directory, 'hs.snapshot')
  writeFileSync(file, await compiledBytes(dataset))
  return file
}

/** Creates a checkout with the compiled program, and with the fixture as its shipped dataset. */
export function smallCheckout(t: Test): { root: string; main: string } {
  const root = temporaryDirectory(t)
  mkdirSync(join(root, 'src'))
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  for (const folder of ['src', 'build']) cpSync(join(ROOT, 'dist', folder), join(root, 'dist', folder), { recursive: true })
  cpSync(FIXTURE, join(root, 'dataset'), { recursive: true })
  for (const table of [WORD_FORMS_FILE, QUERY_WORDS_FILE]) cpSync(join(ROOT, 'dataset', table), join(root, 'dataset', table))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return { root, main: join(root, 'dist', 'src', 'main.js') }
}

export interface Served {
  child: ChildProcess
  url: string
  output(): string
  /** The exit code, or null if a signal ended the process. */
  ended: Promise<number | null>
  /** Sends a signal and returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `hsapi serve` on a free port and waits until it logs that it is ready. */
export function startServe(
  t: Test,
  env: Record<string, string>,
  until = /ready on (http:[^\s"]+)/,
  user?: { uid: number; gid: number },
  /** The program that runs the JavaScript; Node by default. */
  runtime = process.execPath,
): Promise<Served> {
  return new Promise((resolve, reject) => {
    const all = { PATH: process.env.PATH ?? '', HSAPI_PORT: '0', ...env }
    // the test runner's variables would make the process write files, for which another user has no permission
    const emptyEnv = ['-i', ...Object.entries(all).map(([name, value]) => `${name}=${value}`), runtime]
    const [command, before] = user === undefined ? [runtime, []] : ['env', emptyEnv]
    const child = spawn(command, [...before, MAIN, 'serve'], { cwd: ROOT, env: all, ...user })
    let output = ''
    const ended = new Promise<number | null>(done => child.on('close', code => done(code)))
    t.teardown(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const onOutput = (data: Buffer) => {
      output += data
      const match = until.exec(output)
      if (match === null) return
      resolve({
        child,
        url: match[1] ?? '',
        output: () => output,
        ended,
        end: signal => {
          child.kill(signal)
          return ended
        },
      })
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    ended.then(code => reject(new Error(`serve ended with ${code}: ${output}`)))
  })
}
