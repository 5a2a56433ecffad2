/** Starts servers as separate processes and measures their cost. */
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
export const SERVER_CORE = 0
export const LOAD_CORE = 1
/** A server needs some seconds to read a million keys. */
const READY_MS = 120_000
const STOP_MS = 10_000
const OUTPUT_CHARS_MAX = 10_000

/** Puts server and load on different cores if there are two, so that they do not compete. */
export function pinned(core, command, args) {
  return availableParallelism() > 1 ? ['taskset', ['-c', String(core), command, ...args]] : [command, args]
}

/** Kills the servers whenever the benchmark exits. */
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process on the server's core; it is ready when `isReady` accepts its output. */
export function startProcess({ command, args, env = {}, cwd, core = SERVER_CORE, isReady }) {
  const [program, all] = pinned(core, command, args)
  const child = spawn(program, all, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const gone = new Promise(resolve => child.once('exit', resolve)).then(() => running.delete(child))
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(timer)
  }
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    const fail = reason => {
      clearTimeout(timer)
      // Node prints the line of code before the error message
      const lines = (errors.trim() || output.trim()).split('\n')
      reject(new Error(lines.find(line => /^\w*Error\b/.test(line)) || lines.at(-1) || reason))
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`not ready within ${READY_MS / 1000} seconds`)
    }, READY_MS)
    const checkReady = () => {
      const found = isReady(output)
      if (!found) return
      clearTimeout(timer)
      resolve({ pid: child.pid, stop, ...found })
    }
    child.stderr.on('data', data => {
      errors = (errors + data).slice(0, OUTPUT_CHARS_MAX)
    })
    child.stdout.on('data', data => {
      output = (output + data).slice(-OUTPUT_CHARS_MAX)
      checkReady()
    })
    child.once('error', error => fail(error.message))
    child.once('exit', code => fail(`ended with ${code}`))
  })
}

/** @returns {Promise<{pid: number, port: number, stop(): Promise<void>}>} after the process prints its address */
export function startServer(args, env = {}, options = {}) {
  return startProcess({
    command: process.execPath,
    args,
    env,
    ...options,
    isReady: output => {
      const port = /ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      return port === undefined ? undefined : { port: Number(port) }
    },
  })
}

/**
 * User and system time of a process so far, over all threads, in milliseconds. Uses the scheduler's figures, which are exact to
 * the nanosecond; /proc/PID/stat counts in ticks of usually 10 ms, an error of a few percent in a short round.
 */
export function cpuMs(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0)
  } catch {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  }
}

const threadMs = (pid, thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Resident memory in megabytes (of 2^20 bytes). */
export function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

/** Maximum number of open files, and so of connections, of a process. */
export function openFilesMax() {
  const line = /Max open files\s+(\S+)/.exec(readFileSync('/proc/self/limits', 'utf8'))
  return line[1] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line[1])
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
