/** Sixteen requests at once on each connection: shows the cost of a request without its system calls. */
import { caseById, loadOf, verify } from '../cases.mjs'
import { acrossStarts, alternate } from '../rounds.mjs'
import { BARE_NAME, startBareLike, withServers } from '../servers/all.mjs'

const DEPTH = 16
const script = new URL('../lua/pipeline.lua', import.meta.url).pathname

export async function pipeline({ stage, settings, progress }) {
  const measureOnce = () =>
    withServers(async keep => {
      const hsapi = await keep(stage.serve())
      const lookup = caseById('lookup')
      await verify(hsapi, lookup, stage)
      const bare = await keep(startBareLike(hsapi, loadOf(lookup, stage)))
      const piped = load => ({ ...load, script, scriptArgs: [String(DEPTH)] })
      const cases = [
        { id: 'bare', name: BARE_NAME, server: bare, load: piped({ path: '/' }) },
        { id: 'lookup', name: 'lookup', server: hsapi, load: piped(loadOf(lookup, stage)) },
      ]
      const results = await alternate(cases, { ...settings, rounds: settings.roundsEach }, progress)
      return cases.map(({ id, name }, i) => ({ id, name, ...results[i] }))
    })
  return { depth: DEPTH, cases: await acrossStarts(settings.starts, measureOnce) }
}
