/** Two workers against one: server CPU per request, and what the second one adds in memory. */
import { caseById, loadOf, verify } from '../cases.mjs'
import { runLoad } from '../load-process.mjs'
import { requestMix } from '../mix.mjs'
import { residentMb } from '../process.mjs'
import { alternate } from '../rounds.mjs'
import { withServers } from '../servers/all.mjs'

const MIX_SECONDS_MAX = 120

export async function workers({ stage, settings, progress, notes }) {
  return withServers(async keep => {
    const lookup = caseById('lookup')
    const cases = []
    for (const count of [1, 2]) {
      try {
        const server = await keep(stage.serve({ HSAPI_WORKERS: String(count) }))
        await verify(server, lookup, stage)
        cases.push({
          count,
          name: `${count} worker${count > 1 ? 's' : ''}`,
          server,
          load: loadOf(lookup, stage),
        })
      } catch (error) {
        notes.push(`${count} workers were not measured: ${error.message}`)
        return undefined
      }
    }
    const results = await alternate(cases, settings, progress)
    const requests = requestMix({ dataset: stage.dataset, key: stage.key })
    for (const { server, name } of cases) {
      progress.step(`mixed requests: ${name}`)
      const count = Math.ceil(settings.requests / 4)
      const load = {
        loop: 'closed',
        port: server.port,
        requests,
        connections: 64,
        seconds: MIX_SECONDS_MAX,
        count,
      }
      await runLoad(load)
    }
    return cases.map(({ count, server }, i) => ({
      workers: count,
      residentMb: residentMb(server.pid),
      ...results[i],
    }))
  })
}
