#!/usr/bin/env node
/** The command line: finds the command, checks its words, and turns an operator's mistake into one line. */
import { parseArgs } from 'node:util'
import type { Command, Values } from './commands/command.js'
import { print } from './commands/output.js'
import { OperatorError } from './errors.js'
import { COMMAND_HELP, HELP } from './help.js'
import { SnapshotError } from './snapshot/format.js'
import { VERSION } from './version.js'

const EXIT_MISTAKE = 2
const EXIT_UNFINISHED = 13

/** A command loads what it needs, no more: `keys` starts without the server, the search or the importers. */
const keyCommand = (name: string) => async () =>
  (await import('./commands/keys.js')).KEY_COMMANDS[name] as Command

const KEY_COMMANDS = ['create', 'list', 'show', 'revoke', 'rotate', 'move']

const COMMANDS = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.js')).serveCommand],
  ['reload', async () => (await import('./commands/reload.js')).reloadCommand],
  ['health', async () => (await import('./commands/health.js')).healthCommand],
  ['build', async () => (await import('./commands/build.js')).buildCommand],
  ['check', async () => (await import('./commands/build.js')).checkCommand],
  ['import', async () => (await import('./commands/import.js')).importCommand],
  ...KEY_COMMANDS.map(name => [`keys ${name}`, keyCommand(name)] as [string, () => Promise<Command>]),
])

function seeHelp(name: string): string {
  return `see "hsapi ${name === '' ? '' : `${name} `}--help"`
}

async function main(args: string[]): Promise<void> {
  const [first = '', second = ''] = args
  if (first === '' || first === '--help' || first === '-h' || first === 'help') return void print(HELP)
  if (first === '--version') return void print(VERSION)
  const name = first === 'keys' && !second.startsWith('-') ? `keys ${second}`.trim() : first
  const rest = args.slice(name.includes(' ') ? 2 : 1)
  const help = COMMAND_HELP.get(name)
  if (help !== undefined && (rest.includes('--help') || rest.includes('-h'))) return void print(help)
  const load = COMMANDS.get(name)
  if (load === undefined) {
    if (name === 'keys')
      throw new OperatorError(`keys needs one of ${KEY_COMMANDS.join(', ')}; ${seeHelp('keys')}`)
    throw new OperatorError(`there is no command "${name}"; ${seeHelp('')}`)
  }
  const command = await load()
  let parsed: { values: Values; positionals: string[] }
  try {
    parsed = parseArgs({ args: rest, options: command.flags, allowPositionals: true }) as typeof parsed
  } catch (error) {
    throw new OperatorError(`${(error as Error).message.split(/\.?\n|\. /)[0]}; ${seeHelp(name)}`)
  }
  const { values, positionals } = parsed
  if (positionals.length > command.words.length) {
    throw new OperatorError(`"${positionals[command.words.length]}" is one word too many; ${seeHelp(name)}`)
  }
  const missing = command.words[positionals.length]
  if (missing !== undefined) throw new OperatorError(`${missing} is missing; ${seeHelp(name)}`)
  await command.run(values, positionals, print)
}

// should a command stop half-way, waiting for what never comes, Node ends: not with 0 then
process.exitCode = EXIT_UNFINISHED
main(process.argv.slice(2)).then(
  () => {
    process.exitCode = 0
  },
  error => {
    const mistake = error instanceof OperatorError || error instanceof SnapshotError
    process.stderr.write(mistake ? `hsapi: ${error.message}\n` : `hsapi: ${error?.stack ?? error}\n`)
    process.exit(mistake ? EXIT_MISTAKE : 1)
  },
)
