#!/usr/bin/env node
/** The command line: finds the command, checks its arguments, and reports a usage error in one line. */
import { parseArgs } from 'node:util'
import type { Command, Values } from './commands/command.js'
import { print } from './commands/output.js'
import { escapeLines } from './control-characters.js'
import { OperatorError, TransientError, UnmetError } from './errors.js'
import { HELP } from './help.js'
import { SnapshotError } from './snapshot/format.js'
import { nearestName } from './unknown-name.js'
import { VERSION } from './version.js'

const EXIT_FAILED = 1
const EXIT_USAGE = 2
const EXIT_UNFINISHED = 13

/** Commands are imported on demand: `keys` starts without loading the server or the importers. */
const keyCommand = (name: string) => async () => (await import('./commands/keys.js')).KEY_COMMANDS[name]

const snapshotCommand = (name: string) => async () => (await import('./commands/snapshots.js')).SNAPSHOT_COMMANDS[name] as Command

const KEY_COMMANDS = ['create', 'list', 'show', 'revoke', 'rotate', 'move']
const SNAPSHOT_COMMANDS = ['list', 'use']

/** Commands of two words: by first word, the second words and their common help text. */
const GROUPS: Readonly<Record<string, { names: readonly string[]; help(): Promise<string> }>> = {
  keys: { names: KEY_COMMANDS, help: async () => (await import('./commands/keys.js')).KEYS_HELP },
  snapshots: { names: SNAPSHOT_COMMANDS, help: async () => (await import('./commands/snapshots.js')).SNAPSHOTS_HELP },
}

const COMMANDS = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.js')).serveCommand],
  ['reload', async () => (await import('./commands/reload.js')).reloadCommand],
  ['health', async () => (await import('./commands/health.js')).healthCommand],
  ['doctor', async () => (await import('./commands/doctor.js')).doctorCommand],
  ['searches', async () => (await import('./commands/searches.js')).searchesCommand],
  ['engine', async () => (await import('./commands/engine.js')).engineCommand],
  ['build', async () => (await import('./commands/build.js')).buildCommand],
  ['check', async () => (await import('./commands/build.js')).checkCommand],
  ['import', async () => (await import('./commands/import.js')).importCommand],
  ['lookup', async () => (await import('./commands/lookup.js')).lookupCommand],
  ['search', async () => (await import('./commands/search.js')).searchCommand],
  ['classify', async () => (await import('./commands/classify.js')).classifyCommand],
  ['tariff', async () => (await import('./commands/tariff.js')).tariffCommand],
  ['enrich', async () => (await import('./commands/enrich.js')).enrichCommand],
  ['export', async () => (await import('./commands/export.js')).exportCommand],
  ['decide', async () => (await import('./commands/decide.js')).decideCommand],
  ['changes', async () => (await import('./commands/changes.js')).changesCommand],
  ['diff', async () => (await import('./commands/diff.js')).diffCommand],
  ['mcp', async () => (await import('./commands/mcp.js')).mcpCommand],
  ['feed', async () => (await import('./commands/feed.js')).feedCommand],
  ['replay', async () => (await import('./commands/replay.js')).replayCommand],
  ...KEY_COMMANDS.map(name => [`keys ${name}`, keyCommand(name)] as [string, () => Promise<Command>]),
  ...SNAPSHOT_COMMANDS.map(name => [`snapshots ${name}`, snapshotCommand(name)] as [string, () => Promise<Command>]),
])

function hint(nearest: string | undefined, name: string): string {
  return nearest === undefined ? seeHelp(name) : `did you mean ${nearest}? ${seeHelp(name)}`
}

function seeHelp(name: string): string {
  return `see "hsapi ${name === '' ? '' : `${name} `}--help"`
}

/** `parseArgs` does not support flags with an optional value, so flags without a value get an empty one. */
function withEmptyValues(args: readonly string[], { optionalValues = [] }: Command): string[] {
  const end = args.indexOf('--')
  return args.map((arg, i) => {
    const isAlone = optionalValues.some(name => arg === `--${name}`) && !/^[0-9]/.test(args[i + 1] ?? '')
    return isAlone && (end < 0 || i < end) ? `${arg}=` : arg
  })
}

async function main(args: string[]): Promise<void> {
  const [first = '', second = ''] = args
  if (first === '' || first === '--help' || first === '-h' || first === 'help') return void print(HELP)
  if (first === '--version') return void print(VERSION)
  const group = Object.hasOwn(GROUPS, first) ? GROUPS[first] : undefined
  const name = group !== undefined && !second.startsWith('-') ? `${first} ${second}`.trim() : first
  const rest = args.slice(name.includes(' ') ? 2 : 1)
  const isHelp = rest.includes('--help') || rest.includes('-h')
  if (group !== undefined && name === first && isHelp) return void print(await group.help())
  const load = COMMANDS.get(name)
  if (load === undefined) {
    if (group !== undefined && name === first)
      throw new OperatorError(`${first} needs one of ${group.names.join(', ')}; ${seeHelp(first)}`)
    throw new OperatorError(`unknown command "${name}"; ${hint(nearestName(name, [...COMMANDS.keys()]), '')}`)
  }
  const command = await load()
  if (isHelp) return void print(command.help)
  let parsed: { values: Values; positionals: string[] }
  try {
    parsed = parseArgs({
      args: withEmptyValues(rest, command),
      options: command.flags ?? {},
      allowPositionals: true,
    }) as typeof parsed
  } catch (error) {
    const message = (error as Error).message.split(/\.?\n|\. /)[0] as string
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? []
    const nearest = unknown && nearestName(unknown, Object.keys(command.flags ?? {}))
    throw new OperatorError(`${message}; ${hint(nearest && `--${nearest}`, name)}`)
  }
  const { values, positionals } = parsed
  const { words = [] } = command
  if (positionals.length > words.length && !command.lastRepeats) {
    throw new OperatorError(`unexpected argument "${positionals[words.length]}"; ${seeHelp(name)}`)
  }
  const missing = words[positionals.length]
  if (missing !== undefined) throw new OperatorError(`${missing} is missing; ${seeHelp(name)}`)
  await command.run(values, positionals, print)
}

// Node exits when nothing is left to wait for, even if the command has not finished; the exit code must not be 0 then
process.exitCode = EXIT_UNFINISHED
main(process.argv.slice(2)).then(
  () => {
    process.exitCode = 0
  },
  error => {
    if (error instanceof UnmetError) {
      process.stderr.write(`hsapi: ${escapeLines(error.message)}\n`)
      process.exitCode = EXIT_FAILED
      return
    }
    const isUsageError = error instanceof OperatorError || error instanceof SnapshotError
    const isExpected = isUsageError || error instanceof TransientError
    process.stderr.write(`hsapi: ${escapeLines(isExpected ? error.message : String(error?.stack ?? error))}\n`)
    process.exit(isUsageError ? EXIT_USAGE : EXIT_FAILED)
  },
)
