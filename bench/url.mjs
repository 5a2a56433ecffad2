/** Load on any deployment, bounded in count and time, with the mix of mix.mjs. */
import { closedLoop } from './closed-loop.mjs'
import { Connection, parseTarget, requestBytes } from './connection.mjs'
import { requestMix } from './mix.mjs'
import { openLoop } from './open-loop.mjs'
import { POINTS } from './percentiles.mjs'
import { REPOSITORY } from './stage.mjs'

/** With these a rate finds a free connection unless the deployment is far behind. */
const RATE_CONNECTIONS_MIN = 16
const RATE_CONNECTIONS_MAX = 256

const FIRST_ANSWER_MS = 10_000

/** A load that nobody can answer should not begin. */
async function checkKey(target, request) {
  let connection
  const status = await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer within 10 seconds')), FIRST_ANSWER_MS).unref()
    const onEnd = error => reject(error ?? new Error('it closed the connection'))
    Connection.open(target, resolve, onEnd).then(opened => {
      connection = opened
      connection.send(request)
    }, reject)
  })
  connection.close()
  if (status === 401) throw new Error('the deployment does not know this key (401)')
}

const milliseconds = value => (value < 10 ? value.toFixed(3) : value.toFixed(1)).padStart(10)

function print(result, rate) {
  const { answered, failures, lastFailure, statuses, seconds, latency, due, lateness } = result
  const lines = [
    rate === undefined
      ? `closed loop: ${answered} requests answered in ${seconds.toFixed(1)} s, ${Math.round(answered / seconds)} a second`
      : `open loop: ${answered} of ${due} requests answered in ${seconds.toFixed(1)} s, ${Math.round(answered / seconds)} of ${rate} a second`,
    ...Object.entries(statuses).map(([status, count]) => `  ${status} ${String(count).padStart(10)}`),
  ]
  lines.push('  (4 % of the mix are mistakes, meant to be refused with 400, 401 and 404)')
  if (failures > 0) lines.push(`  failed ${String(failures).padStart(7)}, the last one: ${lastFailure}`)
  lines.push(rate === undefined ? 'latency, ms:' : 'latency from the time each request was due, ms:')
  for (const point of [...POINTS.map(percent => `p${percent}`), 'max'])
    lines.push(`  ${point.padEnd(7)}${milliseconds(latency[point])}`)
  if (rate !== undefined && lateness.p99 > 1)
    lines.push(
      `This machine sent up to ${lateness.p99.toFixed(1)} ms late (p99): part of the latency is its own.`,
    )
  if ((statuses[429] ?? 0) > 0)
    lines.push(
      '429: the limits of the key were reached; give it larger ones (hsapi keys create --per-minute N).',
    )
  process.stdout.write(`${lines.join('\n')}\n`)
}

export async function loadDeployment({ url, key, rate, connections, seconds, requests: count }) {
  const target = parseTarget(url)
  const base = new URL(url).pathname.replace(/\/$/, '')
  const mix = requestMix({ dataset: `${REPOSITORY}/dataset`, key })
  const requests = mix.map(([path, headers]) => requestBytes(target, base + path, headers))
  const good = requestBytes(target, `${base}/api/v1/hs-codes/85`, { 'X-Api-Key': key })
  try {
    await checkKey(target, good)
    const result =
      rate === undefined
        ? await closedLoop({ target, requests, connections, seconds, count })
        : await openLoop({
            target,
            requests,
            rate,
            connections: Math.min(
              RATE_CONNECTIONS_MAX,
              Math.max(RATE_CONNECTIONS_MIN, Math.ceil(rate / 100)),
            ),
            seconds,
            count,
          })
    print(result, rate)
  } catch (error) {
    process.stderr.write(`${url}: ${error.message}\n`)
    process.exitCode = 1
  }
}
