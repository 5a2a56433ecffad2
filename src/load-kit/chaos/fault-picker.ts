/** Draws faults at random; the same seed and order of requests give the same faults. */
import { type RandomSource, seededRandom } from '../../random.js'
import type { Fault, FaultStatus, Plan } from './expression.js'

export interface Outcome {
  latencyMs: number
  status: FaultStatus | undefined
  isReset: boolean
  /** The speed of the body; 0 means no limit. */
  bytesPerSecond: number
}

interface CompiledRule {
  matches(path: string): boolean
  faults: readonly Fault[]
}

/** Distance between the seeds of threads. */
const THREAD_SEED_STEP = 0x9e3779b1

/**
 * The pattern is a list of the texts between its stars. It is enough to take the first match of each text, so the time is
 * linear.
 */
function matchesSegment([first = '', ...middle]: readonly string[], segment: string): boolean {
  const last = middle.pop()
  if (last === undefined) return segment === first
  if (!segment.startsWith(first)) return false
  let at = first.length
  for (const part of middle) {
    const found = segment.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return segment.length - last.length >= at && segment.endsWith(last)
}

/** Does not use a regular expression, which could backtrack for hours on a pattern with many stars. */
function matcher(pattern: string, exemptPath: string): (path: string) => boolean {
  if (!pattern.includes('*')) return path => path === pattern
  const isOpenEnded = pattern.endsWith('*')
  const wanted = pattern.split('/').map(segment => segment.split('*'))
  return path => {
    if (path === exemptPath) return false
    const segments = path.split('/')
    const hasRightLength = isOpenEnded ? segments.length >= wanted.length : segments.length === wanted.length
    return hasRightLength && wanted.every((parts, i) => matchesSegment(parts, segments[i]))
  }
}

export class FaultPicker {
  readonly #next: RandomSource
  readonly #rules: readonly CompiledRule[]

  /** `exemptPath` gets faults only from a rule that names it exactly. */
  constructor({ rules, seed }: Plan, exemptPath: string, thread = 0) {
    this.#next = seededRandom(seed ^ Math.imul(thread, THREAD_SEED_STEP))
    const named = rules.filter(({ path }) => path !== undefined)
    const others = rules.filter(({ path }) => path === undefined)
    this.#rules = [
      ...named.map(({ path = '', faults }) => ({ matches: matcher(path, exemptPath), faults })),
      ...others.map(({ faults }) => ({ matches: (path: string) => path !== exemptPath, faults })),
    ]
  }

  /** Draws the faults of a request from the first rule that matches its path. */
  pick(path: string): Outcome | undefined {
    const rule = this.#rules.find(({ matches }) => matches(path))
    if (rule === undefined) return undefined
    const outcome: Outcome = { latencyMs: 0, status: undefined, isReset: false, bytesPerSecond: 0 }
    let isHit = false
    for (const fault of rule.faults) {
      if (this.#next() * 100 >= fault.percent) continue
      isHit = true
      this.#applyFault(outcome, fault)
    }
    return isHit ? outcome : undefined
  }

  /** Latencies add up; the first status and the first rate win. */
  #applyFault(outcome: Outcome, fault: Fault): void {
    if (fault.kind === 'latency') outcome.latencyMs += fault.fromMs + Math.floor(this.#next() * (fault.toMs - fault.fromMs + 1))
    else if (fault.kind === 'status') outcome.status ??= fault.status
    else if (fault.kind === 'reset') outcome.isReset = true
    else if (outcome.bytesPerSecond === 0) outcome.bytesPerSecond = fault.bytesPerSecond
  }
}
