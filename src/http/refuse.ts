/** Refuses requests because of their key or quota. */
import type { ErrorName } from '../errors.js'
import type { Gate } from '../gate/gate.js'
import { Verdict } from '../quotas/verdict.js'
import type { Responder } from '../responses/respond.js'
import { exceedsLimit } from './exchange.js'

const STARTING_RETRY_SECONDS = 1

export type Refused = Exclude<Verdict, Verdict.Admitted | Verdict.Waiting>
/** A final verdict, which does not wait for Redis. */
export type Settled = Verdict.Admitted | Refused

const REFUSAL_OF = {
  [Verdict.MissingKey]: 'missingApiKey',
  [Verdict.InvalidKey]: 'invalidApiKey',
  [Verdict.ExpiredKey]: 'apiKeyExpired',
  [Verdict.OverLimit]: 'rateLimitExceeded',
} as const satisfies Record<Exclude<Refused, Verdict.NoKeys>, ErrorName>

export function refuseStarting(out: Responder): void {
  out.refuseFor('dbUnavailable', STARTING_RETRY_SECONDS)
}

/** Must be called right after the gate has decided. `requests` is the total number that the request counts as. */
export function refuseByVerdict(verdict: Refused, gate: Gate, out: Responder, requests: number): void {
  if (verdict === Verdict.NoKeys) return refuseStarting(out)
  if (verdict !== Verdict.OverLimit) return out.refuseFor(REFUSAL_OF[verdict], 0)
  const { shown, retryAfterSeconds } = gate
  const limit = Math.min(shown.limitMinute, shown.limitDay)
  if (requests > 1 && requests > limit) out.refuse(exceedsLimit(requests, limit), retryAfterSeconds)
  else out.refuseFor(REFUSAL_OF[verdict], retryAfterSeconds)
}
