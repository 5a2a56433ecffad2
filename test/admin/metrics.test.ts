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

t.test('the dataset and the store are reported if there are any', async t => {
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
