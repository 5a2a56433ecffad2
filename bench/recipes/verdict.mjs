/** Reads the report of a shell recipe's tool and prints whether p99 and errors are within their limits; exits with 1 if not. */
import { readFileSync } from 'node:fs'

/** Statuses that are not errors: the mix contains invalid requests on purpose. With a single key, 401 does not occur. */
const EXPECTED = new Set(['200', '400', '404'])
const sum = values => values.reduce((total, value) => total + value, 0)
const unexpected = byStatus => sum(Object.entries(byStatus).map(([status, count]) => (EXPECTED.has(status) ? 0 : count)))

/** Each returns p99 in milliseconds, the number of requests and the number of failures. */
const READERS = {
  oha: text => {
    const { latencyPercentiles, statusCodeDistribution, errorDistribution } = JSON.parse(text)
    // requests cut off at the deadline are not the server's fault
    const failed = sum(Object.entries(errorDistribution).map(([reason, count]) => (/deadline/.test(reason) ? 0 : count)))
    return {
      p99: latencyPercentiles.p99 * 1000,
      requests: sum(Object.values(statusCodeDistribution)) + failed,
      wrong: unexpected(statusCodeDistribution) + failed,
    }
  },
  vegeta: text => {
    // status 0 means that there was no answer
    const { latencies, requests, status_codes: statuses } = JSON.parse(text)
    return { p99: latencies['99th'] / 1e6, requests, wrong: unexpected(statuses) }
  },
  hey: text => {
    const rows = text
      .split('\n')
      .filter(line => /^\d/.test(line))
      .map(line => line.split(','))
    const seconds = rows.map(([time]) => Number(time)).sort((a, b) => a - b)
    return {
      p99: (seconds[Math.max(0, Math.ceil(seconds.length * 0.99) - 1)] ?? 0) * 1000,
      requests: rows.length,
      wrong: rows.filter(cells => !EXPECTED.has(cells[6])).length,
    }
  },
}

const [tool, ...files] = process.argv.slice(2)
const P99_MS = Number(process.env.P99_MS ?? 50)
const ERRORS = Number(process.env.ERRORS ?? 0.1)
const { p99, requests, wrong } = READERS[tool](files.map(file => readFileSync(file, 'utf8')).join('\n'))
const share = (100 * wrong) / Math.max(1, requests)
const held = requests > 0 && p99 <= P99_MS && share <= ERRORS
console.log(
  `${held ? 'held' : 'BROKEN'}: ${requests} requests, p99 ${p99.toFixed(2)} ms (at most ${P99_MS}), errors ${share.toFixed(3)} % (at most ${ERRORS})`,
)
process.exitCode = held ? 0 : 1
