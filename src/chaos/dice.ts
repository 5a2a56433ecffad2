/** What becomes of which request: at random, but the same outcomes for the same seed and the same order of requests. */
import { type Chance, chance } from '../chance.js'
import type { Fault, FaultStatus, Plan } from './expression.js'

export interface Outcome {
  /** 0 for none. */
  latencyMs: number
  status: FaultStatus | undefined
  isReset: boolean
  /** Of its body; 0 for as fast as it goes. */
  bytesPerSecond: number
}

interface Rolled {
  matches(path: string): boolean
  faults: readonly Fault[]
}

/** So that threads do not all draw the same outcomes; the first one goes by the seed itself. */
const THREADS_APART = 0x9e3779b1

/** `parts` stand around the stars of one path segment. The first place where a part fits is enough: time stays linear. */
function fitsSegment([first = '', ...middle]: readonly string[], segment: string): boolean {
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

/** No regular expression: a path with many stars would make one backtrack for hours. */
function matcher(path: string, spared: string): (asked: string) => boolean {
  if (!path.includes('*')) return asked => asked === path
  const isOpen = path.endsWith('*')
  const pattern = path.split('/').map(segment => segment.split('*'))
  return asked => {
    if (asked === spared) return false
    const segments = asked.split('/')
    const isCountRight = isOpen ? segments.length >= pattern.length : segments.length === pattern.length
    return isCountRight && pattern.every((parts, i) => fitsSegment(parts, segments[i]))
  }
}

export class Dice {
  readonly #next: Chance
  readonly #rules: readonly Rolled[]

  /** `spared` is a path that is left in peace unless a rule spells it out. */
  constructor({ rules, seed }: Plan, spared: string, thread = 0) {
    this.#next = chance(seed ^ Math.imul(thread, THREADS_APART))
    const named = rules.filter(({ path }) => path !== undefined)
    const others = rules.filter(({ path }) => path === undefined)
    this.#rules = [
      ...named.map(({ path = '', faults }) => ({ matches: matcher(path, spared), faults })),
      ...others.map(({ faults }) => ({ matches: (asked: string) => asked !== spared, faults })),
    ]
  }

  /** The first rule for its path decides alone. Undefined where nothing befalls the request. */
  roll(path: string): Outcome | undefined {
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

  /** Latencies add up; of statuses and of rates the first counts. */
  #applyFault(outcome: Outcome, fault: Fault): void {
    if (fault.kind === 'latency') outcome.latencyMs += fault.fromMs + Math.floor(this.#next() * (fault.toMs - fault.fromMs + 1))
    else if (fault.kind === 'status') outcome.status ??= fault.status
    else if (fault.kind === 'reset') outcome.isReset = true
    else if (outcome.bytesPerSecond === 0) outcome.bytesPerSecond = fault.bytesPerSecond
  }
}
