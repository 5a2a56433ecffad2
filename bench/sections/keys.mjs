/** Cost of a lookup by number of active keys, with many of them in use. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { caseById, verify } from '../cases.mjs'
import { writeKeyFile } from '../keys-file.mjs'
import { residentMb } from '../process.mjs'
import { alternate } from '../rounds.mjs'
import { withServers } from '../servers/all.mjs'

/** Number of keys in use: no deployment receives requests from all its keys within seconds. */
const IN_USE_MAX = 10_000
const SETTLE_MS_MAX = 60_000
/** The server has settled when this many answers in a row, one every CALM_MS, each take less than CALM_MS. */
const CALM_ANSWERS = 20
const CALM_MS = 100
const script = new URL('../lua/keys.lua', import.meta.url).pathname

export async function keys(context) {
  const folder = join(context.folder, 'keys')
  try {
    return await measureCounts({ ...context, folder })
  } finally {
    // a million keys take a quarter of a gigabyte
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Waits until the server is idle. A server with many keys may still be loading them after it reports that it is ready. That
 * cost belongs to boot, not to a request.
 */
async function settle({ port }) {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  let calm = 0
  while (calm < CALM_ANSWERS && performance.now() < deadlineMs) {
    const startMs = performance.now()
    await (await fetch(`http://127.0.0.1:${port}/api/v1/health`)).arrayBuffer()
    calm = performance.now() - startMs < CALM_MS ? calm + 1 : 0
    await wait(CALM_MS)
  }
}

function measureCounts({ stage, settings, progress, notes, folder }) {
  return withServers(async keep => {
    const lookup = caseById('lookup')
    const cases = []
    for (const count of settings.keys) {
      const directory = join(folder, String(count))
      const list = join(directory, 'in-use.txt')
      progress.step(`writing and reading ${count} keys`)
      const inUse = writeKeyFile(directory, count, IN_USE_MAX)
      writeFileSync(list, `${inUse.join('\n')}\n`)
      try {
        const server = await keep(stage.serve({ HSAPI_DATA_DIR: directory }))
        await settle(server)
        await verify(server, lookup, { ...stage, key: inUse.at(-1) })
        const load = { path: lookup.path, status: 200, script, scriptArgs: [list] }
        cases.push({ count, inUse: inUse.length, name: `${count} keys`, server, load })
      } catch (error) {
        notes.push(`${count} keys were not measured: ${error.message}`)
      }
    }
    const results = await alternate(cases, settings, progress)
    return cases.map(({ count, inUse, server }, i) => ({
      keys: count,
      inUse,
      residentMb: residentMb(server.pid),
      ...results[i],
    }))
  })
}
