/** Two workers compared with one: server CPU per request, and the memory that the second adds. */
import { caseById, loadOf, verify } from '../cases.mjs'
import { runLoad } from '../load-process.mjs'
import { requestMix } from '../mix.mjs'
import { residentMb } from '../process.mjs'
import { alternate } from '../rounds.mjs'
import { withServers } from '../servers/all.mjs'

const MIX_SECONDS_MAX = 120
const COUNTS = [1, 2]

/** Measured on a server that was never idle, because V8 returns memory left over from booting after some idle seconds. */
function residentOf(count, { stage, settings }) {
  return withServers(async keep => {
    const server = await keep(stage.serve({ HSAPI_WORKERS: String(count) }))
    await runLoad({
      loop: 'closed',
      port: server.port,
      requests: requestMix({ dataset: stage.dataset, key: stage.key }),
      connections: 64,
      seconds: MIX_SECONDS_MAX,
      count: Math.ceil(settings.requests / 4),
    })
    return residentMb(server.pid)
  })
}

const nameOf = count => `${count} worker${count > 1 ? 's' : ''}`

export async function workers(context) {
  const { stage, settings, progress, notes } = context
  const lookup = caseById('lookup')
  try {
    const results = await withServers(async keep => {
      const cases = []
      for (const count of COUNTS) {
        const server = await keep(stage.serveBeside(`workers-${count}`, { HSAPI_WORKERS: String(count) }))
        await verify(server, lookup, stage)
        cases.push({ name: nameOf(count), server, load: loadOf(lookup, stage) })
      }
      return alternate(cases, settings, progress)
    })
    const measured = []
    for (const [i, count] of COUNTS.entries()) {
      progress.step(`mixed requests: ${nameOf(count)}`)
      measured.push({ workers: count, residentMb: await residentOf(count, context), ...results[i] })
    }
    return measured
  } catch (error) {
    notes.push(`Workers were not measured: ${error.message}`)
    return undefined
  }
}
