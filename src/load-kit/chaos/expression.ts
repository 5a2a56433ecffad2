/**
 * Parses chaos expressions: parts separated by semicolons. Each part is a list of faults for one path, or for all other paths.
 *
 * latency=20..80ms@10%,status=503@1%; /api/v1/search: slow-body=1KB/s, reset@0.1%; seed=7
 */
import { OperatorError } from '../../errors.js'
import { SEED_MAX } from '../../random.js'

export const STATUSES = [429, 500, 503] as const
export type FaultStatus = (typeof STATUSES)[number]

export type Fault = { percent: number } & (
  | { kind: 'latency'; fromMs: number; toMs: number }
  | { kind: 'status'; status: FaultStatus }
  | { kind: 'reset' }
  | { kind: 'slow-body'; bytesPerSecond: number }
)

export interface Rule {
  /**
   * `*` matches any text within a segment; a `*` at the end matches any rest of the path. Undefined if the rule is for all
   * paths that have no rule of their own.
   */
  path: string | undefined
  faults: Fault[]
}

export interface Plan {
  rules: Rule[]
  seed: number
}

const EXPRESSION_CHARS_MAX = 4_096
const OFF = 'off'
const FAULTS_MAX = 64
const SEED_DEFAULT = 1
const LATENCY_MS_MAX = 60_000
const KILOBYTE = 1024
const RATE_MAX = KILOBYTE * KILOBYTE
const PERCENT = /^(?:100|[0-9]{1,2}(?:\.[0-9]{1,4})?)%$/
const PATH = /^\/[^\s:,;?#]*$/
/** Faults contain no colon, so the first colon ends the path. */
const PART = /^([^:=@]*):(.*)$/s
const RANGE = /^([0-9]{1,5}(?:\.[0-9]{1,3})?)(ms|s)?(?:\.\.([0-9]{1,5}(?:\.[0-9]{1,3})?)(ms|s))?$/
const RATE = /^([0-9]{1,7})(B|KB|MB)\/s$/
const BYTES_OF: Readonly<Record<string, number>> = { B: 1, KB: KILOBYTE, MB: RATE_MAX }

function invalid(part: string, why: string): OperatorError {
  return new OperatorError(`"${part}" ${why}`)
}

function latency(value: string, part: string): Pick<Fault & { kind: 'latency' }, 'kind' | 'fromMs' | 'toMs'> {
  const [, from, fromUnit, to = from, toUnit = fromUnit] = RANGE.exec(value) ?? []
  const ms = (amount = '', unit = '') => Number(amount) * (unit === 's' ? 1000 : 1)
  const [fromMs, toMs] = [ms(from, fromUnit ?? toUnit), ms(to, toUnit)]
  if (toUnit === undefined || !Number.isInteger(fromMs) || !Number.isInteger(toMs))
    throw invalid(part, 'must be a time in whole milliseconds, such as latency=50ms, latency=20..80ms or latency=1..2s')
  if (fromMs > toMs || toMs > LATENCY_MS_MAX)
    throw invalid(part, `must be from a shorter to a longer time, at most ${LATENCY_MS_MAX / 1000}s`)
  return { kind: 'latency', fromMs, toMs }
}

function status(value: string, part: string): { kind: 'status'; status: FaultStatus } {
  const known = STATUSES.find(one => String(one) === value)
  if (known === undefined) throw invalid(part, `must have one of the statuses ${STATUSES.join(', ')}`)
  return { kind: 'status', status: known }
}

function slowBody(value: string, part: string): { kind: 'slow-body'; bytesPerSecond: number } {
  const [, amount, unit = ''] = RATE.exec(value) ?? []
  const bytesPerSecond = Number(amount) * (BYTES_OF[unit] ?? 0)
  if (!(bytesPerSecond >= 1 && bytesPerSecond <= RATE_MAX))
    throw invalid(part, 'must be a rate from 1B/s to 1MB/s, such as slow-body=1KB/s')
  return { kind: 'slow-body', bytesPerSecond }
}

function fault(part: string, list: string): Fault {
  if (part === '') throw invalid(list, 'has an empty fault')
  const [, kind = '', , value, , share = '100%'] = /^([^=@]*)(=([^@]*))?(@(.*))?$/s.exec(part) ?? []
  if (!PERCENT.test(share))
    throw invalid(part, 'must end with a share from 0% to 100% with at most 4 decimals, such as @10% or @0.5%')
  const percent = Number(share.slice(0, -1))
  if (kind === 'latency' && value !== undefined) return { ...latency(value, part), percent }
  if (kind === 'status' && value !== undefined) return { ...status(value, part), percent }
  if (kind === 'slow-body' && value !== undefined) return { ...slowBody(value, part), percent }
  if (kind === 'reset' && value === undefined) return { kind: 'reset', percent }
  throw invalid(
    part,
    'is not a fault; use latency=20..80ms, status=503, reset or slow-body=1KB/s, each with an optional share, @10%',
  )
}

function rule(part: string): Rule {
  const [, path, faults = part] = PART.exec(part) ?? []
  const named = path?.trim()
  if (named !== undefined && !PATH.test(named))
    throw invalid(named, 'must be a path such as /api/v1/search, or /api/v1/hs-codes/* for all paths below it')
  return { path: named, faults: faults.split(',').map(one => fault(one.trim(), part)) }
}

function seed(value: string, part: string): number {
  if (!/^[0-9]{1,10}$/.test(value) || Number(value) > SEED_MAX)
    throw invalid(part, `must have a whole number from 0 to ${SEED_MAX}`)
  return Number(value)
}

const COMBINE = 'combine the two parts'
export function parsePlan(expression: string): Plan {
  if (expression.length > EXPRESSION_CHARS_MAX)
    throw new OperatorError(`it has ${expression.length} characters; the maximum is ${EXPRESSION_CHARS_MAX}`)
  if (expression.trim() === OFF) return { rules: [], seed: SEED_DEFAULT }
  const rules = new Map<string | undefined, Rule>()
  let seeded: number | undefined
  for (const part of expression.split(';').map(one => one.trim())) {
    if (part === '') throw invalid(expression, 'has an empty part; use off, or faults such as status=503@1%')
    if (part.startsWith('seed=')) {
      if (seeded !== undefined) throw invalid(part, 'sets the seed a second time')
      seeded = seed(part.slice('seed='.length), part)
      continue
    }
    const parsed = rule(part)
    if (rules.has(parsed.path))
      throw invalid(
        part,
        parsed.path === undefined
          ? `has no path, like an earlier part; ${COMBINE}`
          : `has the same path as an earlier part; ${COMBINE}`,
      )
    rules.set(parsed.path, parsed)
  }
  const all = [...rules.values()]
  const faults = all.reduce((sum, one) => sum + one.faults.length, 0)
  if (faults === 0) throw invalid(expression.trim(), 'has a seed but no fault; use off for no faults')
  if (faults > FAULTS_MAX) throw new OperatorError(`it has ${faults} faults; the maximum is ${FAULTS_MAX}`)
  return { rules: all, seed: seeded ?? SEED_DEFAULT }
}

export function rateText(bytesPerSecond: number): string {
  const isWhole = bytesPerSecond % KILOBYTE === 0
  return isWhole ? `${bytesPerSecond / KILOBYTE}KB/s` : `${bytesPerSecond}B/s`
}

function faultText(one: Fault): string {
  const share = one.percent === 100 ? '' : `@${one.percent}%`
  if (one.kind === 'latency') {
    const { fromMs, toMs } = one
    return `latency=${fromMs === toMs ? '' : `${fromMs}..`}${toMs}ms${share}`
  }
  if (one.kind === 'status') return `status=${one.status}${share}`
  return one.kind === 'reset' ? `reset${share}` : `slow-body=${rateText(one.bytesPerSecond)}${share}`
}

/** Writes a plan as an expression; parsing it gives the same plan. */
export function planText({ rules, seed }: Plan): string {
  if (rules.length === 0) return OFF
  const parts = rules.map(({ path, faults }) => `${path === undefined ? '' : `${path}: `}${faults.map(faultText).join(',')}`)
  return [...parts, `seed=${seed}`].join('; ')
}
