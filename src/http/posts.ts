/** Answers POST: receives a body, charges for it in steps, and processes it, in parts if the work takes long. */
import type { Clock } from '../clock.js'
import type { HttpRequest } from '../engines/engine.js'
import { readHeaders, readKey, readQueryText } from '../engines/request.js'
import type { Gate } from '../gate/gate.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { Verdict } from '../quotas/verdict.js'
import type { Responder } from '../responses/respond.js'
import { BATCH_RETRY_SECONDS, type Batch, Batches, type Work } from './batches.js'
import { BODY_RETRY_SECONDS, Bodies, type Body, type BodyBounds, type IncomingBody, parseBody, requestsOfSize } from './body.js'
import { Exchange, type ReceivedMessage, type Reply } from './exchange.js'
import type { HandlersInUse } from './handlers-in-use.js'
import type { PausedRequests } from './paused-requests.js'
import type { Payer, Payers } from './payers.js'
import { refuseByVerdict, refuseStarting, type Settled } from './refuse.js'
import type { BodyRequest, BodyRoute, ProtocolRoute, RouteHandler } from './routes.js'

/** Maximum number of characters of a sent parameter name that an error message shows. */
const SHOWN_CHARS_MAX = 40

const STARTING: BodyRequest = { requests: 1, answer: refuseStarting }

interface Post {
  out: Responder
  payer: Payer
  /** Requests charged so far. */
  paid: number
}

type ReplyTo = (exchange: Exchange) => Promise<Reply>

function refuseMisplaced(name: string, out: Responder): void {
  out.refuse(invalidParameter(name.slice(0, SHOWN_CHARS_MAX), 'belongs in the body of a POST, not in its address'))
}

function firstParameterOf(req: HttpRequest): string | undefined {
  const [name] = new URLSearchParams(readQueryText(req)).keys()
  return name
}

export class Posts {
  readonly #bodies: Bodies
  readonly #batches = new Batches()

  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly handlers: HandlersInUse,
    private readonly paused: PausedRequests,
    private readonly payers: Payers,
    bodyBounds?: Partial<BodyBounds>,
  ) {
    this.#bodies = new Bodies(bodyBounds)
  }

  /** Charges one request before receiving the body, more for a large body before parsing it, and the rest afterwards. */
  bodyAnswer(route: BodyRoute): RouteHandler {
    const read = this.handlers.add<(json: unknown, today: string) => BodyRequest>(
      catalog => route.prepare(catalog),
      () => STARTING,
    )
    return (req, out, res) => {
      const { payer, verdict } = this.payers.admit(req, res)
      if (verdict !== Verdict.Admitted && verdict !== Verdict.Waiting) return refuseByVerdict(verdict, this.gate, out, 1)
      const post = { out, payer, paid: 1 }
      const misplaced = route.refusesQuery ? firstParameterOf(req) : undefined
      const incoming = this.#bodies.read(res, req, payer.name, route.bytesMax)
      this.#receive(incoming, out, verdict, body => {
        if (misplaced !== undefined) return refuseMisplaced(misplaced, out)
        this.#parse(body, post, json => this.#answer(read.current(json, out.today()), post))
      })
    }
  }

  /** Charges like `bodyAnswer` until the body is parsed. Further requests are charged once the protocol knows their number. */
  protocolAnswer(route: ProtocolRoute): RouteHandler {
    const reply = this.handlers.add<ReplyTo | undefined>(catalog => route.prepare(catalog), undefined)
    return (req, out, res) => {
      const key = readKey(req)
      const post = { out, payer: this.payers.ofKey(key), paid: 1 }
      const verdict = post.payer.charge(1)
      if (verdict !== Verdict.Admitted && verdict !== Verdict.Waiting) return refuseByVerdict(verdict, this.gate, out, 1)
      const headers = readHeaders(req)
      this.#receive(this.#bodies.read(res, req, key), out, verdict, body =>
        this.#parse(body, post, json => {
          if (reply.current === undefined) return refuseStarting(out)
          this.#replyToMessage(reply.current, { key, headers, body: json }, post)
        }),
      )
    }
  }

  /** Reads the body while Redis decides: an engine drops data that nobody reads. */
  #receive(
    incoming: IncomingBody,
    out: Responder,
    first: Verdict.Admitted | Verdict.Waiting,
    answer: (body: Body) => void,
  ): void {
    const paused = this.paused.pause(out, () => {
      incoming.stop()
      waiter?.cancel()
    })
    const answerWhenRead = () => incoming.whenRead(body => this.paused.resume(out, paused, () => answer(body)))
    const answerOnceSettled = (verdict: Settled) => {
      if (verdict === Verdict.Admitted) return answerWhenRead()
      incoming.stop()
      this.paused.resume(out, paused, () => refuseByVerdict(verdict, this.gate, out, 1))
    }
    const waiter = first === Verdict.Waiting ? this.paused.settle(paused, answerOnceSettled) : undefined
    if (first === Verdict.Admitted) answerWhenRead()
  }

  /** Charges for the size of a body before parsing it. */
  #parse(body: Body, post: Post, answer: (json: unknown) => void): void {
    if (body instanceof Refusal) return post.out.refuse(body, BODY_RETRY_SECONDS)
    this.#charge(requestsOfSize(body), post, () => {
      const parsed = parseBody(body)
      if (parsed instanceof Refusal) post.out.refuse(parsed, BODY_RETRY_SECONDS)
      else answer(parsed.json)
    })
  }

  /** Charges the part of `requests` that is not paid yet. Calls `forget` if the charge is refused or the client disconnects. */
  #charge(requests: number, post: Post, answer: () => void, forget?: () => void): void {
    const { out, payer, paid } = post
    if (requests <= paid) return answer()
    post.paid = requests
    const finish = (verdict: Settled) => {
      if (verdict === Verdict.Admitted) return answer()
      forget?.()
      refuseByVerdict(verdict, this.gate, out, requests)
    }
    const verdict = payer.charge(requests - paid)
    if (verdict === Verdict.Waiting) return this.paused.wait(out, finish, forget)
    out.showLastDecision()
    finish(verdict)
  }

  #answer({ requests, work, answer }: BodyRequest, post: Post): void {
    const { out, payer } = post
    if (work === undefined) return this.#charge(requests, post, () => answer(out))
    const batch = this.#batches.enter(payer.name)
    if (batch instanceof Refusal) return out.refuse(batch, BATCH_RETRY_SECONDS)
    const doWork = () => this.#work(work, batch, out, () => answer(out))
    this.#charge(requests, post, doWork, () => batch.end())
  }

  #work(work: Work, batch: Batch, out: Responder, answer: () => void): void {
    const paused = this.paused.pause(out, () => batch.end())
    batch.start(work, error =>
      this.paused.resume(out, paused, () => {
        if (error !== undefined) throw error
        answer()
      }),
    )
  }

  #replyToMessage(replyTo: ReplyTo, sent: ReceivedMessage, { out, paid }: Post): void {
    const paused = this.paused.pause(out, () => exchange.abort())
    const exchange = new Exchange(sent, paused, this.gate, this.clock, this.#batches, paid - 1)
    const finish = (answer: () => void) => {
      if (!exchange.signal.aborted) this.paused.resume(out, paused, answer)
    }
    const fail = (error: unknown) =>
      finish(() => {
        throw error
      })
    replyTo(exchange).then(({ status, body }) => finish(() => out.endReply(status, body)), fail)
  }
}
