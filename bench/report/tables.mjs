/** The results as tables: title, explanation, head and rows of text, for both Markdown and HTML. */
const micro = value => value.toFixed(value < 100 ? 2 : 0)
const whole = value => Math.round(value).toLocaleString('en')
const milli = value => value.toFixed(value < 10 ? 3 : 1)
const ratio = value => value.toFixed(2)
const share = value => `${Math.round(value * 100)} %`

function figureOf({ measured, unit, places = 0 }) {
  const rounded = places === 0 ? whole(measured) : measured.toFixed(places)
  return unit === '×' ? ratio(measured) : `${rounded} ${unit}`
}

function findingRow(finding) {
  const { what, limit, atLeast, unit, met } = finding
  const target = limit === undefined ? '' : `${atLeast ? '≥' : '≤'} ${unit === '×' ? ratio(limit) : `${limit} ${unit}`}`
  return [what, figureOf(finding), target, met === undefined ? '' : met ? 'met' : 'missed']
}

/** The same ratios as measured on another kind of machine, with this version of hsapi or an earlier one. */
const comparisonTable = ({ kind, findings, beside }) => ({
  id: 'beside',
  title: 'Compared with another kind of machine',
  text: beside
    .map(
      ({ kind, date, machine, revision }) =>
        `${kind}: ${date.slice(0, 10)}, revision ${revision}, ${machine.cpu}, Node ${machine.node}.`,
    )
    .join(' '),
  head: ['What', kind, ...beside.map(({ kind }) => kind)],
  rows: findings
    .map(({ what }) => [what, ...[{ findings }, ...beside].map(run => figureIn(run, what))])
    .filter(([, , ...others]) => others.some(Boolean)),
})

function figureIn({ findings }, what) {
  const finding = findings.find(one => one.what === what)
  return finding === undefined ? '' : figureOf(finding)
}

const costTable = cases => {
  const bare = cases.find(({ id }) => id === 'bare')
  const nginx = cases.find(({ id }) => id === 'nginx')
  const ratioText = (one, other) => (other ? ratio(one.microseconds / other.microseconds) : '')
  return {
    title: 'Server CPU per request, 64 connections',
    text: 'The cheapest of alternating rounds. "Busy" is the share of the time that the server worked: if it is well below 100 %, the load generator, or another program on its core, limited the requests a second.',
    head: ['Case', 'Body, bytes', 'CPU, µs', '× bare', '× nginx', 'Requests a second', 'Busy'],
    rows: cases.map(one => [
      one.name,
      whole(one.bytes),
      micro(one.microseconds),
      ratioText(one, bare),
      ratioText(one, nginx),
      whole(one.perSecond),
      share(one.busy),
    ]),
  }
}

const pipelineTable = ({ depth, cases }) => ({
  title: `Pipelined, ${depth} deep`,
  text: '',
  head: ['Case', 'Requests a second', 'CPU, µs', 'Busy'],
  rows: cases.map(one => [one.name, whole(one.perSecond), micro(one.microseconds), share(one.busy)]),
})

const workersTable = counts => ({
  title: 'Workers',
  text: 'All workers share the core of the server, so that the load generator has its own.',
  head: ['Workers', 'CPU, µs', 'Requests a second', 'Resident, MB'],
  rows: counts.map(one => [String(one.workers), micro(one.microseconds), whole(one.perSecond), whole(one.residentMb)]),
})

const redisTable = ({ cases, callsPerRequest, microsecondsPerCall, bytesPerKey }) => ({
  title: 'Quotas shared through Redis',
  text: `A key with large limits. A thousand requests caused ${(callsPerRequest * 1000).toFixed(2)} calls to the store. A call took ${micro(microsecondsPerCall)} µs of CPU in the store, and a key ${whole(bytesPerKey)} bytes of memory.`,
  head: ['Counts', 'CPU, µs', 'Requests a second', 'Busy'],
  rows: cases.map(one => [one.name, micro(one.microseconds), whole(one.perSecond), share(one.busy)]),
})

const datasetTable = scales => ({
  title: 'Size of the dataset',
  text: 'Boot is from starting the process to the first lookup answered. Memory is read after boot and after mixed requests.',
  head: ['Dataset', 'Records', 'Boot, ms', 'Memory at boot, MB', 'Half-way', 'At the end', 'Lookup, µs', 'Search, µs'],
  rows: scales.map(({ scale, records, bootMs, resident, lookup, search }) => [
    `× ${scale}`,
    whole(records),
    whole(bootMs),
    whole(resident[0].mb),
    whole(resident[Math.floor(resident.length / 2)].mb),
    `${whole(resident.at(-1).mb)} after ${whole(resident.at(-1).requests)}`,
    micro(lookup),
    micro(search),
  ]),
})

const keysTable = counts => ({
  title: 'Number of keys',
  text: 'Each lookup sends another of the keys in use.',
  head: ['Keys', 'In use', 'CPU, µs', 'Requests a second', 'Resident, MB'],
  rows: counts.map(one => [
    whole(one.keys),
    whole(one.inUse),
    micro(one.microseconds),
    whole(one.perSecond),
    whole(one.residentMb),
  ]),
})

const connectionsTable = counts => ({
  title: 'Number of connections',
  text: 'CPU includes opening the connections.',
  head: ['Connections', 'Lookup, µs', 'Bare, µs', 'Ratio', 'Lookup, requests a second', 'Bare, requests a second'],
  rows: counts.map(({ connections, lookup, bare }) => [
    whole(connections),
    micro(lookup.microseconds),
    micro(bare.microseconds),
    ratio(lookup.microseconds / bare.microseconds),
    whole(lookup.perSecond),
    whole(bare.perSecond),
  ]),
})

const latencyTable = ({ saturation, rate, seconds, servers }) => ({
  title: 'Latency, open loop',
  text: `${whole(rate)} requests a second, ${share(rate / saturation)} of the ${whole(saturation)} at which a lookup saturates, ${seconds} seconds a round. Latency counts from the time a request was due. The round with the lowest p99 is shown.`,
  head: ['Server', 'p50, ms', 'p99, ms', 'p99.9, ms', 'max, ms', 'p99 of each round', 'Sending delay, p99'],
  rows: servers.map(({ name, best, p99s }) => [
    name,
    milli(best.latency.p50),
    milli(best.latency.p99),
    milli(best.latency['p99.9']),
    milli(best.latency.max),
    p99s.map(milli).join(', '),
    milli(best.lateness.p99),
  ]),
})

const inPercent = value => `${(value * 100).toFixed(3)} %`

const loadTable = ({ rate, connections, seconds, servers }) => ({
  title: rate === undefined ? 'Load, closed loop' : 'Load, open loop',
  text:
    (rate === undefined
      ? `${connections} connections; each sends its next request after the answer. `
      : `${whole(rate)} requests a second, independent of the answers; latency counts from the time a request was due. `) +
    `Up to ${seconds} seconds a round. The round with the median p99 is shown; errors are those of the worst round.`,
  head: ['Deployment', 'Requests a second', 'p50, ms', 'p99, ms', 'p99.9, ms', 'max, ms', 'Errors', 'p99 of each round'],
  rows: servers.map(({ name, best, p99s, errors }) => [
    name,
    whole(best.perSecond),
    milli(best.latency.p50),
    milli(best.latency.p99),
    milli(best.latency['p99.9']),
    milli(best.latency.max),
    inPercent(errors),
    p99s.map(milli).join(', '),
  ]),
})

const limitTable = deployments => ({
  title: 'Load, step by step',
  text: 'Open loop; latency counts from the time a request was due.',
  head: ['Deployment', 'Rate to send', 'Answers a second', 'p50, ms', 'p99, ms', 'Errors', 'Exceeded'],
  rows: deployments.flatMap(({ name, steps }) =>
    [...steps]
      .sort((a, b) => a.rate - b.rate)
      .map(step => [
        name,
        whole(step.rate),
        whole(step.perSecond),
        milli(step.latency.p50),
        milli(step.latency.p99),
        inPercent(step.errors),
        step.reason ?? '',
      ]),
  ),
})

const TABLES = {
  load: loadTable,
  limit: limitTable,
  cost: costTable,
  pipeline: pipelineTable,
  workers: workersTable,
  redis: redisTable,
  latency: latencyTable,
  dataset: datasetTable,
  keys: keysTable,
  connections: connectionsTable,
}

/** @returns {{id: string, title: string, text: string, head: string[], rows: string[][]}[]} */
export function sections(results) {
  const targets = {
    id: 'targets',
    title: 'Targets',
    text: '',
    head: ['What', 'Measured', 'Target', ''],
    rows: results.findings.map(findingRow),
  }
  const rest = Object.entries(TABLES)
    .filter(([id]) => results[id] !== undefined)
    .map(([id, make]) => ({ id, ...make(results[id]) }))
  const beside = results.beside?.length > 0 ? [comparisonTable(results)] : []
  return targets.rows.length > 0 ? [targets, ...beside, ...rest] : rest
}
