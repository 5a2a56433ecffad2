/** Cost and throughput of a lookup by number of connections, compared with the bare server. */
import { caseById, loadOf, verify } from '../cases.mjs'
import { openFilesMax } from '../process.mjs'
import { alternate } from '../rounds.mjs'
import { startBareLike, withServers } from '../servers/all.mjs'

/** Upper estimate of the files that a process has open in addition to its connections. */
const OTHER_FILES = 100
/** Rounds with this many connections or more are longer, because opening thousands of connections takes time. */
const MANY_CONNECTIONS = 1000
const MANY_SECONDS = 3
const ROUNDS_MAX = 3

export async function connections({ stage, settings, progress, notes }) {
  const limit = openFilesMax() - OTHER_FILES
  const counts = settings.connections.filter(count => count <= limit)
  for (const count of settings.connections.filter(count => count > limit))
    notes.push(`${count} connections were not measured: a process may open only ${openFilesMax()} files (ulimit -n)`)
  return withServers(async keep => {
    const hsapi = await keep(stage.serve())
    const lookup = caseById('lookup')
    await verify(hsapi, lookup, stage)
    const bare = await keep(startBareLike(hsapi, loadOf(lookup, stage)))
    const results = []
    for (const count of counts) {
      const cases = [
        { name: `bare, ${count} connections`, server: bare, load: { path: '/', connections: count } },
        {
          name: `lookup, ${count} connections`,
          server: hsapi,
          load: { ...loadOf(lookup, stage), connections: count },
        },
      ]
      const seconds = count >= MANY_CONNECTIONS ? Math.max(settings.seconds, MANY_SECONDS) : settings.seconds
      const rounds = Math.min(ROUNDS_MAX, settings.rounds)
      const [bareResult, lookupResult] = await alternate(cases, { rounds, seconds }, progress)
      results.push({ connections: count, bare: bareResult, lookup: lookupResult })
    }
    return results
  })
}
