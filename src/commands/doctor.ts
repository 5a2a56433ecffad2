/** Checks what a server needs on this machine, with the settings of this environment. */
import { type Config, readConfig } from '../settings/config.js'
import { unknownVariables } from '../settings/table.js'
import { type Command, flag } from './command.js'
import { checkDataDirectory, checkFiles, checkKeyFile, checkOpenFiles } from './doctor-files.js'
import { checkAdminPort, checkPort, checkSocket } from './doctor-ports.js'
import { checkCertificate, checkClock, checkEngine, checkNode, checkSnapshot } from './doctor-program.js'
import { checkRedis } from './doctor-redis.js'
import { type Finding, fails, ok, warning } from './finding.js'
import { printTable } from './terminal.js'

const EXIT_FAILED = 1

type Check = (config: Config) => Promise<Finding[]> | Finding[]

const CHECKS: readonly (readonly [string, Check])[] = [
  ['engine', checkEngine],
  ['snapshot', checkSnapshot],
  ['data directory', checkDataDirectory],
  ['rights', checkFiles],
  ['keys', checkKeyFile],
  ['certificate', checkCertificate],
  ['redis', checkRedis],
  ['clock', checkClock],
  ['port', checkPort],
  ['admin port', checkAdminPort],
  ['socket', checkSocket],
  ['open files', checkOpenFiles],
]

function settingsOf(): { config: Config | undefined; finding: Finding } {
  const unknown = unknownVariables(process.env)
  try {
    const config = readConfig(process.env)
    const count = Object.keys(process.env).filter(name => name.startsWith('HSAPI_')).length
    if (unknown.length > 0) return { config, finding: warning(`unknown and ignored: ${unknown.join(', ')}`) }
    return { config, finding: ok(count === 1 ? '1 variable is set' : `${count} variables are set`) }
  } catch (error) {
    return { config: undefined, finding: fails((error as Error).message) }
  }
}

async function examine(): Promise<(Finding & { check: string })[]> {
  const { config, finding } = settingsOf()
  const found = [
    { check: 'settings', ...finding },
    { check: 'node', ...checkNode() },
  ]
  // the other checks need valid settings
  if (config === undefined) return found
  for (const [check, run] of CHECKS) {
    try {
      for (const result of await run(config)) found.push({ check, ...result })
    } catch (error) {
      found.push({ check, ...fails((error as Error).message) })
    }
  }
  return found
}

const HELP = `Usage: hsapi doctor [--json]

Checks whether "hsapi serve" can run with the settings of this environment: settings, Node and the HTTP engine, the snapshot, the
data directory (rights, free space), keys, the certificate, Redis (version, what it does when its memory is full), the clock,
ports and the socket. Prints one or more lines for each: ok, warning or fails. Exit code 1 if one fails. To test the data
directory, it writes a file there and removes it; nothing else is changed.

  --json  a list of objects: check, status, message`

export const doctorCommand: Command = {
  help: HELP,
  flags: { json: flag },
  run: async (values, _words, print) => {
    const found = await examine()
    if (values.json === true) print(JSON.stringify(found))
    else
      printTable(
        [{}, {}, {}],
        found.map(({ check, status, message }) => [status, check, message]),
        print,
      )
    if (found.some(({ status }) => status === 'fails')) process.exit(EXIT_FAILED)
  },
}
