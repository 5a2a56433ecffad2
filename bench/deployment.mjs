/** Load on a deployment: the mix of mix.mjs, with the status of every answer checked. */
import { Connection, parseTarget, requestBytes } from '../dist/src/load-kit/load/connection.js'
import { closedLoop } from './closed-loop.mjs'
import { openLoop } from './open-loop.mjs'

/** Enough connections that one is always free, unless the deployment is far behind. */
const RATE_CONNECTIONS_MIN = 16
const RATE_CONNECTIONS_MAX = 256
const FIRST_ANSWER_MS = 10_000

/** Thrown if nothing could be measured. The message is for the user: the cause is not a bug. */
export class LoadError extends Error {}

export class Deployment {
  #target
  #requests
  #first

  /** @param {{path: string, status: number}[]} mix requests that can all be sent with one key */
  constructor({ url, key }, mix) {
    this.url = url
    const target = parseTarget(url)
    const base = new URL(url).pathname.replace(/\/$/, '')
    const bytes = path => requestBytes(target, base + path, { 'X-Api-Key': key })
    this.#target = target
    this.#first = bytes('/api/v1/hs-codes/85')
    this.#requests = mix.map(({ path, status }) => ({ bytes: bytes(path), status }))
  }

  /** Fails early if the deployment does not answer or rejects the key. */
  check() {
    return this.#withUrlInErrors(this.#checkKey())
  }

  #withUrlInErrors(measured) {
    return measured.catch(error => {
      throw new LoadError(`${this.url}: ${error.message}`)
    })
  }

  async #checkKey() {
    let connection
    let timer
    const status = await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer within 10 seconds')), FIRST_ANSWER_MS)
      const onEnd = error => reject(error ?? new Error('it closed the connection'))
      Connection.open(this.#target, resolve, onEnd).then(opened => {
        connection = opened
        connection.send(this.#first)
      }, reject)
    }).finally(() => clearTimeout(timer))
    connection.close()
    if (status === 401) throw new Error('the deployment does not know this key (401)')
  }

  async atRate(rate, { seconds, count, warmSeconds }) {
    const wanted = Math.ceil(rate / 100)
    const connections = Math.min(RATE_CONNECTIONS_MAX, Math.max(RATE_CONNECTIONS_MIN, wanted))
    const load = {
      target: this.#target,
      requests: this.#requests,
      rate,
      connections,
      seconds,
      count,
      warmSeconds,
    }
    const result = await this.#withUrlInErrors(openLoop(load))
    const wrong = result.unexpected + result.failures + result.unanswered
    return { ...result, perSecond: result.answered / result.seconds, errors: wrong / result.due }
  }

  async asFastAsAnswered(connections, { seconds, count }) {
    const load = { target: this.#target, requests: this.#requests, connections, seconds, count }
    const result = await this.#withUrlInErrors(closedLoop(load))
    const wrong = result.unexpected + result.failures
    return {
      ...result,
      perSecond: result.answered / result.seconds,
      errors: wrong / (result.answered + result.failures),
    }
  }
}
