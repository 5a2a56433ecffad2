/** The command line of the benchmark, read once and believed only after checking. */
import { parseArgs } from 'node:util'
import { CASES, WATCHED } from './cases.mjs'
import { REQUESTS_MAX } from './percentiles.mjs'

export const SECTIONS = ['cost', 'pipeline', 'workers', 'redis', 'dataset', 'keys', 'connections', 'latency']
const RATE_MAX = 50_000
const CONNECTIONS_MAX = 1_000
const SECONDS_MAX = 600

/** wrk takes whole seconds. */
const FULL = {
  rounds: 5,
  /** The dearest comparisons are made with several starts of each server. */
  starts: 3,
  roundsEach: 3,
  seconds: 1,
  boots: 5,
  scales: [1, 4, 16],
  keys: [10, 10_000, 1_000_000],
  connections: [1, 64, 1_000, 5_000],
  requests: 1_000_000,
  latencyRounds: 3,
  latencySeconds: 6,
}
const QUICK = {
  rounds: 2,
  starts: 1,
  roundsEach: 2,
  seconds: 1,
  boots: 2,
  scales: [1, 4],
  keys: [10, 10_000],
  connections: [1, 64, 1_000],
  requests: 20_000,
  latencyRounds: 1,
  latencySeconds: 2,
}

export const HELP = `npm run bench                    all of it, in under 15 minutes; needs wrk (apt-get install wrk)
npm run bench -- --compare REV   the working tree against a git revision, a verdict for each case
npm run bench -- --url URL --key KEY
                                 load on any deployment, with a realistic mix of requests

  --quick            short rounds and few sizes: for trying things, not for quoting
  --only NAME        one part (${SECTIONS.join(', ')})
                     or one case (${CASES.map(({ id }) => id).join(', ')}); may be repeated
  --requests N       mixed requests before memory is read (${FULL.requests}); with --url, requests in all
                     (100000, at most ${REQUESTS_MAX})
  --out DIR          where reports go (bench/results)

With --url:
  --key KEY          an API key of that deployment
  --connections N    closed loop: each connection asks again once it is answered (16, at most ${CONNECTIONS_MAX})
  --rate N           open loop instead: N requests a second, whatever the answers (at most ${RATE_MAX})
  --seconds N        time limit (10, at most ${SECONDS_MAX})

A full run writes latest.json, latest.md and latest.html; with --quick or --only they are called trial.*.
`

export class OptionError extends Error {}

function integer(values, name, max, fallback) {
  const text = values[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < 1 || value > max)
    throw new OptionError(`--${name} is "${text}"; it must be a whole number from 1 to ${max}`)
  return value
}

function urlOptions(values) {
  const { url, key } = values
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new OptionError(`--url is "${url}"; it must be an address such as http://127.0.0.1:8080`)
  if (key === undefined) throw new OptionError('--key is missing: an API key of the deployment at --url')
  if (values.rate !== undefined && values.connections !== undefined)
    throw new OptionError(
      '--rate and --connections exclude each other: a fixed rate opens as many as it needs',
    )
  return {
    url,
    key,
    rate: integer(values, 'rate', RATE_MAX, undefined),
    connections: integer(values, 'connections', CONNECTIONS_MAX, 16),
    seconds: integer(values, 'seconds', SECONDS_MAX, 10),
    requests: integer(values, 'requests', REQUESTS_MAX, 100_000),
  }
}

const URL_ONLY = ['key', 'rate', 'connections', 'seconds']

export function readOptions(args) {
  let values
  try {
    values = parseArgs({
      args,
      options: {
        help: { type: 'boolean' },
        quick: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        requests: { type: 'string' },
        out: { type: 'string' },
        compare: { type: 'string' },
        url: { type: 'string' },
        ...Object.fromEntries(URL_ONLY.map(name => [name, { type: 'string' }])),
      },
    }).values
  } catch (error) {
    throw new OptionError(error.message)
  }
  if (values.help) return { help: true }
  if (values.url !== undefined) return { load: urlOptions(values) }
  for (const name of URL_ONLY)
    if (values[name] !== undefined) throw new OptionError(`--${name} goes with --url`)

  const names = [...SECTIONS, ...[...CASES, ...WATCHED].map(({ id }) => id)]
  const only = values.only ?? []
  for (const name of only)
    if (!names.includes(name))
      throw new OptionError(`--only is "${name}"; it must be one of ${names.join(', ')}`)
  const base = values.quick ? QUICK : FULL
  return {
    settings: { ...base, requests: integer(values, 'requests', REQUESTS_MAX, base.requests) },
    compare: values.compare,
    isTrial: values.quick === true || only.length > 0,
    out: values.out,
    sections: SECTIONS.filter(
      name =>
        only.length === 0 ||
        only.includes(name) ||
        (name === 'cost' && !only.every(n => SECTIONS.includes(n))),
    ),
    /** Whether a case of the cost part is asked for. */
    isWanted: id => only.length === 0 || only.includes('cost') || only.includes(id),
  }
}
