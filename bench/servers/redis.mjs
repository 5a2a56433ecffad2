/** A separate redis-server on the core of the load generator, because the benchmark measures our process, not the store. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { LOAD_CORE, startProcess } from '../process.mjs'

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

export async function startRedis(folder) {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const server = await startProcess({
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    core: LOAD_CORE,
    isReady: output => (/Ready to accept connections/.test(output) ? { port } : undefined),
  })
  return { ...server, url: `redis://127.0.0.1:${port}` }
}

/** The output of redis-cli for a command. */
export function askRedis({ port }, ...command) {
  return execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }).trim()
}
