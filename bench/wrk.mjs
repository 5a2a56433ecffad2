/** Runs wrk on the core of the load generator, and measures the CPU time of the server meanwhile. */
import { execFile, execFileSync } from 'node:child_process'
import { cpuMs, LOAD_CORE, pinned } from './process.mjs'

export function isInstalled(command) {
  try {
    execFileSync('which', [command], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const CONNECTIONS = 64
/** wrk waits for answers after its time is over. */
const GRACE_MS = 20_000

/**
 * @param {{port: number, path: string, headers?: object, connections?: number, seconds: number, script?: string,
 *   scriptArgs?: string[]}} load
 * @returns {Promise<{requests: number, refused: number, seconds: number}>} `refused`: answers other than 2xx and 3xx
 */
export function wrk({ port, path, headers = {}, connections = CONNECTIONS, seconds, script, scriptArgs = [] }) {
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`]
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`)
  if (script !== undefined) args.push('-s', script)
  args.push(`http://127.0.0.1:${port}${path}`)
  if (scriptArgs.length > 0) args.push('--', ...scriptArgs)
  const [command, all] = pinned(LOAD_CORE, 'wrk', args)
  return new Promise((resolve, reject) => {
    execFile(command, all, { timeout: seconds * 1000 + GRACE_MS }, (error, stdout, stderr) => {
      const counted = /(\d+) requests in ([\d.]+)(ms|s|m),/.exec(stdout)
      if (error || counted === null) return reject(error ?? new Error(`wrk: ${stdout}${stderr}`))
      const failed = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)
      const [connect, read, write] = (failed ?? []).slice(1).map(Number)
      if (connect + read + write > 0) return reject(new Error(`wrk: ${failed[0]}`))
      const unit = { ms: 0.001, s: 1, m: 60 }[counted[3]]
      resolve({
        requests: Number(counted[1]),
        refused: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
        seconds: Number(counted[2]) * unit,
      })
    })
  })
}

/**
 * One round: server CPU per request, and requests per second. `busy` is the share of time that the server worked: if it is well
 * below 1, the load generator limited the requests per second.
 */
export async function measure({ pid, port }, { status = 200, ...load }) {
  const before = cpuMs(pid)
  const startMs = performance.now()
  const { requests, refused, seconds } = await wrk({ port, ...load })
  const cpu = cpuMs(pid) - before
  const expected = status < 400 ? 0 : requests
  if (requests === 0) throw new Error(`${load.path}: no request was answered`)
  if (refused !== expected) throw new Error(`${load.path}: ${refused} of ${requests} answers were refusals, not ${expected}`)
  return {
    microseconds: (cpu * 1000) / requests,
    perSecond: requests / seconds,
    busy: cpu / (performance.now() - startMs),
  }
}
