/** Load on keep-alive connections: each sends its next request after the previous answer, and every answer is checked. */
import { setTimeout as wait } from 'node:timers/promises'
import { AnswerReader } from './answers.mjs'
import { openSocket } from './program.mjs'

/** A request without an answer after this time is lost. */
const ANSWER_MS = 30_000
const WRONG_MAX = 20
/** Pause between attempts to connect while no server listens. */
const AGAIN_MS = 5

/** Whether the server counts a request with a valid key: refused requests and paths without a key are not counted. */
const isCounted = ({ status }, { path }) =>
  status !== 401 && status !== 429 && path.startsWith('/api/v1/') && !/^\/api\/v1\/(health|nowhere)/.test(path)

export class Load {
  #options
  #isOver = false
  #lanes
  answered = 0
  statuses = {}
  /** Requests that were not answered, or answered wrongly. */
  wrong = []
  wrongCount = 0
  /** By key: the answer times of counted requests, in milliseconds. */
  countedMs = new Map()
  latencyMsMax = 0

  /**
   * @param {{port: () => number, connections: number, mayBeCutOff?: boolean, lasts?: boolean,
   *   next: (lane: number, turn: number) => {method?: string, path: string, key?: string, pauseMs?: number},
   *   check?: (answer: object, request: object) => string | undefined}} options
   *   `mayBeCutOff`: the server is killed, so requests in progress may be lost
   */
  constructor(options) {
    this.#options = options
  }

  start() {
    this.#lanes = Promise.all(Array.from({ length: this.#options.connections }, (_, lane) => this.#run(lane)))
    return this
  }

  async stop() {
    this.#isOver = true
    await this.#lanes
    return this
  }

  #addWrong(text) {
    this.wrongCount++
    if (this.wrong.length < WRONG_MAX) this.wrong.push(text)
  }

  /** The number of requests that the server must have counted for a key, according to the answers. */
  counted(key) {
    return this.countedMs.get(key)?.length ?? 0
  }

  countedBefore(key, ms) {
    return (this.countedMs.get(key) ?? []).filter(at => at <= ms).length
  }

  async #run(lane) {
    let connection
    for (let turn = 0; !this.#isOver; turn++) {
      const request = this.#options.next(lane, turn)
      if (request.pauseMs > 0) await wait(request.pauseMs)
      connection ??= await this.#connect()
      if (connection === undefined) {
        await wait(AGAIN_MS)
        continue
      }
      const sentMs = performance.now()
      const answer = await connection.ask(request)
      if (answer === undefined) {
        if (!this.#options.mayBeCutOff) this.#addWrong(`${request.method ?? 'GET'} ${request.path} got no answer`)
        connection = undefined
        continue
      }
      this.latencyMsMax = Math.max(this.latencyMsMax, performance.now() - sentMs)
      this.#take(answer, request)
      if (connection.isOver || answer.headers.get('connection') === 'close') {
        connection.close()
        connection = undefined
      }
    }
    connection?.close()
  }

  #take(answer, request) {
    this.answered++
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    if (request.key !== undefined && isCounted(answer, request)) {
      if (!this.countedMs.has(request.key)) this.countedMs.set(request.key, [])
      this.countedMs.get(request.key).push(Date.now())
    }
    const wrong = this.#options.check?.(answer, request)
    if (wrong !== undefined) this.#addWrong(`${request.path}: ${wrong}`)
  }

  /** Undefined if no server listens or accepts the connection; then nothing was sent. */
  #connect() {
    const socket = openSocket(this.#options.port())
    return new Promise(done => {
      socket.once('connect', () => done(new KeptConnection(socket)))
      socket.once('close', () => done(undefined))
    })
  }
}

class KeptConnection {
  #socket
  #method = 'GET'
  #onAnswer = () => {}
  isOver = false

  constructor(socket) {
    this.#socket = socket
    const reader = new AnswerReader(
      () => this.#method,
      answer => this.#onAnswer(answer),
    )
    socket.on('data', data => reader.take(data))
    socket.on('close', () => {
      this.isOver = true
      this.#onAnswer(undefined)
    })
  }

  /** The answer, or undefined if the connection ended without one. */
  ask({ method = 'GET', path, key }) {
    if (this.isOver) return Promise.resolve(undefined)
    this.#method = method
    const header = key === undefined ? '' : `X-Api-Key: ${key}\r\n`
    return new Promise(done => {
      const timer = setTimeout(() => this.#socket.destroy(), ANSWER_MS)
      this.#onAnswer = answer => {
        clearTimeout(timer)
        done(answer)
      }
      this.#socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`)
    })
  }

  close() {
    this.#socket.resetAndDestroy()
  }
}

/** Sends one request on a new connection. */
export async function ask(port, path, key, method = 'GET') {
  const socket = openSocket(port)
  await new Promise((done, fail) => {
    socket.once('connect', done)
    socket.once('close', () => fail(new Error(`nobody listens on port ${port}`)))
  })
  const connection = new KeptConnection(socket)
  const answer = await connection.ask({ method, path, key })
  connection.close()
  if (answer === undefined) throw new Error(`${path} got no answer`)
  return answer
}

/** The server's count for a key today; this request itself is not counted. */
export async function countedToday(port, key) {
  const { headers } = await ask(port, '/api/v1/health', key)
  return Number(headers.get('x-ratelimit-limit-day')) - Number(headers.get('x-ratelimit-remaining-day'))
}
