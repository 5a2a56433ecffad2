/** Formats the results of a load on a deployment as lines of text. */
import { POINTS } from '../dist/src/load-kit/load/latencies.js'
import { percent } from './verdict.mjs'

const milliseconds = value => (value < 10 ? value.toFixed(3) : value.toFixed(1)).padStart(10)
const share = value => `${(value * 100).toFixed(3)} %`

export function roundLines({ name, best, p99s, errors }, { rate, rounds }) {
  const { answered, failures, lastFailure, unexpected, statuses, seconds, latency, due, lateness } = best
  const perSecond = Math.round(answered / seconds)
  const lines = [
    name,
    rate === undefined
      ? `closed loop: ${answered} requests answered in ${seconds.toFixed(1)} s, ${perSecond} a second`
      : `open loop: ${answered} of ${due} requests answered in ${seconds.toFixed(1)} s, ${perSecond} of ${rate} a second`,
    ...Object.entries(statuses).map(([status, count]) => `  ${status} ${String(count).padStart(10)}`),
    '  (4 % of the mix are intended mistakes, answered with 400 or 404)',
    `errors: ${share(errors)}${unexpected > 0 ? `, ${unexpected} answers with an unexpected status` : ''}`,
  ]
  if (failures > 0) lines.push(`  failed ${String(failures).padStart(7)}, the last one: ${lastFailure}`)
  lines.push(rate === undefined ? 'latency, ms:' : 'latency from the time each request was due, ms:')
  for (const point of [...POINTS.map(at => `p${at}`), 'max']) lines.push(`  ${point.padEnd(7)}${milliseconds(latency[point])}`)
  if (rounds > 1) lines.push(`p99 of each round, ms: ${p99s.map(value => milliseconds(value).trim()).join(', ')}`)
  if (rate !== undefined && lateness.p99 > 1)
    lines.push(`This machine sent up to ${lateness.p99.toFixed(1)} ms late (p99): this delay is included in the latency.`)
  if ((statuses[429] ?? 0) > 0)
    lines.push('429: the limits of the key were reached; give it larger ones (hsapi keys create --per-minute N --per-day N).')
  return lines
}

export function verdictLine({ compared: { what, word, change, margin }, servers: [a, b] }) {
  return `${b.name} is ${word === 'same' ? 'the same as' : `${word} than`} ${a.name}: ${what} ${percent(change)} (noise ±${(margin * 100).toFixed(1)} %)`
}

const REASONS = {
  p99: 'p99 was above its threshold',
  errors: 'too many errors',
  'this machine': 'this machine could not send on time: use another one, or more of them, for the load',
}

export function limitLines({ name, held, broke, reason, steps, isTimeOver }, { p99, errors }) {
  const lines = [`${name}: p99 up to ${p99} ms, errors up to ${share(errors)}`]
  lines.push(' per second    p50, ms    p99, ms     errors')
  for (const step of [...steps].sort((a, b) => a.rate - b.rate))
    lines.push(
      `${String(step.rate).padStart(11)} ${milliseconds(step.latency.p50)} ${milliseconds(step.latency.p99)} ${share(step.errors).padStart(10)}  ${step.reason ?? ''}`,
    )
  if (isTimeOver) lines.push('The time limit was reached before the knee was found.')
  if (held === undefined) lines.push(`Even ${broke} requests a second are too many: ${REASONS[reason]}.`)
  else if (broke === undefined) lines.push(`${held} requests a second are sustained; more were not tried.`)
  else lines.push(`${held} requests a second are sustained, ${broke} are not: ${REASONS[reason]}.`)
  return lines
}
