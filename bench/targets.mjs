/** The limits on the cost of a request, and whether a run meets them. */

/** The cost of a case divided by that of another case in the same run. */
const RATIOS = [
  { id: 'lookup', base: 'bare', limit: 1.05 },
  { id: 'lookup', base: 'nginx', limit: 0.85 },
  { id: 'lookup', base: 'nginx-packaged' },
  { id: 'lookup', base: 'nginx-tuned' },
  { id: 'health', base: 'bare', limit: 1.1 },
  { id: 'tariff', base: 'bare', limit: 1.5 },
  { id: 'children', base: 'bare-children', limit: 2 },
  { id: 'search', base: 'bare-search', limit: 2 },
  { id: 'search-new', base: 'bare-search' },
  { id: 'search-many', base: 'bare-search' },
  { id: 'lookup-path', base: 'bare-lookup-path', limit: 2 },
  { id: 'path', base: 'bare-path', limit: 2 },
  { id: 'lines', base: 'bare-lines', limit: 2 },
  { id: 'resolve', base: 'lookup', times: 100, limit: 1 },
  { id: 'resolve', base: 'bare-resolve' },
  { id: '304', base: 'lookup', limit: 1 },
  { id: 'lookup-counted', base: 'lookup', limit: 1.02 },
  { id: 'lookup-logged', base: 'lookup' },
  { id: '401', base: 'lookup', limit: 1 },
  { id: '404', base: 'lookup', limit: 1 },
  { id: '429', base: 'lookup', limit: 1 },
  { id: 'node-lookup', base: 'lookup' },
  { id: 'node-search-new', base: 'search-new' },
  { id: 'node-tariff', base: 'tariff' },
  { id: 'map-lookup', base: 'lookup' },
  { id: 'map-search', base: 'search-new' },
  { id: 'sqlite-lookup', base: 'lookup' },
  { id: 'sqlite-search', base: 'search-new' },
]
const PIPELINED_MIN = 0.6
const TWO_WORKERS_MAX = 1.1
const SHARED_MAX = 1.05
const WORKER_MB_MAX = 60
const BOOT_MS_MAX = 500
const RESIDENT_MB_MAX = 180
const P99_MAX = 1.5
/** Growth up to this ratio counts as flat: two runs of the same case may differ by a tenth. */
const FLAT_MAX = 1.1

/** The cases with which a case is compared. */
export const basesOf = id => RATIOS.filter(ratio => ratio.id === id).map(({ base }) => base)

/** @typedef {{what: string, measured: number, limit?: number, atLeast?: boolean, unit: string, met?: boolean}} Finding */

/** Compares the rounded figure with the limit, so that a table never contradicts itself. */
function finding(what, measured, { limit, atLeast = false, unit = '×', digits = 2 }) {
  const shown = Number(measured.toFixed(digits))
  const met = limit === undefined ? undefined : atLeast ? shown >= limit : shown <= limit
  return { what, measured: shown, limit, atLeast, unit, met }
}

function costFindings(cases = []) {
  const byId = new Map(cases.map(one => [one.id, one]))
  return RATIOS.filter(({ id, base }) => byId.has(id) && byId.has(base)).map(({ id, base, times = 1, limit }) => {
    const [one, other] = [byId.get(id), byId.get(base)]
    const what = `CPU: ${one.name} over ${times === 1 ? '' : `${times} × `}${other.name}`
    return finding(what, one.microseconds / (times * other.microseconds), { limit })
  })
}

function pipelineFindings({ depth, cases: [bare, lookup] }) {
  const what = `Pipelined ${depth} deep, lookup over bare`
  return [
    finding(`${what}: requests a second`, lookup.perSecond / bare.perSecond, {
      limit: PIPELINED_MIN,
      atLeast: true,
    }),
    finding(`${what}: CPU`, lookup.microseconds / bare.microseconds, {}),
  ]
}

function workerFindings([one, two]) {
  return [
    finding('CPU: two workers over one', two.microseconds / one.microseconds, { limit: TWO_WORKERS_MAX }),
    finding('Memory of the second worker', two.residentMb - one.residentMb, {
      limit: WORKER_MB_MAX,
      unit: 'MB',
      digits: 0,
    }),
  ]
}

function redisFindings({ cases: [without, shared] }) {
  return [
    finding('CPU: quotas shared through Redis over counts in memory', shared.microseconds / without.microseconds, {
      limit: SHARED_MAX,
    }),
  ]
}

function datasetFindings(scales) {
  const first = scales.find(({ scale }) => scale === 1)
  if (first === undefined) return []
  const [{ requests, mb }, later] = first.resident.slice(-2)
  return [
    finding('Boot to first answer', first.bootMs, { limit: BOOT_MS_MAX, unit: 'ms', digits: 0 }),
    finding(`Memory after ${requests.toLocaleString('en')} mixed requests`, mb, {
      limit: RESIDENT_MB_MAX,
      unit: 'MB',
      digits: 0,
    }),
    finding('Memory after another quarter of the requests, divided by the previous figure', later.mb / mb, { limit: FLAT_MAX }),
  ]
}

function keyFindings(counts) {
  if (counts.length < 2) return []
  const [few, many] = [counts[0], counts.at(-1)]
  const what = `CPU: lookup with ${many.keys.toLocaleString('en')} keys over ${few.keys}`
  return [finding(what, many.microseconds / few.microseconds, { limit: FLAT_MAX })]
}

/** More connections also need more kernel time; the bare server shows how much. */
function connectionFindings(counts) {
  return counts
    .filter(({ connections }) => connections > 64)
    .map(({ connections, lookup, bare }) => {
      const base = counts.find(one => one.connections === 64) ?? counts[0]
      const growth = lookup.microseconds / base.lookup.microseconds
      const bareGrowth = bare.microseconds / base.bare.microseconds
      const what = `CPU: growth from ${base.connections} to ${connections} connections, lookup's over bare's`
      return finding(what, growth / bareGrowth, { limit: FLAT_MAX })
    })
}

function latencyFindings({ servers: [bare, lookup] }) {
  const ratio = lookup.best.latency.p99 / bare.best.latency.p99
  return [finding('p99 at half of saturation: lookup over bare', ratio, { limit: P99_MAX })]
}

/** @returns {Finding[]} for the sections that were run */
export function findings(results) {
  const { cost, pipeline, workers, redis, dataset, keys, connections, latency } = results
  return [
    ...costFindings(cost),
    ...(pipeline ? pipelineFindings(pipeline) : []),
    ...(workers ? workerFindings(workers) : []),
    ...(redis ? redisFindings(redis) : []),
    ...(dataset ? datasetFindings(dataset) : []),
    ...(latency ? latencyFindings(latency) : []),
    ...(keys ? keyFindings(keys) : []),
    ...(connections ? connectionFindings(connections) : []),
  ]
}
