/** Puts a bounded load on one deployment, or on two alternately. Checks thresholds, finds the knee, and writes a report. */
import { Deployment } from './deployment.mjs'
import { findLimit } from './find-limit.mjs'
import { machine } from './machine.mjs'
import { expectedMix } from './mix.mjs'
import { Progress } from './progress.mjs'
import { writeReports } from './report/write.mjs'
import { REPOSITORY, revisionOfTree } from './stage.mjs'
import { RATE_MAX } from './url-options.mjs'
import { limitLines, roundLines, verdictLine } from './url-text.mjs'
import { verdict } from './verdict.mjs'

const FIRST_RATE = 100
const WARM_SECONDS = 1
/** The search for the knee stops after this time even if it has not found it. */
const LIMIT_MS_MAX = 600_000
/** If the load generator itself is this late, it has failed, not the deployment. */
const LATENESS_MS = 5
const IDS = ['first', 'second']

const whatBroke = ({ latency, errors }, options) => {
  if (options.errors !== undefined && errors > options.errors) return 'errors'
  return options.p99 !== undefined && latency.p99 > options.p99 ? 'p99' : undefined
}

/** The round with the median p99. */
const middle = rounds => [...rounds].sort((a, b) => a.latency.p99 - b.latency.p99)[Math.floor((rounds.length - 1) / 2)]

async function measureRounds(deployments, options, progress) {
  const { rate, connections, seconds, rounds, requests: count } = options
  const taken = deployments.map(() => [])
  progress.section(rate === undefined ? 'closed loop' : 'open loop')
  for (let round = 0; round < rounds; round++) {
    // every other round runs backwards, so that neither deployment always comes first
    const order = round % 2 === 0 ? deployments : [...deployments].reverse()
    for (const deployment of order) {
      progress.step(`round ${round + 1} of ${rounds}: ${deployment.url}`)
      const result =
        rate === undefined
          ? await deployment.asFastAsAnswered(connections, { seconds, count })
          : await deployment.atRate(rate, { seconds, count })
      taken[deployments.indexOf(deployment)].push(result)
    }
  }
  progress.clear()
  const servers = deployments.map(({ url }, i) => ({
    id: IDS[i],
    name: url,
    best: middle(taken[i]),
    p99s: taken[i].map(({ latency }) => latency.p99),
    perSeconds: taken[i].map(({ perSecond }) => perSecond),
    errors: Math.max(...taken[i].map(({ errors }) => errors)),
  }))
  return { rate, connections, seconds, rounds, servers }
}

async function measureLimit(deployment, options, progress) {
  const { seconds, rate: from = FIRST_RATE } = options
  const endMs = Date.now() + LIMIT_MS_MAX
  progress.section(`the limit of ${deployment.url}`)
  const attempt = async rate => {
    progress.step(`${rate} requests a second`)
    const result = await deployment.atRate(rate, { seconds, warmSeconds: WARM_SECONDS })
    const broke = whatBroke(result, options)
    const isOurs = broke !== undefined && result.lateness.p90 > LATENESS_MS
    return { ...result, reason: isOurs ? 'this machine' : broke }
  }
  const found = await findLimit({ from, max: RATE_MAX, deadline: () => Date.now() > endMs, attempt })
  progress.clear()
  return { name: deployment.url, ...found }
}

/** One row for each threshold and deployment. */
function findingsOf({ load, limit }, { p99, errors, rate }) {
  if (limit !== undefined)
    return limit.map(({ name, held = 0 }) => ({
      what: `${name}: requests a second held`,
      measured: held,
      limit: rate ?? FIRST_RATE,
      atLeast: true,
      unit: 'a second',
      met: held > 0,
    }))
  return load.servers
    .flatMap(one => [
      ...(p99 === undefined
        ? []
        : [{ what: `${one.name}: p99`, measured: one.best.latency.p99, limit: p99, unit: 'ms', places: 3 }]),
      ...(errors === undefined
        ? []
        : [
            {
              what: `${one.name}: errors`,
              measured: one.errors * 100,
              limit: errors * 100,
              unit: '%',
              places: 3,
            },
          ]),
    ])
    .map(finding => ({ ...finding, met: finding.measured <= finding.limit }))
}

function compared({ rate, servers: [a, b] }) {
  if (b === undefined) return undefined
  if (rate !== undefined) return { what: 'p99', ...verdict(b.p99s, a.p99s) }
  const perRequest = one => one.perSeconds.map(perSecond => 1 / perSecond)
  return { what: 'time per request', ...verdict(perRequest(b), perRequest(a)) }
}

/** @returns {Promise<boolean>} whether all thresholds were met */
export async function loadDeployments(options) {
  const startMs = Date.now()
  const mix = expectedMix({ dataset: `${REPOSITORY}/dataset`, withoutUnknownKey: true })
  const deployments = options.deployments.map(one => new Deployment(one, mix))
  for (const deployment of deployments) await deployment.check()
  const progress = new Progress(options.findLimit ? deployments.length : 1)
  const results = { date: new Date(startMs).toISOString(), notes: [] }
  if (options.findLimit) {
    results.limit = []
    for (const deployment of deployments) results.limit.push(await measureLimit(deployment, options, progress))
  } else {
    results.load = await measureRounds(deployments, options, progress)
    results.load.compared = compared(results.load)
  }
  results.findings = findingsOf(results, options)
  const lines = options.findLimit
    ? results.limit.flatMap(one => limitLines(one, options))
    : results.load.servers.flatMap(one => roundLines(one, results.load))
  if (results.load?.compared !== undefined) lines.push(verdictLine(results.load))
  for (const { what, measured, limit, unit, met } of results.findings)
    if (!met) lines.push(`Failed: ${what} is ${Number(measured.toFixed(3))} ${unit}, not ${limit} ${unit}`)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (options.out !== undefined) {
    Object.assign(results, {
      machine: machine(),
      revision: revisionOfTree(),
      minutes: (Date.now() - startMs) / 60_000,
    })
    const { file } = writeReports(options.out, 'deployment', results)
    process.stdout.write(`Written: ${file}.json, .md and .html\n`)
  }
  return results.findings.every(({ met }) => met)
}
