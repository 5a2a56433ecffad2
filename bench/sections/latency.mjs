/** Latency at half of saturation, open loop, compared with the bare server at the same rate. */
import { caseById, headersFor, loadOf, verify } from '../cases.mjs'
import { runLoad } from '../load-process.mjs'
import { BARE_NAME, startBareLike, withServers } from '../servers/all.mjs'
import { measure } from '../wrk.mjs'

const CONNECTIONS = 64
const SATURATION_ROUNDS = 3
/** If the generator sends a tenth of the requests later than this, the run measures the generator. */
const LATENESS_MS = 0.2
/** Limit for the bare server's latency: if that server is slower, the load generator or the machine cannot keep up. */
const BARE_P50_MS = 1
const WARM_SECONDS = 1
const TRIES_EACH = 2
const LOWER = 0.75
const STEPS_MAX = 8

export async function latency({ stage, settings, progress, notes }) {
  return withServers(async keep => {
    const hsapi = await keep(stage.serve())
    const lookup = caseById('lookup')
    await verify(hsapi, lookup, stage)
    const bare = await keep(startBareLike(hsapi, loadOf(lookup, stage)))
    const servers = [
      { id: 'bare', name: BARE_NAME, port: bare.port, requests: [['/', {}]] },
      {
        id: 'lookup',
        name: 'lookup',
        port: hsapi.port,
        requests: [[lookup.path, headersFor(lookup, stage)]],
      },
    ]

    let saturation = 0
    for (let round = 1; round <= SATURATION_ROUNDS; round++) {
      progress.step(`saturation, round ${round} of ${SATURATION_ROUNDS}`)
      const { perSecond } = await measure(hsapi, { ...loadOf(lookup, stage), seconds: settings.seconds })
      saturation = Math.max(saturation, perSecond)
    }

    const run = ({ port, requests }, rate, seconds) =>
      runLoad({
        loop: 'open',
        port,
        requests,
        rate,
        connections: CONNECTIONS,
        seconds,
        warmSeconds: WARM_SECONDS,
      })
    const isOnTime = ({ latency, lateness }) => lateness.p90 <= LATENESS_MS && latency.p50 <= BARE_P50_MS
    /** One good try shows that the rate can be sustained; a bad one may be caused by another process. */
    const canKeep = async rate => {
      for (let i = 0; i < TRIES_EACH; i++) {
        progress.step(`trying ${rate} requests a second`)
        if (isOnTime(await run(servers[0], rate, 1))) return true
      }
      return false
    }
    let rate = Math.floor(saturation / 2)
    for (let i = 0; i < STEPS_MAX && !(await canKeep(rate)); i++) rate = Math.floor(rate * LOWER)
    if (rate < Math.floor(saturation / 2))
      notes.push(
        `Latency was measured at ${rate} requests a second, ${Math.round((rate / saturation) * 100)} % of saturation: the load generator cannot send more on time here`,
      )

    const rounds = servers.map(() => [])
    for (let round = 1; round <= settings.latencyRounds; round++) {
      for (const [i, server] of servers.entries()) {
        progress.step(`round ${round} of ${settings.latencyRounds}: ${server.name} at ${rate} requests a second`)
        rounds[i].push(await run(server, rate, settings.latencySeconds))
      }
    }
    if (!rounds[0].some(isOnTime))
      notes.push('The bare server itself answered late: the latencies are due to a busy machine, not to the servers')
    return {
      saturation,
      rate,
      seconds: settings.latencySeconds,
      servers: servers.map(({ id, name }, i) => {
        const best = rounds[i].reduce((a, b) => (b.latency.p99 < a.latency.p99 ? b : a))
        return { id, name, best, p99s: rounds[i].map(({ latency }) => latency.p99) }
      }),
    }
  })
}
