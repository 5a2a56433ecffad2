/**
 * k6 (https://k6.io), constant arrival rate. Not tested with k6 itself, which is in neither Debian nor npm: its calls were
 * checked against @types/k6.
 *
 *   npx hsapi feed --kind urls --count 20000 --out mix.csv
 *   k6 run -e URL=http://127.0.0.1:8080 -e KEY=$KEY -e FEED=mix.csv -e RATE=500 bench/recipes/k6.js
 *
 * FEED is relative to the folder of this file unless it begins with a slash. Result: the thresholds, printed first. k6 exits
 * with 99 if one of them is exceeded. `http_req_duration` is measured from sending. `dropped_iterations` above zero means that
 * k6 had no free virtual user when a request was due. The latencies are then too low: raise VUS or lower RATE.
 */
import { check } from 'k6'
import { SharedArray } from 'k6/data'
import { scenario } from 'k6/execution'
import http from 'k6/http'

const URL = __ENV.URL || 'http://127.0.0.1:8080'
const RATE = Number(__ENV.RATE || 500)
const DURATION = Number(__ENV.DURATION || 30)
const WARM = Number(__ENV.WARM || 5)
const P99_MS = Number(__ENV.P99_MS || 50)
/** In percent. */
const ERRORS = Number(__ENV.ERRORS || 0.1)
const UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'

// no cell of kind, method, key and status has a comma, and URLs are percent-encoded
const rows = new SharedArray('mix', () =>
  open(__ENV.FEED || 'mix.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(',')),
)

const arrivals = {
  executor: /** @type {const} */ ('constant-arrival-rate'),
  rate: RATE,
  timeUnit: '1s',
  preAllocatedVUs: Number(__ENV.VUS || 50),
  maxVUs: 10 * Number(__ENV.VUS || 50),
}

/** @type {import('k6/options').Options} */
export const options = {
  discardResponseBodies: true,
  scenarios: {
    warm: { ...arrivals, duration: `${WARM}s` },
    measured: { ...arrivals, duration: `${DURATION}s`, startTime: `${WARM}s` },
  },
  // the warm-up is another scenario, so that the thresholds do not include it
  thresholds: {
    'http_req_duration{scenario:measured}': [`p(99)<${P99_MS}`],
    'checks{scenario:measured}': [`rate>=${1 - ERRORS / 100}`],
    'dropped_iterations{scenario:measured}': ['count==0'],
  },
}

export default function () {
  const [kind, , url, key, status] = rows[scenario.iterationInTest % rows.length]
  const response = http.get(URL + url, {
    headers: { 'X-Api-Key': key === 'own' ? __ENV.KEY : UNKNOWN_KEY },
    tags: { name: kind },
    responseCallback: http.expectedStatuses(Number(status)),
  })
  check(response, { 'status is as expected': ({ status: got }) => got === Number(status) })
}
