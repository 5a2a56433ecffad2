/** Starts a real redis-server on a free port for one test. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryDirectory } from './service.js'

/** Debian packages one or the other, depending on the release. They are compatible. */
const PROGRAM = ['redis-server', 'valkey-server'].find(name => spawnSync(name, ['--version']).error === undefined)
/** The reason to skip tests with Redis, or false. In CI these tests are not skipped but fail. */
export const WITHOUT_REDIS = PROGRAM === undefined && process.env.CI === undefined && 'redis-server is not installed'

export interface RedisServer {
  port: number
  url: string
  child: ChildProcess
  /** Runs redis-cli and returns its output. */
  cli(...args: string[]): Promise<string>
  kill(): Promise<void>
  /** Starts the server again with the same port and folder. `env` adds variables. */
  restart(env?: Record<string, string>): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

async function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Starts a server. `env` adds variables, for example to change its clock. */
export async function startRedis(t: Test, args: string[] = [], env: Record<string, string> = {}): Promise<RedisServer> {
  if (PROGRAM === undefined) throw new Error('redis-server is not installed')
  const port = await freePort()
  const directory = temporaryDirectory(t)
  const run = async (more: Record<string, string> = {}): Promise<ChildProcess> => {
    const basic = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory]
    const child = spawn(PROGRAM, [...basic, ...args], {
      stdio: 'ignore',
      env: { ...process.env, ...env, ...more },
    })
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`)
      await new Promise(done => setTimeout(done, 20))
    }
    return child
  }
  const end = (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
    child.kill('SIGKILL')
    return ended
  }
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    child: await run(),
    cli: async (...command) => {
      const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), ...command])
      return stdout.trim()
    },
    kill: () => end(server.child),
    restart: async more => {
      server.child = await run(more)
    },
  }
  t.teardown(() => end(server.child))
  return server
}
