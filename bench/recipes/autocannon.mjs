/**
 * autocannon (https://github.com/mcollina/autocannon, 8), fixed overall rate. Tested in test/recipes.
 *
 *   npx hsapi feed --kind urls --count 20000 --out mix.csv
 *   KEY=... FEED=mix.csv URL=http://127.0.0.1:8080 RATE=500 DURATION=30 node bench/recipes/autocannon.mjs
 *
 * At a fixed rate, autocannon sends the requests of one second on each connection in a row, then pauses, and corrects latencies
 * for requests that waited. Many connections at a low rate therefore cause bursts. Result: the last line. Exit code 1 if p99
 * (P99_MS, milliseconds) or errors (ERRORS, percent) are above the limit. Latencies are in whole milliseconds: a p99 below one
 * millisecond is shown as 0 or 1. RATE=0 is closed loop.
 */
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const { URL: url = 'http://127.0.0.1:8080', KEY = '', FEED = 'mix.csv' } = process.env
const number = (name, fallback) => Number(process.env[name] ?? fallback)
const RATE = number('RATE', 500)
const CONNECTIONS = number('CONNECTIONS', 64)
const [P99_MS, ERRORS] = [number('P99_MS', 50), number('ERRORS', 0.1)]
const UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'

// URLs are percent-encoded, so no cell contains a comma
const rows = readFileSync(FEED, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split(','))
let unexpected = 0
const requests = rows.map(([, method, path, key, status]) => ({
  method,
  path,
  headers: { 'X-Api-Key': key === 'own' ? KEY : UNKNOWN_KEY },
  onResponse: got => {
    if (got !== Number(status)) unexpected++
  },
}))

/** Each connection gets its own share of the requests, because autocannon starts every connection at its first request. */
const load = seconds => {
  let connection = 0
  return autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: client => {
      const own = connection++ % CONNECTIONS
      client.setRequests(requests.filter((_, i) => i % CONNECTIONS === own))
    },
    ...(RATE > 0 && { overallRate: RATE }),
  })
}

await load(number('WARM', 5))
unexpected = 0
const result = await load(number('DURATION', 30))
const answered = result.requests.total
const share = (100 * (unexpected + result.errors)) / Math.max(1, answered + result.errors)
const held = answered > 0 && result.latency.p99 <= P99_MS && share <= ERRORS
console.log(autocannon.printResult(result, { renderStatusCodes: true }))
console.log(
  `${held ? 'held' : 'BROKEN'}: p99 ${result.latency.p99} ms (at most ${P99_MS}), errors ${share.toFixed(3)} % (at most ${ERRORS})`,
)
process.exitCode = held ? 0 : 1
