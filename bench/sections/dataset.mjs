/** Boot, memory and cost by size of the dataset. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { caseById, headersFor, loadOf, verify } from '../cases.mjs'
import { writeLargerDataset } from '../larger-dataset.mjs'
import { runLoad } from '../load-process.mjs'
import { requestMix } from '../mix.mjs'
import { residentMb } from '../process.mjs'
import { alternate } from '../rounds.mjs'
import { withServers } from '../servers/all.mjs'

/** The requests are sent in parts. Memory is measured after each part, and after one more part, in which it must not grow. */
const PARTS = 4
/** One part is enough for a larger dataset, which takes its extra memory at the start. */
const PARTS_LARGER = 1
const MIX_SECONDS_MAX = 120
const ROUNDS_MAX = 3

/** The time from starting the process to a lookup that is answered with 200. */
async function boot(stage, env, keep) {
  const lookup = caseById('lookup')
  const startMs = performance.now()
  const server = await keep(stage.serve(env))
  const response = await fetch(`http://127.0.0.1:${server.port}${lookup.path}`, {
    headers: headersFor(lookup, stage),
  })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`the first lookup answered ${response.status}`)
  return { server, bootMs: performance.now() - startMs }
}

async function snapshotOf(stage, scale, folder) {
  if (scale === 1) return { snapshot: stage.snapshot, records: stage.records }
  const dataset = join(folder, `dataset-${scale}`)
  const snapshot = join(folder, `${scale}.snapshot`)
  writeLargerDataset({ from: stage.dataset, to: dataset, extra: (scale - 1) * stage.records })
  try {
    return { snapshot, records: await stage.build(dataset, snapshot) }
  } finally {
    rmSync(dataset, { recursive: true })
  }
}

async function measureScale(scale, { stage, settings, progress, folder }) {
  progress.step(`building ${scale} times the dataset`)
  const { snapshot, records } = await snapshotOf(stage, scale, folder)
  const env = { HSAPI_SNAPSHOT: snapshot }
  try {
    const boots = []
    for (let i = 0; i < settings.boots; i++) {
      progress.step(`boot ${i + 1} of ${settings.boots} at ${scale} times the dataset`)
      boots.push(await withServers(async keep => (await boot(stage, env, keep)).bootMs))
    }
    return await withServers(async keep => {
      const { server } = await boot(stage, env, keep)
      const cases = ['lookup', 'search-new'].map(caseById)
      for (const one of cases) await verify(server, one, stage)
      const resident = [{ requests: 0, mb: residentMb(server.pid) }]
      const requests = requestMix({ dataset: stage.dataset, key: stage.key })
      const count = Math.ceil(settings.requests / PARTS)
      const parts = scale === 1 ? PARTS + 1 : PARTS_LARGER
      for (let part = 1; part <= parts; part++) {
        progress.step(`mixed requests, part ${part} of ${parts}, at ${scale} times the dataset`)
        const load = {
          loop: 'closed',
          port: server.port,
          requests,
          connections: 64,
          seconds: MIX_SECONDS_MAX,
          count,
        }
        const { answered } = await runLoad(load)
        resident.push({ requests: resident.at(-1).requests + answered, mb: residentMb(server.pid) })
      }
      const timed = cases.map(one => ({ name: one.name, server, load: loadOf(one, stage) }))
      const rounds = Math.min(ROUNDS_MAX, settings.rounds)
      const [lookup, search] = await alternate(timed, { ...settings, rounds }, progress)
      return {
        scale,
        records,
        bootMs: Math.min(...boots),
        boots,
        resident,
        lookup: lookup.microseconds,
        search: search.microseconds,
      }
    })
  } finally {
    if (scale !== 1) rmSync(snapshot, { force: true })
  }
}

export async function dataset(context) {
  const results = []
  for (const scale of context.settings.scales) {
    try {
      results.push(await measureScale(scale, context))
    } catch (error) {
      // compiling 16 times the dataset needs about 3 GB
      context.notes.push(`${scale} times the dataset was not measured: ${error.message}`)
    }
  }
  return results
}
