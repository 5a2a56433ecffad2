/** Renders metrics in Prometheus' text format. */
import { BUCKETS_US, type Tally } from '../metrics/tally.js'

export interface MetricsInput {
  tallies: readonly Tally[]
  routes: readonly string[]
  kinds: readonly { status: number; reason?: string }[]
  version: string
  engine: string
  startedMs: number
  /** Whether the previous server was killed or crashed. */
  isAfterKill: boolean
  dataset:
    | { parts: { id: string; meta: { edition: string; version: string; records: number } }; loadSeconds: number; sinceMs: number }
    | undefined
  reloads: { loaded: number; refused: number; isRefused: boolean }
  /** Undefined without TLS. */
  certificateEndsMs: number | undefined
  logDropped: number
  /** Whether requests are answered; if not, /ready gives the reason. */
  isReady: boolean
  keys: number
  /** True if changes to keys cannot be read, or the local copy of the keys cannot be written. */
  isKeySourceFailing: boolean
  /** True if keys.json is damaged or missing; the keys loaded earlier, or those of the local copy, stay in force. */
  isKeyFileDamaged: boolean
  usage: { failures: number; isFailing: boolean }
  store: { isUp: boolean; asked: number; waited: number; alone: number; lost: number; seconds: number } | undefined
  hasChaos: boolean
  /** The keys with the most requests, the busiest first; their number is limited. */
  busiestKeys: readonly { id: string; requests: number; refused: number }[]
}

type Labels = Readonly<Record<string, string | number>>

const escaped = (value: string | number) => String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

class Page {
  text = ''

  metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): void {
    this.text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
  }

  sample(name: string, value: number, labels: Labels = {}): void {
    const list = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    this.text += `${name}${list.length > 0 ? `{${list.join()}}` : ''} ${value}\n`
  }

  single(name: string, type: 'counter' | 'gauge', help: string, value: number, labels?: Labels): void {
    this.metric(name, type, help)
    this.sample(name, value, labels)
  }
}

const sum = (tallies: readonly Tally[], of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0)

function requests(page: Page, { tallies, routes, kinds }: MetricsInput): void {
  const name = 'hsapi_requests_total'
  const refusals = new Map<string, number>()
  page.metric(name, 'counter', 'Responses by route and status.')
  routes.forEach((route, r) => {
    const byStatus = new Map<number, number>()
    kinds.forEach(({ status, reason }, k) => {
      const count = sum(tallies, tally => tally.responses(r, k))
      byStatus.set(status, (byStatus.get(status) ?? 0) + count)
      if (reason !== undefined) refusals.set(reason, (refusals.get(reason) ?? 0) + count)
    })
    for (const [status, count] of byStatus) if (count > 0) page.sample(name, count, { route, status })
  })
  page.metric('hsapi_refusals_total', 'counter', 'Error responses by code.')
  for (const [reason, count] of refusals) page.sample('hsapi_refusals_total', count, { reason })
  const sentBytes = sum(tallies, tally => routes.reduce((total, _, r) => total + tally.bytes(r), 0))
  page.single('hsapi_sent_bytes_total', 'counter', 'Bytes of responses, headers included.', sentBytes)
}

function durations(page: Page, { tallies, routes }: MetricsInput): void {
  const name = 'hsapi_request_duration_seconds'
  page.metric(name, 'histogram', 'Time from request to response, for one request in eight.')
  routes.forEach((route, r) => {
    const buckets = BUCKETS_US.map((_, b) => sum(tallies, tally => tally.buckets(r)[b]))
    const beyond = sum(tallies, tally => tally.buckets(r).at(-1) as number)
    let below = 0
    const count = buckets.reduce((total, n) => total + n, beyond)
    if (count === 0) return
    BUCKETS_US.forEach((us, b) => {
      below += buckets[b]
      page.sample(`${name}_bucket`, below, { route, le: us / 1e6 })
    })
    page.sample(`${name}_bucket`, count, { route, le: '+Inf' })
    page.sample(`${name}_sum`, sum(tallies, tally => tally.microseconds(r)) / 1e6, { route })
    page.sample(`${name}_count`, count, { route })
  })
}

function threads(page: Page, { tallies }: MetricsInput): void {
  page.metric('hsapi_connections', 'gauge', 'Open connections, by thread.')
  tallies.forEach((tally, thread) => {
    page.sample('hsapi_connections', tally.get('connections'), { thread })
  })
  const dropped = sum(tallies, tally => tally.get('accessDropped'))
  page.single('hsapi_access_log_dropped_total', 'counter', 'Access log lines that were not written.', dropped)
  const empty = sum(tallies, tally => tally.get('emptySearches'))
  page.single('hsapi_empty_searches_total', 'counter', 'Searches that found nothing.', empty)
  const name = 'hsapi_event_loop_delay_seconds'
  page.metric(name, 'gauge', 'Event loop delay in the last second, by thread.')
  tallies.forEach((tally, thread) => {
    page.sample(name, tally.get('delayP50'), { thread, at: 'p50' })
    page.sample(name, tally.get('delayP99'), { thread, at: 'p99' })
    page.sample(name, tally.get('delayMax'), { thread, at: 'max' })
  })
}

const CHAOS_KINDS = {
  latency: 'chaosLatency',
  status: 'chaosStatus',
  reset: 'chaosReset',
  'slow-body': 'chaosSlowBody',
} as const

function chaos(page: Page, { tallies, hasChaos }: MetricsInput): void {
  if (!hasChaos) return
  page.metric('hsapi_chaos_total', 'counter', 'Injected faults by kind.')
  for (const [kind, figure] of Object.entries(CHAOS_KINDS)) {
    const count = sum(tallies, tally => tally.get(figure))
    page.sample('hsapi_chaos_total', count, { kind })
  }
}

function dataset(page: Page, { dataset }: MetricsInput): void {
  if (dataset === undefined) return
  const { parts, loadSeconds, sinceMs } = dataset
  const { edition, version, records } = parts.meta
  page.single('hsapi_dataset_info', 'gauge', 'The dataset in use.', 1, { edition, version, snapshot: parts.id })
  page.single('hsapi_dataset_records', 'gauge', 'Records in the dataset.', records)
  page.single('hsapi_snapshot_load_seconds', 'gauge', 'Time taken to load the snapshot.', loadSeconds)
  const since = 'When the snapshot came into use, in seconds since the Unix epoch.'
  page.single('hsapi_snapshot_since_timestamp_seconds', 'gauge', since, sinceMs / 1000)
}

function reloads(page: Page, { reloads: { loaded, refused, isRefused }, certificateEndsMs }: MetricsInput): void {
  const name = 'hsapi_reloads_total'
  page.metric(name, 'counter', 'Reloads of the snapshot by result, without the load at the start.')
  page.sample(name, loaded, { result: 'loaded' })
  page.sample(name, refused, { result: 'refused' })
  page.single(
    'hsapi_reload_refused',
    'gauge',
    'Whether the last reload was refused; if so, the old dataset is still served.',
    isRefused ? 1 : 0,
  )
  if (certificateEndsMs === undefined) return
  const help = 'When the certificate in use expires, in seconds since the Unix epoch.'
  page.single('hsapi_certificate_end_timestamp_seconds', 'gauge', help, certificateEndsMs / 1000)
}

function store(page: Page, { store }: MetricsInput): void {
  if (store === undefined) return
  const counter = (name: string, help: string, value: number) => page.single(`hsapi_store_${name}`, 'counter', help, value)
  page.single('hsapi_store_up', 'gauge', 'Whether Redis is reachable.', store.isUp ? 1 : 0)
  counter('round_trips_total', 'Round trips to Redis.', store.asked)
  counter('round_trip_seconds_sum_total', 'Time spent waiting for Redis.', store.seconds)
  counter('waited_requests_total', 'Requests that waited for Redis.', store.waited)
  counter('alone_requests_total', 'Requests admitted by local quotas while Redis was unreachable.', store.alone)
  counter('losses_total', 'Times a thread lost its connection to Redis.', store.lost)
}

function usage(page: Page, { usage: { failures, isFailing } }: MetricsInput): void {
  page.single('hsapi_usage_save_failures_total', 'counter', 'Failed saves of usage counts.', failures)
  page.single('hsapi_usage_save_failing', 'gauge', 'Whether the last save failed.', isFailing ? 1 : 0)
}

function busiestKeys(page: Page, { busiestKeys: keys }: MetricsInput): void {
  const [requests, refused] = ['hsapi_busiest_keys_requests', 'hsapi_busiest_keys_refused']
  page.metric(requests, 'gauge', 'Responses in the last minute to the busiest keys, by id.')
  for (const key of keys) page.sample(requests, key.requests, { key: key.id })
  page.metric(refused, 'gauge', 'Responses with 429 in the last minute to the busiest keys, by id.')
  for (const key of keys) page.sample(refused, key.refused, { key: key.id })
}

export function renderMetrics(input: MetricsInput): string {
  const page = new Page()
  const { version, engine, startedMs, isAfterKill, logDropped, isReady, keys, isKeySourceFailing, isKeyFileDamaged } = input
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  page.single('hsapi_build_info', 'gauge', 'Version and HTTP engine.', 1, { version, engine })
  requests(page, input)
  durations(page, input)
  threads(page, input)
  chaos(page, input)
  dataset(page, input)
  reloads(page, input)
  page.single('hsapi_ready', 'gauge', 'Whether the server is ready; if not, /ready gives the reason.', isReady ? 1 : 0)
  page.single('hsapi_keys', 'gauge', 'Active keys.', keys)
  const failing =
    'Whether changes to keys cannot be read, or the copy of the keys cannot be written; the keys in force do not change.'
  page.single('hsapi_key_source_failing', 'gauge', failing, isKeySourceFailing ? 1 : 0)
  const help = 'Whether keys.json is damaged or missing; the keys loaded earlier, or those of the copy, stay in force.'
  page.single('hsapi_key_file_damaged', 'gauge', help, isKeyFileDamaged ? 1 : 0)
  busiestKeys(page, input)
  usage(page, input)
  store(page, input)
  page.single('hsapi_log_dropped_total', 'counter', 'Lines of the server log that were not written.', logDropped)
  const afterKill = 'Whether the previous server was killed or crashed.'
  page.single('hsapi_started_after_kill', 'gauge', afterKill, isAfterKill ? 1 : 0)
  page.single('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss)
  page.single('nodejs_heap_used_bytes', 'gauge', 'Heap used by the first thread.', heapUsed)
  page.single('process_cpu_seconds_total', 'counter', 'CPU time, user and system.', (user + system) / 1e6)
  page.single('process_start_time_seconds', 'gauge', 'Start time since the Unix epoch.', startedMs / 1000)
  return page.text
}
