/** Options for --url. */
import { REQUESTS_MAX } from '../dist/src/load-kit/load/latencies.js'
import { readShare } from '../dist/src/load-kit/load/thresholds.js'
import { integer, OptionError, readMilliseconds } from './option.mjs'

export const RATE_MAX = 50_000
const CONNECTIONS_MAX = 1_000
const SECONDS_MAX = 600
const ROUNDS_MAX = 20
/** Rounds when two deployments alternate. */
const ROUNDS = 3
/** Default limits of --find-limit. */
const LIMIT_P99_MS = 50
const LIMIT_ERRORS = 0.01
const LIMIT_SECONDS = 4

const text = { type: 'string' }
export const URL_OPTIONS = {
  key: { type: 'string', multiple: true },
  connections: text,
  rate: text,
  seconds: text,
  rounds: text,
  p99: text,
  errors: text,
  'find-limit': { type: 'boolean' },
}

export const URL_HELP = `With --url, which may be given twice to compare two deployments in alternating rounds:
  --key KEY          an API key of that deployment; if two deployments have different keys, one for each, in order
  --connections N    closed loop: each connection sends its next request after the answer (16, at most ${CONNECTIONS_MAX})
  --rate N           open loop instead: N requests a second, independent of the answers (at most ${RATE_MAX})
  --seconds N        time limit of a round (10; of a step of --find-limit ${LIMIT_SECONDS}; at most ${SECONDS_MAX})
  --rounds N         rounds (1; ${ROUNDS} with two deployments; at most ${ROUNDS_MAX})
  --p99 TIME         exit code 3 if the 99th percentile is above this, such as 5ms or 0.5s
  --errors SHARE     exit code 3 if a larger share of requests fails (no answer or an unexpected status), such as 0.1%
  --find-limit       open loop with rising rates, until --p99 (${LIMIT_P99_MS}ms) or --errors (${LIMIT_ERRORS * 100}%) is exceeded;
                     begins at --rate (100). Exit code 3 if even that rate is too high
Exit codes: 0: all thresholds were met, or none was set; 1: nothing could be measured; 2: a usage error; 3: a threshold was
exceeded.
`

function threshold(values, name, read, example) {
  const given = values[name]
  if (given === undefined) return undefined
  const value = read(given)
  if (value === undefined) throw new OptionError(`--${name} is "${given}"; it must have the form ${example}`)
  return value
}

/** @returns {{url: string, key: string}[]} */
function deployments({ url: urls, key: keys }) {
  for (const url of urls)
    if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
      throw new OptionError(`--url is "${url}"; it must be an address such as http://127.0.0.1:8080`)
  if (urls.length > 2) throw new OptionError('--url may be given twice at most')
  if (keys === undefined) throw new OptionError('--key is missing: an API key of the deployment at --url')
  if (keys.length > urls.length) throw new OptionError(`--key is given ${keys.length} times, --url only ${urls.length}`)
  return urls.map((url, i) => ({ url, key: keys[i] ?? keys[0] }))
}

export function urlOptions(values) {
  const named = deployments(values)
  if (values.rate !== undefined && values.connections !== undefined)
    throw new OptionError('--rate and --connections exclude each other: a fixed rate opens as many connections as it needs')
  const findLimit = values['find-limit'] === true
  for (const name of ['connections', 'rounds', 'requests'])
    if (findLimit && values[name] !== undefined)
      throw new OptionError(`--${name} and --find-limit exclude each other: --find-limit chooses the rate itself`)
  return {
    deployments: named,
    findLimit,
    rate: integer(values, 'rate', RATE_MAX, undefined),
    connections: integer(values, 'connections', CONNECTIONS_MAX, 16),
    seconds: integer(values, 'seconds', SECONDS_MAX, findLimit ? LIMIT_SECONDS : 10),
    rounds: integer(values, 'rounds', ROUNDS_MAX, named.length > 1 ? ROUNDS : 1),
    requests: integer(values, 'requests', REQUESTS_MAX, 100_000),
    p99: threshold(values, 'p99', readMilliseconds, '5ms or 0.5s') ?? (findLimit ? LIMIT_P99_MS : undefined),
    errors: threshold(values, 'errors', readShare, '0.1%') ?? (findLimit ? LIMIT_ERRORS : undefined),
    out: values.out,
  }
}
