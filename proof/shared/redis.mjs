/** A separate redis-server, and a proxy that slows or cuts its connections. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './program.mjs'

/** Time limit of redis-cli, because a paused server does not answer. */
const CLI_MS = 20_000

export const isRedisHere = spawnSync('redis-server', ['--version']).error === undefined

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export class RedisProcess {
  #folder
  #child
  #options = []
  port = 0
  /** Arguments for redis-cli. */
  password = ''

  constructor(folder) {
    this.#folder = folder
  }

  /** Starts the server, or starts it again with the same options. */
  async start(...options) {
    if (this.port === 0) this.port = await freePort()
    if (options.length > 0) this.#options = options
    return this.#spawn(['--save', ''])
  }

  /** Starts the server with a configuration file that the server may rewrite. */
  startFrom(file, ...options) {
    this.#options = options
    return this.#spawn([file])
  }

  async #spawn(first) {
    mkdirSync(this.#folder, { recursive: true })
    const [file, ...rest] = first[0].startsWith('--') ? [undefined, ...first] : first
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder]
    const options = [...(file === undefined ? [] : [file]), ...own, ...rest, ...this.#options]
    const child = spawn('redis-server', options, { stdio: 'ignore' })
    running.add(child)
    child.once('close', () => running.delete(child))
    this.#child = child
    while (!(await this.#answers())) {
      if (this.#child.exitCode !== null) throw new Error(`redis-server ended with ${this.#child.exitCode}`)
      await wait(10)
    }
    return this
  }

  #answers() {
    return new Promise(done => {
      const socket = connect(this.port, '127.0.0.1')
      socket.on('connect', () => {
        socket.destroy()
        done(true)
      })
      socket.on('error', () => done(false))
    })
  }

  signal(name) {
    this.#child.kill(name)
  }

  async kill() {
    const ended = new Promise(done => this.#child.once('close', done))
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Asynchronous, because the caller may be measuring time. */
  async cli(...command) {
    const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(this.port), ...command], {
      timeout: CLI_MS,
      env: { ...process.env, ...(this.password !== '' && { REDISCLI_AUTH: this.password }) },
    })
    return stdout.trim()
  }
}

export class DelayProxy {
  #server
  port = 0
  delayMs = 0
  isCut = false
  #isHeld = false
  #sockets = new Set()

  async start(target) {
    this.#server = createServer(user => {
      const store = connect(target, '127.0.0.1')
      this.#pass(user, store)
      this.#pass(store, user)
    })
    await new Promise(done => this.#server.listen(0, '127.0.0.1', done))
    this.port = this.#server.address().port
    this.#server.unref()
    return this
  }

  /** Delays all traffic without loss. */
  hold() {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  release() {
    this.#isHeld = false
    for (const socket of this.#sockets) socket.resume()
  }

  #pass(from, to) {
    this.#sockets.add(from)
    from.on('close', () => this.#sockets.delete(from))
    from.on('data', piece => {
      if (this.isCut) return
      if (this.delayMs > 0) setTimeout(() => to.write(piece), this.delayMs)
      else to.write(piece)
    })
    for (const event of ['close', 'error']) from.on(event, () => to.destroy())
    if (this.#isHeld) from.pause()
  }
}
