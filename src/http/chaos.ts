/**
 * Injects faults between routes and engine. A request is refused before its key is checked, ends with a connection reset, or is
 * handled as usual. If it is handled, its body is read, and it counts toward the quota. Responses and resets may be delayed,
 * and responses may be sent slowly.
 */
import { copyOf } from '../engines/bytes.js'
import type { HttpResponse, Sender } from '../engines/engine.js'
import type { ErrorName } from '../errors.js'
import { type FaultStatus, type Plan, rateText } from '../load-kit/chaos/expression.js'
import { FaultPicker, type Outcome } from '../load-kit/chaos/fault-picker.js'
import type { Tally } from '../metrics/tally.js'
import { withLines } from '../responses/head.js'
import type { Responder } from '../responses/respond.js'
import { HEALTH_PATH, type RouteHandler } from './routes.js'

const REFUSALS = {
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'dbUnavailable',
} as const satisfies Record<FaultStatus, ErrorName>
const RETRY_SECONDS = 1
/** Maximum number of delayed responses per thread; beyond it, requests get no faults. */
const HELD_MAX = 16_384
const PIECE_BYTES_MAX = 8_192
const PIECES_PER_SECOND = 10

/** A delayed response, until it is sent or its client disconnects. */
interface Held {
  after(ms: number, step: () => void): void
  end(): void
}

export function paceOf(bytesPerSecond: number): { pieceBytes: number; intervalMs: number } {
  const pieceBytes = Math.min(PIECE_BYTES_MAX, Math.ceil(bytesPerSecond / PIECES_PER_SECOND))
  return { pieceBytes, intervalMs: (1000 * pieceBytes) / bytesPerSecond }
}

function withChaosHeader(head: ArrayBuffer, { latencyMs, status, bytesPerSecond }: Outcome): ArrayBuffer {
  const faults = [
    ...(latencyMs > 0 ? [`latency=${latencyMs}ms`] : []),
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(bytesPerSecond > 0 ? [`slow-body=${rateText(bytesPerSecond)}`] : []),
  ]
  return withLines(head, faults.length > 0 ? `\r\nX-Hsapi-Chaos: ${faults.join(', ')}` : '')
}

export class Chaos implements Sender {
  #picker!: FaultPicker
  readonly #outcomes = new WeakMap<HttpResponse, Outcome>()
  #held = 0
  /** Set when the server stops: delayed responses close their connections too. */
  closing = false

  constructor(
    private readonly sender: Sender,
    plan: Plan,
    private readonly thread = 0,
    private readonly tally?: Tally,
    private readonly heldMax = HELD_MAX,
  ) {
    this.setPlan(plan)
  }

  /** Replaces the faults, and restarts the random sequence from the seed. */
  setPlan(plan: Plan): void {
    this.#picker = new FaultPicker(plan, HEALTH_PATH, this.thread)
  }

  /** The number of delayed responses. */
  get held(): number {
    return this.#held
  }

  wrap(answer: RouteHandler, refuse: (out: Responder, name: ErrorName, retrySeconds: number) => void): RouteHandler {
    return (req, out, res) => {
      const outcome = this.#picker.pick(req.getUrl())
      if (outcome === undefined || this.#held >= this.heldMax) return answer(req, out, res)
      if (outcome.latencyMs > 0) this.tally?.increment('chaosLatency')
      if (outcome.isReset) return this.#reset(res, outcome.latencyMs)
      this.#outcomes.set(res, outcome)
      out.addDelay(outcome.latencyMs)
      if (outcome.status === undefined) return answer(req, out, res)
      this.tally?.increment('chaosStatus')
      refuse(out, REFUSALS[outcome.status], RETRY_SECONDS)
    }
  }

  #hold(res: HttpResponse): Held {
    this.#held++
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const after = (ms: number, step: () => void) => {
      timer = setTimeout(step, ms)
    }
    const end = () => {
      if (!isOver) this.#held--
      isOver = true
      clearTimeout(timer)
    }
    res.onAborted(end)
    return { after, end }
  }

  #reset(res: HttpResponse, latencyMs: number): void {
    this.tally?.increment('chaosReset')
    if (latencyMs === 0) return res.close()
    const held = this.#hold(res)
    held.after(latencyMs, () => {
      held.end()
      res.close()
    })
  }

  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void {
    const outcome = this.#outcomes.get(res)
    if (outcome === undefined) return this.sender.send(res, head, body, closing)
    const block = withChaosHeader(head, outcome)
    if (outcome.bytesPerSecond > 0) this.tally?.increment('chaosSlowBody')
    if (outcome.latencyMs === 0 && outcome.bytesPerSecond === 0) return this.sender.send(res, block, body, closing)
    // the body is copied, because the next response reuses its buffer
    const copy = copyOf(body)
    const held = this.#hold(res)
    const begin = () => {
      const isLast = closing || this.closing
      if (outcome.bytesPerSecond > 0) return this.#sendSlowly(res, held, block, copy, outcome.bytesPerSecond, isLast)
      held.end()
      this.sender.send(res, block, copy, isLast)
    }
    if (outcome.latencyMs === 0) begin()
    else held.after(outcome.latencyMs, () => void res.cork(begin))
  }

  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void {
    const outcome = this.#outcomes.get(res)
    if (outcome === undefined) return this.sender.sendHead(res, head, length, closing)
    const block = withChaosHeader(head, { ...outcome, bytesPerSecond: 0 })
    if (outcome.latencyMs === 0) return this.sender.sendHead(res, block, length, closing)
    const held = this.#hold(res)
    const send = () => {
      held.end()
      this.sender.sendHead(res, block, length, closing || this.closing)
    }
    held.after(outcome.latencyMs, () => void res.cork(send))
  }

  #sendSlowly(
    res: HttpResponse,
    held: Held,
    head: ArrayBuffer,
    body: Uint8Array,
    bytesPerSecond: number,
    closing: boolean,
  ): void {
    const { pieceBytes, intervalMs } = paceOf(bytesPerSecond)
    res.writeStatus(head)
    if (closing) res.writeHeader('Connection', 'close')
    const step = () => {
      const from = res.getWriteOffset()
      const [, isComplete] = res.tryEnd(body.subarray(from, from + pieceBytes), body.length)
      if (isComplete) held.end()
      else held.after(intervalMs, () => void res.cork(step))
    }
    step()
  }
}
