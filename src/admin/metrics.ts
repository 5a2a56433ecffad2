/** What a server counted, in the text format of Prometheus. */
import { BUCKETS_US, type Tally } from '../metrics/tally.js'

/** What an answer of one kind is. */
export interface AnswerKind {
  status: number
  /** The error's code, for refusals. */
  reason?: string
}

export interface Observed {
  tallies: readonly Tally[]
  routes: readonly string[]
  kinds: readonly AnswerKind[]
  version: string
  engine: string
  startedMs: number
  dataset: { edition: string; version: string; snapshot: string; records: number; loadSeconds: number } | undefined
  keys: number
  /** Of saving counts in the data directory. */
  usage: { failures: number; isFailing: boolean }
  /** Of the store that replicas share, where there is one. */
  store: { isUp: boolean; asked: number; waited: number; alone: number; lost: number; seconds: number } | undefined
  /** Whether the server makes faults on demand. */
  hasChaos: boolean
  residentBytes: number
  heapBytes: number
  cpuSeconds: number
}

type Labels = Readonly<Record<string, string | number>>

const escaped = (value: string | number) => String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

class Page {
  #text = ''

  metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): this {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
    return this
  }

  sample(name: string, value: number, labels: Labels = {}): this {
    const list = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    this.#text += `${name}${list.length > 0 ? `{${list.join()}}` : ''} ${value}\n`
    return this
  }

  /** A metric of one value. */
  single(name: string, type: 'counter' | 'gauge', help: string, value: number, labels?: Labels): this {
    return this.metric(name, type, help).sample(name, value, labels)
  }

  toString(): string {
    return this.#text
  }
}

const sum = (tallies: readonly Tally[], of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0)

function requests(page: Page, { tallies, routes, kinds }: Observed): void {
  const name = 'hsapi_requests_total'
  const refusals = new Map<string, number>()
  page.metric(name, 'counter', 'Answers by route and status.')
  routes.forEach((route, r) => {
    const byStatus = new Map<number, number>()
    kinds.forEach(({ status, reason }, k) => {
      const count = sum(tallies, tally => tally.answers(r, k))
      byStatus.set(status, (byStatus.get(status) ?? 0) + count)
      if (reason !== undefined) refusals.set(reason, (refusals.get(reason) ?? 0) + count)
    })
    for (const [status, count] of byStatus) if (count > 0) page.sample(name, count, { route, status })
  })
  page.metric('hsapi_refusals_total', 'counter', 'Answers with an error, by its code.')
  for (const [reason, count] of refusals) page.sample('hsapi_refusals_total', count, { reason })
  page.single(
    'hsapi_sent_bytes_total',
    'counter',
    'Bytes of answers, heads included.',
    sum(tallies, tally => sum([tally], one => routes.reduce((total, _, r) => total + one.bytes(r), 0))),
  )
}

function durations(page: Page, { tallies, routes }: Observed): void {
  const name = 'hsapi_request_duration_seconds'
  page.metric(name, 'histogram', 'Time from a request to its answer, of one request in eight.')
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

function threads(page: Page, { tallies }: Observed): void {
  page.metric('hsapi_connections', 'gauge', 'Open connections, by thread.')
  tallies.forEach((tally, thread) => {
    page.sample('hsapi_connections', tally.get('connections'), { thread })
  })
  page.single(
    'hsapi_access_log_dropped_total',
    'counter',
    'Lines of the access log that were not written.',
    sum(tallies, tally => tally.get('accessDropped')),
  )
  const name = 'hsapi_event_loop_delay_seconds'
  page.metric(name, 'gauge', 'How late the event loop was in the last second, by thread.')
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

function chaos(page: Page, { tallies, hasChaos }: Observed): void {
  if (!hasChaos) return
  page.metric('hsapi_chaos_total', 'counter', 'Faults made on demand, by kind.')
  for (const [kind, figure] of Object.entries(CHAOS_KINDS))
    page.sample(
      'hsapi_chaos_total',
      sum(tallies, tally => tally.get(figure)),
      { kind },
    )
}

function dataset(page: Page, { dataset }: Observed): void {
  if (dataset === undefined) return
  const { edition, version, snapshot, records, loadSeconds } = dataset
  page.single('hsapi_dataset_info', 'gauge', 'The dataset that is served.', 1, { edition, version, snapshot })
  page.single('hsapi_dataset_records', 'gauge', 'Records of the dataset.', records)
  page.single('hsapi_snapshot_load_seconds', 'gauge', 'How long the snapshot took to load.', loadSeconds)
}

function store(page: Page, { store }: Observed): void {
  if (store === undefined) return
  const counter = (name: string, help: string, value: number) => page.single(`hsapi_store_${name}`, 'counter', help, value)
  page.single('hsapi_store_up', 'gauge', 'Whether the shared store answers.', store.isUp ? 1 : 0)
  counter('round_trips_total', 'Questions to the shared store.', store.asked)
  counter('round_trip_seconds_sum_total', 'Time spent waiting for its answers.', store.seconds)
  counter('waited_requests_total', 'Requests that waited for it.', store.waited)
  counter('alone_requests_total', 'Requests that were admitted without it.', store.alone)
  counter('losses_total', 'Times that a thread lost it.', store.lost)
}

function usage(page: Page, { usage: { failures, isFailing } }: Observed): void {
  page.single('hsapi_usage_save_failures_total', 'counter', 'Saves of counts that failed.', failures)
  page.single('hsapi_usage_save_failing', 'gauge', 'Whether the last save failed.', isFailing ? 1 : 0)
}

export function renderMetrics(observed: Observed): string {
  const page = new Page()
  const { version, engine, startedMs, keys, residentBytes, heapBytes, cpuSeconds } = observed
  page.single('hsapi_build_info', 'gauge', 'The program that answers.', 1, { version, engine })
  requests(page, observed)
  durations(page, observed)
  threads(page, observed)
  chaos(page, observed)
  dataset(page, observed)
  page.single('hsapi_keys', 'gauge', 'Keys in force.', keys)
  usage(page, observed)
  store(page, observed)
  page.single('process_resident_memory_bytes', 'gauge', 'Resident memory.', residentBytes)
  page.single('nodejs_heap_used_bytes', 'gauge', 'Heap in use, of the first thread.', heapBytes)
  page.single('process_cpu_seconds_total', 'counter', 'CPU time, user and system.', cpuSeconds)
  page.single('process_start_time_seconds', 'gauge', 'When it was started.', startedMs / 1000)
  return page.toString()
}
