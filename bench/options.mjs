/** Parses and checks the command line of the benchmark. */
import { parseArgs } from 'node:util'
import { REQUESTS_MAX } from '../dist/src/load-kit/load/latencies.js'
import { CASES, OBSERVED_LOOKUPS } from './cases.mjs'
import { integer, OptionError } from './option.mjs'
import { URL_HELP, URL_OPTIONS, urlOptions } from './url-options.mjs'

export const SECTIONS = ['cost', 'pipeline', 'workers', 'redis', 'dataset', 'keys', 'connections', 'latency']

/** Whole seconds, as wrk requires. */
const FULL = {
  rounds: 5,
  /** The cost and pipeline sections start each server this many times. */
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

export const HELP = `npm run bench                    everything, in a quarter of an hour; needs wrk (apt-get install wrk)
npm run bench -- --compare REV   the working tree against a git revision, a verdict for each case
npm run bench -- --url URL --key KEY
                                 load on any deployment, with a realistic mix of requests

  --quick            short rounds and few sizes: for trial runs, not for published figures
  --only NAME        one part (${SECTIONS.join(', ')})
                     or one case (${CASES.map(({ id }) => id).join(', ')}); may be repeated
  --requests N       mixed requests before memory is read (${FULL.requests}); with --url, requests in all
                     (100000, at most ${REQUESTS_MAX})
  --out DIR          folder for reports (bench/results; with --url there is no report without this option)

${URL_HELP}
A full run writes its report as .json, .md and .html, named after the processor architecture (x64, arm64). The report also shows
the last run on the other architecture. With --quick or --only, the files are named trial.*.
`

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
        url: { type: 'string', multiple: true },
        ...URL_OPTIONS,
      },
    }).values
  } catch (error) {
    throw new OptionError(error.message)
  }
  if (values.help) return { help: true }
  if (values.url !== undefined) {
    for (const name of ['quick', 'only', 'compare'])
      if (values[name] !== undefined) throw new OptionError(`--${name} and --url exclude each other`)
    return { load: urlOptions(values) }
  }
  for (const name of Object.keys(URL_OPTIONS))
    if (values[name] !== undefined) throw new OptionError(`--${name} is only for --url`)

  const names = [...SECTIONS, ...[...CASES, ...OBSERVED_LOOKUPS].map(({ id }) => id)]
  const only = values.only ?? []
  for (const name of only)
    if (!names.includes(name)) throw new OptionError(`--only is "${name}"; it must be one of ${names.join(', ')}`)
  const base = values.quick ? QUICK : FULL
  return {
    settings: { ...base, requests: integer(values, 'requests', REQUESTS_MAX, base.requests) },
    compare: values.compare,
    isTrial: values.quick === true || only.length > 0,
    out: values.out,
    sections: SECTIONS.filter(
      name => only.length === 0 || only.includes(name) || (name === 'cost' && !only.every(n => SECTIONS.includes(n))),
    ),
    /** Whether a case of the cost section was selected. */
    isWanted: id => only.length === 0 || only.includes('cost') || only.includes(id),
  }
}
