import t from 'tap'
import { renderMetrics } from '../../src/admin/metrics.js'
import { Tally } from '../../src/metrics/tally.js'

const OBSERVED = {
  routes: ['other', '/a'],
  kinds: [{ status: 200 }, { status: 404, reason: 'not_found' }, { status: 404, reason: 'route_not_found' }],
  version: '1.2.3',
  engine: 'uws',
  startedMs: 5_000,
  isAfterKill: false,
  reloads: { loaded: 2, refused: 1, isRefused: true },
  certificateEndsMs: undefined,
  logDropped: 3,
  dataset: undefined,
  keys: 7,
  isKeyFileDamaged: false,
  usage: { failures: 0, isFailing: false },
  store: undefined,
  isReady: true,
  isKeySourceFailing: false,
  busiestKeys: [{ id: 'Axw6ER4Fyi', requests: 9, refused: 2 }],
  hasChaos: false,
}

t.test('metrics add up the counts of all threads', async t => {
  const tallies = [new Tally(), new Tally()]
  for (const tally of tallies) {
    tally.count(1, 0, 100)
    tally.count(1, 1, 10)
    tally.count(0, 2, 10)
    tally.increment('emptySearches')
    tally.time(1, 3)
    tally.time(1, 5_000_000)
  }
  const text = renderMetrics({ ...OBSERVED, tallies })
  for (const line of [
    'hsapi_requests_total{route="/a",status="200"} 2',
    'hsapi_requests_total{route="/a",status="404"} 2',
    'hsapi_requests_total{route="other",status="404"} 2',
    'hsapi_refusals_total{reason="not_found"} 2',
    'hsapi_sent_bytes_total 240',
    'hsapi_request_duration_seconds_bucket{route="/a",le="0.000002"} 0',
    'hsapi_request_duration_seconds_bucket{route="/a",le="0.000005"} 2',
    'hsapi_request_duration_seconds_bucket{route="/a",le="1"} 2',
    'hsapi_request_duration_seconds_bucket{route="/a",le="+Inf"} 4',
    'hsapi_request_duration_seconds_count{route="/a"} 4',
    'hsapi_keys 7',
    'hsapi_empty_searches_total 2',
    'hsapi_reloads_total{result="loaded"} 2',
    'hsapi_reloads_total{result="refused"} 1',
    'hsapi_reload_refused 1',
    'hsapi_log_dropped_total 3',
    'hsapi_started_after_kill 0',
    'process_start_time_seconds 5',
  ])
    t.ok(text.split('\n').includes(line), line)
  t.notMatch(text, /hsapi_(?:store|dataset|chaos|certificate)/)
})

t.test('faults on demand are counted over all threads if they are enabled', async t => {
  const tallies = [new Tally(), new Tally()]
  for (const tally of tallies) tally.increment('chaosReset')
  tallies[1]?.increment('chaosSlowBody')
  const text = renderMetrics({ ...OBSERVED, tallies, hasChaos: true })
  const kinds = text.split('\n').filter(line => line.startsWith('hsapi_chaos_total{'))
  t.strictSame(kinds, [
    'hsapi_chaos_total{kind="latency"} 0',
    'hsapi_chaos_total{kind="status"} 0',
    'hsapi_chaos_total{kind="reset"} 2',
    'hsapi_chaos_total{kind="slow-body"} 1',
  ])
})

t.test('figures of the dataset and of the store appear only if the server has them', async t => {
  const text = renderMetrics({
    ...OBSERVED,
    tallies: [new Tally()],
    certificateEndsMs: 1_800_000_000_000,
    dataset: { parts: { id: 'x', meta: { edition: 'a "b" \\ c\nd', version: '2', records: 9 } }, loadSeconds: 0.5, sinceMs: 0 },
    store: { isUp: false, asked: 1, waited: 2, alone: 3, lost: 4, seconds: 0.25 },
  })
  t.ok(text.includes('hsapi_dataset_info{edition="a \\"b\\" \\\\ c\\nd",version="2",snapshot="x"} 1\n'))
  t.ok(text.includes('\nhsapi_certificate_end_timestamp_seconds 1800000000\n'))
  for (const line of ['hsapi_store_up 0', 'hsapi_store_round_trips_total 1', 'hsapi_store_losses_total 4'])
    t.ok(text.split('\n').includes(line), line)
})

/** The samples of a page, by name and labels. */
const samplesOf = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const),
  )

t.test('every figure has its own name and value; true and false are 1 and 0', async t => {
  const tallies = [new Tally(), new Tally()]
  tallies.forEach((tally, thread) => {
    tally.set('connections', 10 + thread)
    tally.set('accessDropped', 3)
    tally.set('delayP50', 0.1 + thread)
    tally.set('delayP99', 0.2 + thread)
    tally.set('delayMax', 0.3 + thread)
    tally.time(1, 500_000)
  })
  const store = { asked: 1, waited: 2, alone: 3, lost: 4, seconds: 0.25 }
  const dataset = { parts: { id: 'x', meta: { edition: 'e', version: '2', records: 9 } }, loadSeconds: 0.5, sinceMs: 7_000 }
  const read = (is: boolean) =>
    samplesOf(
      renderMetrics({
        ...OBSERVED,
        tallies,
        dataset,
        store: { ...store, isUp: is },
        isAfterKill: is,
        isReady: is,
        isKeySourceFailing: is,
        isKeyFileDamaged: is,
        usage: { failures: 6, isFailing: is },
        reloads: { loaded: 2, refused: 1, isRefused: is },
      }),
    )
  for (const is of [true, false])
    for (const name of [
      'hsapi_ready',
      'hsapi_key_source_failing',
      'hsapi_key_file_damaged',
      'hsapi_usage_save_failing',
      'hsapi_store_up',
      'hsapi_reload_refused',
      'hsapi_started_after_kill',
    ])
      t.equal(read(is).get(name), Number(is), name)
  const samples = read(true)
  for (const [name, value] of [
    ['hsapi_build_info{version="1.2.3",engine="uws"}', 1],
    ['hsapi_connections{thread="0"}', 10],
    ['hsapi_connections{thread="1"}', 11],
    ['hsapi_access_log_dropped_total', 6],
    ['hsapi_event_loop_delay_seconds{thread="0",at="p50"}', 0.1],
    ['hsapi_event_loop_delay_seconds{thread="1",at="p99"}', 1.2],
    ['hsapi_event_loop_delay_seconds{thread="1",at="max"}', 1.3],
    ['hsapi_request_duration_seconds_sum{route="/a"}', 1],
    ['hsapi_dataset_records', 9],
    ['hsapi_snapshot_load_seconds', 0.5],
    ['hsapi_snapshot_since_timestamp_seconds', 7],
    ['hsapi_store_round_trips_total', 1],
    ['hsapi_store_round_trip_seconds_sum_total', 0.25],
    ['hsapi_store_waited_requests_total', 2],
    ['hsapi_store_alone_requests_total', 3],
    ['hsapi_store_losses_total', 4],
    ['hsapi_usage_save_failures_total', 6],
    ['hsapi_busiest_keys_requests{key="Axw6ER4Fyi"}', 9],
    ['hsapi_busiest_keys_refused{key="Axw6ER4Fyi"}', 2],
  ] as const)
    t.equal(samples.get(name), value, name)
  for (const name of ['process_resident_memory_bytes', 'nodejs_heap_used_bytes', 'process_cpu_seconds_total'])
    t.ok((samples.get(name) ?? 0) > 0, name)
  t.notOk(
    [...samples.keys()].some(name => name.includes('route="other"')),
    'a route without requests has no samples',
  )
})

t.test('each name is described once, before its samples', async t => {
  const text = renderMetrics({ ...OBSERVED, tallies: [new Tally()], hasChaos: true })
  const described = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, name = ''] = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (name !== '') {
      t.notOk(described.has(name), name)
      described.add(name)
    } else if (!line.startsWith('# HELP ')) {
      const sample = /^[a-z_0-9]+/.exec(line)?.[0] ?? ''
      t.ok(described.has(sample) || described.has(sample.replace(/_(?:bucket|sum|count)$/, '')), line)
    }
  }
  t.ok(described.size > 20)
})

t.test('CPU time is in seconds', async t => {
  const seconds = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const before = seconds()
  const [, shown] = /^process_cpu_seconds_total (.*)$/m.exec(renderMetrics({ ...OBSERVED, tallies: [] })) ?? []
  t.ok(before <= Number(shown) && Number(shown) <= seconds())
})
