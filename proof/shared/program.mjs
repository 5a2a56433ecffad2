/** Runs the real program in child processes, which never outlive this process. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))
const STOPPING = /^hsapi: (?:SIG[A-Z]+ received: stopping|stopped, nothing was lost; exit code 0)$/
const READY = /ready on http:\/\/127\.0\.0\.1:(\d+)/
const READY_MS = 60_000
const STOP_MS = 30_000
/** The unit in which the kernel counts CPU time, on every platform that Node supports. */
const TICK_MS = 10
/** Limit for a server's log; more would be a fault in itself. */
const LOG_CHARS_MAX = 1_000_000

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** @param {{uid?: number, gid?: number, stdio?: unknown[], cwd?: string}} how */
export function startProgram(args, env = {}, how = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...how,
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Runs a command to its end; `kill` may end it earlier. */
export function run(args, env = {}, how = {}) {
  const child = startProgram(args, env, how)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', data => {
    stdout += data
  })
  child.stderr?.on('data', data => {
    stderr += data
  })
  const ended = new Promise(done => child.once('close', code => done({ code, stdout, stderr })))
  return Object.assign(ended, { kill: () => child.kill('SIGKILL') })
}

/** Like `run`, but throws if the command fails. */
export async function mustRun(args, env, how) {
  const result = await run(args, env, how)
  if (result.code !== 0) throw new Error(`hsapi ${args.join(' ')} ended with ${result.code}: ${result.stderr}`)
  return result.stdout
}

export class ServerProcess {
  #child
  #log = ''
  ended
  pid
  port = 0

  constructor(child) {
    this.#child = child
    this.pid = child.pid
    const take = data => {
      this.#log = (this.#log + data).slice(-LOG_CHARS_MAX)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    this.ended = new Promise(done => child.once('close', (code, signal) => done(code ?? signal)))
  }

  /** Starts `hsapi serve` and waits until it logs that it is ready or, if its output is not captured, until it answers. */
  static async start(env, how) {
    const port = env.HSAPI_PORT ?? '0'
    const server = new ServerProcess(startProgram(['serve'], { HSAPI_PORT: port, ...env }, how))
    let isOver = false
    void server.ended.then(() => {
      isOver = true
    })
    const deadline = Date.now() + READY_MS
    const isHeard = how?.stdio === undefined
    while (!isOver && Date.now() < deadline) {
      if (isHeard) server.port = Number(READY.exec(server.#log)?.[1] ?? 0)
      else if (await isServing(Number(port))) server.port = Number(port)
      if (server.port !== 0) return server
      await wait(10)
    }
    server.#child.kill('SIGKILL')
    throw new Error(`the server did not start: ${server.#log}`)
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Closes our end of the server's output, so that the server writes to a pipe without a reader. */
  closeOutput() {
    this.#child.stdout.destroy()
  }

  get log() {
    return this.#log
  }

  /** The log after the server was ready. */
  get logAfterReady() {
    return this.#log.slice(this.#log.search(READY)).split('\n').slice(1).join('\n')
  }

  /** Unexpected lines of that log: all except the stop message and lines that match the pattern. */
  unexpected(known) {
    const lines = this.logAfterReady.split('\n')
    return lines.filter(line => line !== '' && !STOPPING.test(line) && !known?.test(line))
  }

  signal(name) {
    this.#child.kill(name)
  }

  /** Ends the server; returns its exit code, or the signal that ended it. */
  async end(signal = 'SIGTERM') {
    this.#child.kill(signal)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    const code = await this.ended
    clearTimeout(timer)
    return code
  }

  /** Waits until the server has logged a text this many times. */
  async waitForLog(text, times = 1, ms = READY_MS) {
    const deadline = Date.now() + ms
    while (this.#log.split(text).length <= times) {
      if (!this.isRunning || Date.now() > deadline)
        throw new Error(`the server did not log "${text}" ${times} times: ${this.#log.slice(-500)}`)
      await wait(5)
    }
  }

  /** Resident memory in megabytes (of 2^20 bytes); `peakMb` is the highest value since the last reset. */
  get residentMb() {
    return this.#memory('VmRSS')
  }

  get peakMb() {
    return this.#memory('VmHWM')
  }

  /** CPU time so far in milliseconds: fields 14 and 15 of its stat line, counted after the name in brackets. */
  get processorMs() {
    const line = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  }

  resetPeak() {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5')
  }

  #memory(name) {
    const text = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024
  }
}

function isServing(port) {
  return fetch(`http://127.0.0.1:${port}/api/v1/health`, { headers: { connection: 'close' } }).then(
    async response => (await response.json()).data.status === 'ok',
    () => false,
  )
}

/** A port that was free a moment ago. */
export async function freePort() {
  const { createServer } = await import('node:net')
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise(done => probe.once('listening', done))
  const { port } = probe.address()
  await new Promise(done => probe.close(done))
  return port
}

export function openSocket(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  return socket
}
