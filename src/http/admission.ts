/**
 * Who is let through to a handler: key, quota, visitors of our own pages, and requests that wait for the store that replicas share.
 * A refusal is answered here.
 */
import type { Catalog } from '../catalog/catalog.js'
import type { Clock } from '../clock.js'
import type { HttpRequest, HttpResponse } from '../engines/engine.js'
import { HeldRequest } from '../engines/held-request.js'
import { readKey } from '../engines/request.js'
import type { ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { Refusal } from '../questions/refusal.js'
import { Verdict } from '../quotas/verdict.js'
import type { Waiter } from '../quotas/waiting-requests.js'
import type { Paused, Responder } from '../responses/respond.js'
import { BODY_RETRY_SECONDS, Bodies, type Body, type BodyBounds } from './body.js'
import type { AnswerTo, BodyRoute, KeyedRoute, OpenRoute, Prepared, PreparedBody } from './routes.js'
import type { Visitors } from './visitors.js'

const STARTING_RETRY_SECONDS = 1

type Refused = Exclude<Verdict, Verdict.Admitted | Verdict.Waiting>
/** Decides on so many requests, all of them or none. */
type Admit = (requests: number) => Verdict

const REFUSAL_OF = {
  [Verdict.MissingKey]: 'missingApiKey',
  [Verdict.InvalidKey]: 'invalidApiKey',
  [Verdict.ExpiredKey]: 'apiKeyExpired',
  [Verdict.OverLimit]: 'rateLimitExceeded',
} as const satisfies Record<Exclude<Refused, Verdict.NoKeys>, ErrorName>

function neverPasses(requests: number, limit: number): Refusal {
  const message = `This counts ${requests} requests and can never pass with this key, which has ${limit} at most; send less at once.`
  return new Refusal('rateLimitExceeded', message)
}

export interface AdmissionOptions {
  gate: Gate
  clock: Clock
  /** Who may use the key of the server's own pages, where those need no other. */
  visitors?: Visitors | undefined
  /** Answers a request that failed by our mistake. */
  onFault(error: unknown, out: Responder): void
  bodyBounds?: Partial<BodyBounds> | undefined
}

export class Admission {
  readonly #gate: Gate
  readonly #clock: Clock
  readonly #visitors: Visitors | undefined
  readonly #onFault: (error: unknown, out: Responder) => void
  readonly #bodies: Bodies
  /** What is to be done with a catalog, once there is one. */
  readonly #prepare: ((catalog: Catalog) => void)[] = []
  #isReady = false

  constructor({ gate, clock, visitors, onFault, bodyBounds }: AdmissionOptions) {
    this.#gate = gate
    this.#clock = clock
    this.#visitors = visitors
    this.#onFault = onFault
    this.#bodies = new Bodies(bodyBounds)
  }

  /** Until the first call keyed endpoints answer 503. */
  serve(catalog: Catalog): void {
    for (const step of this.#prepare) step(catalog)
    this.#isReady = true
  }

  openAnswer(route: OpenRoute): AnswerTo {
    const handle = route.prepare()
    return (req, out, res) => {
      const verdict = this.#gate.peek(readKey(req), this.#clock.now())
      if (verdict === Verdict.Waiting) return this.#wait(res, out, () => handle(this.#isReady, out))
      const visitor = this.#visitorOf(verdict, req, res)
      if (visitor !== '') this.#decideOfVisitor(visitor, 0)
      handle(this.#isReady, out)
    }
  }

  keyedAnswer(route: KeyedRoute): AnswerTo {
    const gate = this.#gate
    const clock = this.#clock
    let { answer, charge }: Prepared = { answer: (_req, out) => this.#refuseStarting(out) }
    this.#prepare.push(catalog => {
      ;({ answer, charge } = route.prepare(catalog))
    })
    return (req, out, res) => {
      const key = readKey(req)
      // how many requests one counts as is found out for those with a key only
      const requests = charge !== undefined && this.#isKnown(key, req, res) ? charge(req) : 1
      const verdict = gate.admit(key, clock.now(), requests)
      if (verdict === Verdict.Admitted) answer(req, out.answer(req))
      else if (verdict === Verdict.Waiting) this.#keepWaiting(req, res, out, requests, held => answer(held, out.answer(held)))
      else if (this.#isAdmittedVisitor(verdict, req, out, res, requests)) answer(req, out.answer(req))
    }
  }

  /** Whether anything may be asked with this key now. */
  #isKnown(key: string, req: HttpRequest, res: HttpResponse): boolean {
    const verdict = this.#gate.peek(key, this.#clock.now())
    if (verdict === Verdict.Admitted || verdict === Verdict.Waiting) return true
    return this.#visitorOf(verdict, req, res) !== ''
  }

  /** Answers all but visitors of our own pages who may pass. */
  #isAdmittedVisitor(verdict: Refused, req: HttpRequest, out: Responder, res: HttpResponse, requests: number): boolean {
    const visitor = this.#visitorOf(verdict, req, res)
    const decided = visitor === '' ? verdict : this.#decideOfVisitor(visitor, requests)
    if (decided === Verdict.Admitted) return true
    this.#refuse(decided, out, requests)
    return false
  }

  /**
   * The address of a visitor of our own pages; '' for anyone else. To be asked only of those who have no key here, so that
   * whoever has one does not pay for it.
   */
  #visitorOf(verdict: Verdict, req: HttpRequest, res: HttpResponse): string {
    const isUnknown = verdict === Verdict.InvalidKey || verdict === Verdict.NoKeys
    return isUnknown ? (this.#visitors?.addressWithKey(readKey(req), req, res) ?? '') : ''
  }

  #decideOfVisitor(address: string, requests: number): Verdict.Admitted | Refused {
    const { guests } = this.#visitors as Visitors
    const verdict = guests.count(address, this.#clock.now(), requests)
    this.#gate.showGuest(guests)
    return verdict as Verdict.Admitted | Refused
  }

  #keepWaiting(req: HttpRequest, res: HttpResponse, out: Responder, requests: number, answer: (req: HttpRequest) => void): void {
    const held = new HeldRequest(req)
    this.#wait(res, out, verdict => {
      if (verdict === Verdict.Admitted) answer(held)
      else this.#refuse(verdict, out, requests)
    })
  }

  /** The store that replicas share has to be asked first; the request is dead by then, the response is not. */
  #wait(res: HttpResponse, out: Responder, answer: (verdict: Verdict.Admitted | Refused) => void): void {
    const paused = out.pause()
    const waiter = this.#gate.wait(verdict => this.#resume(res, out, paused, () => answer(verdict as Verdict.Admitted | Refused)))
    res.onAborted(() => waiter.cancel())
  }

  #resume(res: HttpResponse, out: Responder, paused: Paused, answer: () => void): void {
    res.cork(() => {
      out.resume(res, paused)
      try {
        answer()
      } catch (error) {
        this.#onFault(error, out)
      }
    })
  }

  /**
   * One request is charged before the body is read, the others that it counts as once they are known: reading costs something,
   * whatever becomes of it.
   */
  bodyAnswer(route: BodyRoute): AnswerTo {
    let prepared: PreparedBody = { answer: (_body, out) => this.#refuseStarting(out) }
    this.#prepare.push(catalog => {
      prepared = route.prepare(catalog)
    })
    const answer = (body: Body, admit: Admit, res: HttpResponse, out: Responder) => {
      if (body instanceof Refusal) return out.refuse(body, BODY_RETRY_SECONDS)
      const requests = prepared.charge?.(body.json) ?? 1
      const finish = (verdict: Verdict.Admitted | Refused) => {
        if (verdict === Verdict.Admitted) prepared.answer(body.json, out)
        else this.#refuse(verdict, out, requests)
      }
      const verdict = requests > 1 ? admit(requests - 1) : Verdict.Admitted
      if (verdict === Verdict.Waiting) this.#wait(res, out, finish)
      else finish(verdict)
    }
    return (req, out, res) => {
      const key = readKey(req)
      const verdict = this.#gate.admit(key, this.#clock.now())
      const visitor = this.#visitorOf(verdict, req, res)
      const first = visitor === '' ? verdict : this.#decideOfVisitor(visitor, 1)
      if (first !== Verdict.Admitted && first !== Verdict.Waiting) return this.#refuse(first, out, 1)
      const admit: Admit = requests =>
        visitor === '' ? this.#gate.admit(key, this.#clock.now(), requests) : this.#decideOfVisitor(visitor, requests)
      const owner = visitor === '' ? key : visitor
      this.#readBody(res, req, out, first, owner, body => answer(body, admit, res, out))
    }
  }

  /** Reads the body of a request that was admitted, or that the store is still to be asked about. */
  #readBody(
    res: HttpResponse,
    req: HttpRequest,
    out: Responder,
    first: Verdict.Admitted | Verdict.Waiting,
    owner: string,
    answer: (body: Body) => void,
  ): void {
    const paused = out.pause()
    const incoming = this.#bodies.read(res, req, owner)
    let waiter: Waiter | undefined
    res.onAborted(() => {
      incoming.stop()
      waiter?.cancel()
    })
    const answerWhenRead = () => {
      const { decided } = this.#gate
      incoming.whenRead(body =>
        this.#resume(res, out, paused, () => {
          this.#gate.show(decided)
          answer(body)
        }),
      )
    }
    if (first === Verdict.Admitted) return answerWhenRead()
    waiter = this.#gate.wait(verdict => {
      if (verdict === Verdict.Admitted) return answerWhenRead()
      incoming.stop()
      this.#resume(res, out, paused, () => this.#refuse(verdict as Refused, out, 1))
    })
  }

  #refuseStarting(out: Responder): void {
    out.refuseFor('dbUnavailable', STARTING_RETRY_SECONDS)
  }

  #refuse(verdict: Refused, out: Responder, requests: number): void {
    if (verdict === Verdict.NoKeys) return this.#refuseStarting(out)
    if (verdict !== Verdict.OverLimit) return out.refuseFor(REFUSAL_OF[verdict], 0)
    const { shown, retryAfterSeconds } = this.#gate
    const limit = Math.min(shown.limitMinute, shown.limitDay)
    if (requests > 1 && requests > limit) out.refuse(neverPasses(requests, limit), retryAfterSeconds)
    else out.refuseFor(REFUSAL_OF[verdict], retryAfterSeconds)
  }
}
