/**
 * Faults on demand, between the routes and the engine. Where none are wanted there is no such object, and nothing of this
 * runs. A request is decided on and answered as ever, or refused before its key is looked at; the answer then waits, or goes
 * out drop by drop. So bodies are read and quotas counted as without it.
 */
import { Dice, type Outcome } from '../chaos/dice.js'
import { type FaultStatus, type Plan, rateText } from '../chaos/expression.js'
import type { HttpResponse, Sender } from '../engines/engine.js'
import type { ErrorName } from '../errors.js'
import type { Tally } from '../metrics/tally.js'
import { withLines } from '../responses/head.js'
import type { Responder } from '../responses/respond.js'
import { type AnswerTo, HEALTH_PATH } from './routes.js'

const REFUSALS = {
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'dbUnavailable',
} as const satisfies Record<FaultStatus, ErrorName>
/** What a refusal made here says of when to try again. */
const RETRY_SECONDS = 1
/** Answers that wait or drip at once, in a thread; beyond, requests are left in peace. */
const HELD_MAX = 16_384
/** Of a slow body: short of what fills the engine's buffer, and often enough that nobody takes it for silence. */
const PIECE_BYTES_MAX = 8_192
const PIECES_A_SECOND = 10

export interface ChaosOptions {
  sender: Sender
  plan: Plan
  /** Each thread draws outcomes of its own. */
  thread?: number
  tally?: Tally | undefined
  heldMax?: number
}

/** An answer that is held back; over once it is out or its client has gone away. */
class Held {
  readonly #release: () => void
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(res: HttpResponse, release: () => void) {
    this.#release = release
    res.onAborted(() => this.end())
  }

  after(ms: number, step: () => void): void {
    this.#timer = setTimeout(step, ms)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#release()
  }
}

/** How much of a slow body goes out at once, and how long it is until the next. */
export function paceOf(bytesPerSecond: number): { pieceBytes: number; everyMs: number } {
  const pieceBytes = Math.min(PIECE_BYTES_MAX, Math.ceil(bytesPerSecond / PIECES_A_SECOND))
  return { pieceBytes, everyMs: (1000 * pieceBytes) / bytesPerSecond }
}

function labelled(head: ArrayBuffer, { latencyMs, status, bytesPerSecond }: Outcome): ArrayBuffer {
  const told = [
    ...(latencyMs > 0 ? [`latency=${latencyMs}ms`] : []),
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(bytesPerSecond > 0 ? [`slow-body=${rateText(bytesPerSecond)}`] : []),
  ]
  return withLines(head, told.length > 0 ? `\r\nX-Hsapi-Chaos: ${told.join(', ')}` : '')
}

export class Chaos implements Sender {
  readonly #sender: Sender
  readonly #thread: number
  readonly #tally: Tally | undefined
  readonly #heldMax: number
  #dice!: Dice
  /** What befalls answers that are not sent yet. */
  readonly #outcomes = new WeakMap<HttpResponse, Outcome>()
  #held = 0
  /** As the responders': answers that come late end their connections all the same. */
  closing = false

  constructor({ sender, plan, thread = 0, tally, heldMax = HELD_MAX }: ChaosOptions) {
    this.#sender = sender
    this.#thread = thread
    this.#tally = tally
    this.#heldMax = heldMax
    this.follow(plan)
  }

  /** From now on; outcomes are drawn from the beginning. */
  follow(plan: Plan): void {
    this.#dice = new Dice(plan, HEALTH_PATH, this.#thread)
  }

  /** An answer that chaos may befall; `refuse` sends a refusal for which no key is looked at. */
  around(answer: AnswerTo, refuse: (out: Responder, name: ErrorName, retrySeconds: number) => void): AnswerTo {
    return (req, out, res) => {
      const outcome = this.#dice.roll(req.getUrl())
      if (outcome === undefined || this.#held >= this.#heldMax) return answer(req, out, res)
      if (outcome.latencyMs > 0) this.#tally?.increment('chaosLatency')
      if (outcome.isReset) return this.#reset(res, outcome.latencyMs)
      this.#outcomes.set(res, outcome)
      out.delayed(outcome.latencyMs)
      if (outcome.status === undefined) return answer(req, out, res)
      this.#tally?.increment('chaosStatus')
      refuse(out, REFUSALS[outcome.status], RETRY_SECONDS)
    }
  }

  #hold(res: HttpResponse): Held {
    this.#held++
    return new Held(res, () => {
      this.#held--
    })
  }

  #reset(res: HttpResponse, latencyMs: number): void {
    this.#tally?.increment('chaosReset')
    if (latencyMs === 0) return res.close()
    const held = this.#hold(res)
    held.after(latencyMs, () => {
      held.end()
      res.close()
    })
  }

  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    const outcome = this.#outcomes.get(res)
    if (outcome === undefined) return this.#sender.send(res, head, body, closing)
    const block = labelled(head, outcome)
    if (outcome.bytesPerSecond > 0) this.#tally?.increment('chaosSlowBody')
    if (outcome.latencyMs === 0 && outcome.bytesPerSecond === 0) return this.#sender.send(res, block, body, closing)
    // the next answer is written over it
    const kept = new Uint8Array(body.byteLength)
    kept.set(body instanceof Uint8Array ? body : new Uint8Array(body))
    const held = this.#hold(res)
    const begin = () => {
      const isLast = closing || this.closing
      if (outcome.bytesPerSecond > 0) return this.#drip(res, held, block, kept, outcome.bytesPerSecond, isLast)
      held.end()
      this.#sender.send(res, block, kept, isLast)
    }
    if (outcome.latencyMs === 0) begin()
    else held.after(outcome.latencyMs, () => void res.cork(begin))
  }

  /** No body, nothing to be slow about. */
  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void {
    const outcome = this.#outcomes.get(res)
    if (outcome === undefined) return this.#sender.sendHead(res, head, length, closing)
    const block = labelled(head, { ...outcome, bytesPerSecond: 0 })
    if (outcome.latencyMs === 0) return this.#sender.sendHead(res, block, length, closing)
    const held = this.#hold(res)
    const send = () => {
      held.end()
      this.#sender.sendHead(res, block, length, closing || this.closing)
    }
    held.after(outcome.latencyMs, () => void res.cork(send))
  }

  #drip(res: HttpResponse, held: Held, head: ArrayBuffer, body: Uint8Array, bytesPerSecond: number, closing: boolean): void {
    const { pieceBytes, everyMs } = paceOf(bytesPerSecond)
    res.writeStatus(head)
    if (closing) res.writeHeader('Connection', 'close')
    const step = () => {
      // what was not taken is offered again
      const from = res.getWriteOffset()
      const [, isOut] = res.tryEnd(body.subarray(from, from + pieceBytes), body.length)
      if (isOut) held.end()
      else held.after(everyMs, () => void res.cork(step))
    }
    step()
  }
}
