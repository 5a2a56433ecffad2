/**
 * Gatling (https://gatling.io, its JavaScript SDK), constant arrival rate. Not tested with Gatling itself, which downloads its
 * own Java runtime: a test checks the syntax, and the calls were checked against the types of @gatling.io/core and /http 3.15.
 *
 *   npm install @gatling.io/cli @gatling.io/core @gatling.io/http     # in a separate folder
 *   mkdir -p src resources && cp bench/recipes/gatling.js src/hsapi.gatling.js
 *   npx hsapi feed --kind urls --count 20000 --out resources/mix.csv
 *   npx gatling run --simulation hsapi url=http://127.0.0.1:8080 key=$KEY rate=500
 *
 * Each arrival is a user with one request; connections are shared. Result: the assertions, printed last. Gatling exits with 2
 * if one of them fails. Requests of the warm-up are named "warm …" and left out of the assertions. The HTML report shows
 * response time percentiles over time: a step is a stall, a slope is a growing queue.
 */
import { constantUsersPerSec, csv, details, getParameter, nothingFor, scenario, simulation } from '@gatling.io/core'
import { http, status } from '@gatling.io/http'

const number = (name, fallback) => Number(getParameter(name, String(fallback)))
const UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'

export default simulation(setUp => {
  const [rate, duration, warm] = [number('rate', 500), number('duration', 30), number('warm', 5)]
  const key = getParameter('key', '')
  const protocol = http.baseUrl(getParameter('url', 'http://127.0.0.1:8080')).shareConnections()

  const ask = name =>
    scenario(name)
      .feed(csv('mix.csv').circular())
      .exec(session => session.set('sent', session.get('key') === 'own' ? key : UNKNOWN_KEY))
      .exec(
        http(name)
          .get('#{url}')
          .header('X-Api-Key', '#{sent}')
          .check(status().is(session => Number(session.get('status')))),
      )

  setUp(
    ask('warm').injectOpen(constantUsersPerSec(rate).during(warm)),
    ask('measured').injectOpen(
      nothingFor({ amount: warm, unit: 'seconds' }),
      constantUsersPerSec(rate).during(duration),
    ),
  )
    .protocols(protocol)
    .assertions(
      details('measured').responseTime().percentile(99).lte(number('p99ms', 50)),
      details('measured').failedRequests().percent().lte(number('errors', 0.1)),
    )
})
