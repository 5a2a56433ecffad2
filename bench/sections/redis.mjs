/** A lookup with quotas shared through Redis compared with one without, and the load on the store. */
import { join } from 'node:path'
import { caseById, loadOf, verify } from '../cases.mjs'
import { alternate } from '../rounds.mjs'
import { withServers } from '../servers/all.mjs'
import { askRedis, startRedis } from '../servers/redis.mjs'
import { isInstalled, measure } from '../wrk.mjs'

/** Calls of the lease script so far, and the CPU microseconds that they took in the store. */
function scriptCalls(store) {
  const lines = askRedis(store, 'INFO', 'commandstats').matchAll(/^cmdstat_eval\w*:calls=(\d+),usec=(\d+)/gm)
  return [...lines].reduce((sum, [, calls, us]) => ({ calls: sum.calls + Number(calls), us: sum.us + Number(us) }), {
    calls: 0,
    us: 0,
  })
}

/** Bytes in the store for one key's windows. */
function bytesOfKey(store) {
  const name = askRedis(store, '--scan', '--pattern', 'hsapi:use:*').split('\n')[0]
  return Number(askRedis(store, 'MEMORY', 'USAGE', name))
}

export async function redis({ stage, settings, progress, notes, folder }) {
  if (!isInstalled('redis-server')) {
    notes.push('Redis was not measured: redis-server is not installed (apt-get install redis-server).')
    return undefined
  }
  const lookup = caseById('lookup')
  return withServers(async keep => {
    const store = await keep(startRedis(join(folder, 'redis')))
    const without = await keep(stage.serveBeside('without-redis', {}))
    const shared = await keep(stage.serveBeside('with-redis', { HSAPI_REDIS_URL: store.url }))
    const cases = [
      ['counts in memory', without],
      ['counts shared through Redis', shared],
    ].map(([name, server]) => ({ name, server, load: loadOf(lookup, stage) }))
    for (const { server } of cases) await verify(server, lookup, stage)
    const results = await alternate(cases, settings, progress)
    progress.step('counting calls to the store')
    const before = scriptCalls(store)
    const { perSecond } = await measure(shared, { ...cases[1].load, seconds: settings.seconds })
    const after = scriptCalls(store)
    const calls = after.calls - before.calls
    return {
      cases: cases.map(({ name }, i) => ({ name, ...results[i] })),
      callsPerRequest: calls / (perSecond * settings.seconds),
      microsecondsPerCall: after.us / Math.max(1, after.calls),
      bytesPerKey: bytesOfKey(store),
    }
  })
}
