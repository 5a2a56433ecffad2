import { escapeControls } from '../control-characters.js'
import { defaultDataDir } from '../data-home.js'
import { OperatorError } from '../errors.js'
import { choices, pin, type SnapshotChoice, unpin } from '../kept-snapshots.js'
import { readConfig } from '../settings/config.js'
import { type Command, flag } from './command.js'

export const SNAPSHOTS_HELP = `Usage: hsapi snapshots list [--json]
       hsapi snapshots use ID
       hsapi snapshots use latest

"hsapi build" keeps the last three snapshots that it replaced in HSAPI_DATA_DIR (${defaultDataDir(process.env)}). "list" shows them
and the one in use, whose id /api/v1/dataset shows as "snapshot". "use ID" pins a snapshot: servers and commands use it until
another is pinned, even if newer ones are built. "use latest" unpins it. The first digits of an id are enough.

Servers change after "hsapi reload" or a restart. If HSAPI_SNAPSHOT names a file, that file is used and none can be pinned.`

const NEXT = 'Commands use it now; servers use it after "hsapi reload" or a restart.'

const USE: Readonly<Record<SnapshotChoice['origin'], string>> = {
  HSAPI_SNAPSHOT: 'named by HSAPI_SNAPSHOT',
  pinned: 'pinned',
  'data directory': 'latest',
  shipped: 'shipped',
  kept: 'kept',
}

function line({ id, version, records, problem, writtenMs, origin, isInUse }: SnapshotChoice): string {
  const written = new Date(writtenMs).toISOString().slice(0, 19)
  const summary = problem === undefined ? `version ${version}, ${records} records` : problem
  return `${isInUse ? '*' : ' '} ${id.padEnd(16)}  ${written}Z  ${USE[origin]}: ${summary}`
}

function settings() {
  const { snapshot, dataDir } = readConfig(process.env)
  return { snapshot, dataDir }
}

export const SNAPSHOT_COMMANDS: Record<string, Command> = {
  list: {
    help: SNAPSHOTS_HELP,
    flags: { json: flag },
    run: async (values, _words, print) => {
      const found = await choices(settings())
      if (values.json !== true) return print(found.map(choice => escapeControls(line(choice))).join('\n'))
      const objects = found.map(({ id, version, records, file, origin, isInUse, writtenMs }) => ({
        id,
        version: version ?? null,
        records: records ?? null,
        written_at: new Date(writtenMs).toISOString(),
        origin: USE[origin],
        in_use: isInUse,
        file,
      }))
      print(JSON.stringify(objects))
    },
  },
  use: {
    help: SNAPSHOTS_HELP,
    words: ['ID'],
    run: async (_values, [id = ''], print) => {
      const { snapshot, dataDir } = settings()
      if (snapshot !== undefined)
        throw new OperatorError(`HSAPI_SNAPSHOT names ${snapshot}: unset it to choose among the snapshots of HSAPI_DATA_DIR`)
      if (id === 'latest') {
        if (!(await unpin(dataDir))) return print('No snapshot was pinned.')
        return print(`The snapshot is no longer pinned: the latest is in use. ${NEXT}`)
      }
      const { id: pinned, version } = await pin({ snapshot, dataDir }, id)
      print(`Snapshot ${pinned} is pinned: version ${version}. ${NEXT}`)
    },
  },
}
