/** Servers in processes of their own, and what they cost. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Server and load on different cores where there are two, so that they do not take turns. */
export function pinned(core, command, args) {
  return availableParallelism() > 1 ? ['taskset', ['-c', String(core), command, ...args]] : [command, args]
}

/** @returns {Promise<{pid: number, port: number, stop(): void}>} once the process says where it is ready */
export function startServer(args, env = {}) {
  const [command, all] = pinned(0, process.execPath, args)
  const child = spawn(command, all, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', data => {
      output += data
      const port = /ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      if (port !== undefined)
        resolve({ pid: child.pid, port: Number(port), stop: () => child.kill('SIGTERM') })
    })
    child.on('exit', code => reject(new Error(`server ended with ${code}: ${output}`)))
  })
}

/** User and system time of a process so far, in milliseconds. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
