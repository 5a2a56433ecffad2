/** Runs an open or closed loop in its own process, on the core of the load generator. The job arrives as JSON on stdin. */
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { requestBytes } from '../dist/src/load-kit/load/connection.js'
import { closedLoop } from './closed-loop.mjs'
import { openLoop } from './open-loop.mjs'
import { LOAD_CORE, pinned } from './process.mjs'

const GRACE_MS = 30_000
const OUTPUT_BYTES_MAX = 1 << 20

/**
 * @param {{loop: 'open' | 'closed', port: number, requests: [string, object][], connections: number, seconds: number,
 *   rate?: number, count?: number}} job requests are paths with their headers
 */
export function runLoad(job) {
  const script = new URL(import.meta.url).pathname
  const [command, args] = pinned(LOAD_CORE, process.execPath, [script])
  return new Promise((resolve, reject) => {
    const options = { timeout: job.seconds * 1000 + GRACE_MS, maxBuffer: OUTPUT_BYTES_MAX }
    const child = execFile(command, args, options, (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))))
    child.stdin.end(JSON.stringify(job))
  })
}

async function main() {
  let text = ''
  for await (const part of process.stdin) text += part
  const { loop, port, requests, ...rest } = JSON.parse(text)
  const target = { host: '127.0.0.1', port }
  const ready = requests.map(([path, headers]) => ({ bytes: requestBytes(target, path, headers) }))
  const run = loop === 'open' ? openLoop : closedLoop
  process.stdout.write(JSON.stringify(await run({ target, requests: ready, ...rest })))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()
