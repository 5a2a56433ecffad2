import { defaultDataDir } from '../data-home.js'
import { OperatorError } from '../errors.js'
import { requestReload } from '../process/data-folder.js'
import { readConfig } from '../settings/config.js'
import type { Command } from './command.js'

const WAIT_MS = 30_000

const HELP = `Usage: hsapi reload

Asks the servers that use HSAPI_DATA_DIR (${defaultDataDir(process.env)}) to load their snapshot again, and waits for them.
If the new snapshot cannot be served, the old one stays and the exit code is 2. SIGHUP does the same without reporting a result.`

export const reloadCommand: Command = {
  help: HELP,
  run: async (_values, _words, print) => {
    const { dataDir } = readConfig(process.env)
    const results = await requestReload(dataDir, WAIT_MS)
    if (results.length === 0) throw new OperatorError(`HSAPI_DATA_DIR ${dataDir}: no running server uses this directory`)
    for (const { pid, host, message } of results) print(`process ${pid} on ${host}: ${message}`)
    if (results.some(({ isLoaded }) => !isLoaded)) throw new OperatorError('not every server serves the new snapshot')
  },
}
