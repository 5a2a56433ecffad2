/** Plays one case against a server and reports what is wrong with the answers. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { AnswerReader } from '../shared/answers.mjs'
import { faultOf } from '../shared/contract.mjs'
import { openSocket } from '../shared/program.mjs'

/** Limit for an answer, and for closing a connection that the client ended: a busy machine takes seconds. */
const ANSWER_MS = 20_000
const UNREAD_MS = 30
/**
 * Statuses that an engine sends by itself for bytes that are not HTTP or that it does not pass on to our code; the body is not
 * JSON.
 */
const ENGINE_STATUSES = [400, 408, 413, 417, 426, 431, 505]

const isOfEngine = ({ status, headers }) => ENGINE_STATUSES.includes(status) && headers.get('content-type') !== 'application/json'

function faultOfAnswer(answer, request) {
  const { status } = answer
  if (request === undefined && isOfEngine(answer)) return undefined
  const fault = faultOf(request?.method, request?.path, answer)
  if (fault !== undefined || request?.kind !== 'valid') return fault
  if (!request.statuses.includes(status)) return `status ${status}, not ${request.statuses}`
  if (status !== 200 || request.method === 'HEAD' || request.isRight === undefined) return undefined
  return request.isRight(JSON.parse(answer.body)) ? undefined : 'the answer to another request'
}

class Player {
  #one
  #socket
  #reader
  #fault
  #wake = () => {}
  #isClosed = false
  /** The engine reported a broken request before the earlier answers. */
  #isOvertaken = false
  #waitsSinceMs = Date.now()
  statuses = new Map()
  /** The longest time for one answer. */
  slowestMs = 0
  /** How long the server took to close after the client ended. */
  closingMs = 0

  constructor(one, port) {
    this.#one = one
    const requestOf = number => (number < one.answerable && !this.#isOvertaken ? one.requests[number] : undefined)
    this.#reader = new AnswerReader(
      number => requestOf(number)?.method,
      (answer, number) => {
        this.#isOvertaken ||= !one.isPatient && isOfEngine(answer)
        this.#endWait()
        this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1)
        const fault = faultOfAnswer(answer, requestOf(number))
        if (fault !== undefined) this.#fault ??= `answer ${number}: ${fault}`
      },
    )
    this.#socket = openSocket(port)
    if (one.reads)
      this.#socket.on('data', data => {
        this.#reader.take(data)
        this.#wake()
      })
    else this.#socket.pause()
    this.#socket.on('close', () => {
      this.#isClosed = true
      this.#reader.end()
      this.#wake()
    })
  }

  #endWait() {
    const nowMs = Date.now()
    this.slowestMs = Math.max(this.slowestMs, nowMs - this.#waitsSinceMs)
    this.#waitsSinceMs = nowMs
  }

  async #until(isDone, ms) {
    const deadline = Date.now() + ms
    while (!isDone() && Date.now() < deadline) {
      let timer
      await new Promise(done => {
        this.#wake = done
        timer = setTimeout(done, Math.max(1, deadline - Date.now()))
      })
      clearTimeout(timer)
    }
  }

  async #send() {
    const { bytes, cuts, isPatient, reads, answerableBytes } = this.#one
    let from = 0
    for (const to of [...cuts, ...(isPatient ? [answerableBytes] : []), bytes.length].sort((a, b) => a - b)) {
      if (this.#isClosed) return
      if (to > from) this.#socket.write(bytes.subarray(from, to))
      from = Math.max(from, to)
      if (to < bytes.length) await nextTurn()
      if (isPatient && reads && to === answerableBytes) await this.#answers()
    }
  }

  async #answers() {
    const { answerable, mayBeCut, isPatient, requests } = this.#one
    const isOver = () => this.#isClosed || this.#isOvertaken || this.#fault !== undefined
    await this.#until(() => this.#reader.count >= answerable || isOver(), ANSWER_MS)
    if (this.#reader.count < answerable) this.#endWait()
    // the connection may close before answers that were already sent arrive
    const isBroken = !isPatient && answerable < requests.length
    const isExcused = this.#isOvertaken || (this.#isClosed && (mayBeCut || isBroken))
    if (this.#reader.count < answerable && !isExcused)
      this.#fault ??= `${this.#reader.count} of ${answerable} answers came, then ${this.#isClosed ? 'the connection was closed' : 'nothing'}`
  }

  async play() {
    const { answerable, requests, reads, isAborted } = this.#one
    await this.#send()
    if (!reads) await wait(UNREAD_MS)
    else if (!isAborted) {
      await this.#answers()
      if (answerable < requests.length && !this.#isClosed) {
        this.#socket.end()
        const endedMs = Date.now()
        await this.#until(() => this.#isClosed, ANSWER_MS)
        this.closingMs = Date.now() - endedMs
        if (!this.#isClosed) this.#fault ??= 'the connection stays open although the client ended it'
      } else if (answerable === requests.length && !this.#isClosed && !this.#reader.isBetween)
        this.#fault ??= 'more answers came than requests were sent'
    }
    // a reset avoids a port that stays in TIME_WAIT for a minute
    if (!this.#isClosed) this.#socket.resetAndDestroy()
    this.#fault ??= this.#reader.problem
    const isCut = this.#reader.count < answerable
    const { statuses, slowestMs, closingMs } = this
    return { fault: this.#fault, statuses, isCut, slowestMs, closingMs }
  }
}

/** @returns {Promise<{fault?: string, statuses: Map<number, number>, isCut: boolean, slowestMs: number, closingMs: number}>} */
export function play(one, port) {
  return new Player(one, port).play()
}
