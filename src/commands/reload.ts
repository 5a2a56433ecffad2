import { OperatorError } from '../errors.js'
import { requestReload } from '../process/data-folder.js'
import { readConfig } from '../settings/config.js'
import type { Command } from './command.js'

const WAIT_MS = 30_000

export const reloadCommand: Command = {
  run: async (_values, _words, print) => {
    const { dataDir } = readConfig(process.env)
    const results = await requestReload(dataDir, WAIT_MS)
    if (results.length === 0) throw new OperatorError(`HSAPI_DATA_DIR ${dataDir}: no server runs there`)
    for (const { pid, host, message } of results) print(`process ${pid} on ${host}: ${message}`)
    if (results.some(({ isLoaded }) => !isLoaded)) throw new OperatorError('not every server serves the new snapshot')
  },
}
