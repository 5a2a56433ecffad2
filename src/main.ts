#!/usr/bin/env node
/** The command line: finds the command, checks its words, and turns an operator's mistake into one line. */
import { parseArgs } from 'node:util'
import { readConfig } from './config.js'
import { OperatorError } from './errors.js'
import { isTier, LIMIT_MAX, TIERS, type Tier } from './gate/tiers.js'
import { COMMAND_HELP, HELP } from './help.js'
import { SnapshotError } from './snapshot/format.js'
import { VERSION } from './version.js'

const EXIT_MISTAKE = 2

type Flags = NonNullable<Parameters<typeof parseArgs>[0]>['options']
type Values = Record<string, string | boolean | undefined>

const print = (text: string) => process.stdout.write(`${text}\n`)

interface Command {
  flags: Flags
  /** Names of the words that must follow the command. */
  words: string[]
  run(values: Values, words: string[]): Promise<void>
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** A command loads what it needs, no more: `keys` starts without the server, the search or the importers. */
const keys = () => import('./commands/keys.js')

function dataDir(): string {
  return readConfig(process.env).dataDir
}

function limitOf(values: Values, name: string): number | null {
  const given = values[name]
  if (given === undefined) return null
  const limit = Number(given)
  if (!/^[0-9]+$/.test(String(given)) || limit > LIMIT_MAX) {
    throw new OperatorError(`--${name} is "${given}"; it must be a whole number from 0 to ${LIMIT_MAX}`)
  }
  return limit
}

function tierOf(values: Values): Tier {
  const tier = values.tier
  if (typeof tier === 'string' && isTier(tier)) return tier
  const choices = Object.keys(TIERS).join(', ')
  throw new OperatorError(
    tier === undefined
      ? `--tier is missing: ${choices}`
      : `--tier is "${tier}"; it must be one of ${choices}`,
  )
}

function expiryOf(values: Values): string | null {
  const day = values.expires
  if (day === undefined || day === 'never') return null
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(String(day)) ? new Date(`${day}T00:00:00Z`) : undefined
  // a date such as 2026-02-30 parses, but to another day
  if (parsed === undefined || Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== day) {
    throw new OperatorError(`--expires is "${day}"; it must be a day such as 2027-12-31, or never`)
  }
  return String(day)
}

async function runServe(): Promise<void> {
  const [{ serve }, { CoarseClock }, { tuneEngine }] = await Promise.all([
    import('./commands/serve.js'),
    import('./clock.js'),
    import('./engine.js'),
  ])
  tuneEngine()
  const running = await serve(readConfig(process.env), new CoarseClock(), print)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await running.stop()
    process.exitCode = 0
    process.exit()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

const COMMANDS: Record<string, Command> = {
  serve: { flags: {}, words: [], run: runServe },
  build: {
    flags: { dataset: text, out: text, 'if-changed': flag },
    words: [],
    run: async values => {
      const dataset = String(values.dataset ?? 'dataset')
      const out = String(values.out ?? readConfig(process.env).snapshot)
      const { build } = await import('./commands/build.js')
      const records = await build({ dataset, out, ifChanged: values['if-changed'] === true })
      print(records === undefined ? `${out} is up to date` : `${out}: ${records} records`)
    },
  },
  check: {
    flags: { dataset: text },
    words: [],
    run: async values => {
      const directory = String(values.dataset ?? 'dataset')
      const { check } = await import('./commands/build.js')
      for (const line of await check(directory)) print(line)
    },
  },
  import: {
    flags: {
      layout: text,
      map: text,
      rates: text,
      'default-rate': text,
      'allow-missing': text,
      'self-contained': flag,
      edition: text,
      vat: text,
      out: text,
    },
    words: ['FILE'],
    run: async (values, [file]) => {
      const { runImport } = await import('./commands/import.js')
      await runImport(file as string, values, print)
    },
  },
  'keys create': {
    flags: { tier: text, name: text, expires: text, 'per-minute': text, 'per-day': text, json: flag },
    words: [],
    run: async values => {
      const options = {
        tier: tierOf(values),
        name: String(values.name ?? ''),
        expiresAt: expiryOf(values),
        perMinute: limitOf(values, 'per-minute'),
        perDay: limitOf(values, 'per-day'),
      }
      const { createKey } = await keys()
      await createKey(dataDir(), options, values.json === true, print)
    },
  },
  'keys list': {
    flags: { json: flag },
    words: [],
    run: async values => (await keys()).listKeys(dataDir(), values.json === true, print),
  },
  'keys show': {
    flags: { json: flag },
    words: ['ID'],
    run: async (values, [id]) => (await keys()).showKey(dataDir(), id as string, values.json === true, print),
  },
  'keys revoke': {
    flags: { json: flag },
    words: ['ID'],
    run: async (values, [id]) =>
      (await keys()).revokeKey(dataDir(), id as string, values.json === true, print),
  },
  'keys rotate': {
    flags: { json: flag },
    words: ['ID'],
    run: async (values, [id]) =>
      (await keys()).rotateKey(dataDir(), id as string, values.json === true, print),
  },
}

function seeHelp(name: string): string {
  return `see "hsapi ${name === '' ? '' : `${name} `}--help"`
}

async function main(args: string[]): Promise<void> {
  const [first = '', second = ''] = args
  if (first === '' || first === '--help' || first === '-h' || first === 'help') return void print(HELP)
  if (first === '--version') return void print(VERSION)
  const name = first === 'keys' && !second.startsWith('-') ? `keys ${second}`.trim() : first
  const command = COMMANDS[name]
  const rest = args.slice(name.includes(' ') ? 2 : 1)
  const help = COMMAND_HELP[name]
  if (help !== undefined && (rest.includes('--help') || rest.includes('-h'))) return void print(help)
  if (command === undefined) {
    if (name === 'keys')
      throw new OperatorError(`keys needs one of create, list, show, revoke, rotate; ${seeHelp('keys')}`)
    throw new OperatorError(`there is no command "${name}"; ${seeHelp('')}`)
  }
  let parsed: { values: Values; positionals: string[] }
  try {
    parsed = parseArgs({ args: rest, options: command.flags ?? {}, allowPositionals: true }) as typeof parsed
  } catch (error) {
    throw new OperatorError(`${(error as Error).message.split(/\.?\n|\. /)[0]}; ${seeHelp(name)}`)
  }
  const { values, positionals } = parsed
  if (positionals.length > command.words.length) {
    throw new OperatorError(`"${positionals[command.words.length]}" is one word too many; ${seeHelp(name)}`)
  }
  const missing = command.words[positionals.length]
  if (missing !== undefined) throw new OperatorError(`${missing} is missing; ${seeHelp(name)}`)
  await command.run(values, positionals)
}

main(process.argv.slice(2)).catch(error => {
  const mistake = error instanceof OperatorError || error instanceof SnapshotError
  process.stderr.write(mistake ? `hsapi: ${error.message}\n` : `hsapi: ${error?.stack ?? error}\n`)
  process.exit(mistake ? EXIT_MISTAKE : 1)
})
