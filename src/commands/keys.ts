import { resolve } from 'node:path'
import { isoSeconds, utcDay } from '../clock.js'
import { escapeControls } from '../control-characters.js'
import { defaultDataDir } from '../data-home.js'
import { OperatorError } from '../errors.js'
import { AUDIT_NAME, type KeyChange, writeAudit } from '../keys/audit.js'
import { KeyFile } from '../keys/key-file.js'
import { expiryProblem, GRACE_RULE, nameProblem, readGrace } from '../keys/key-options.js'
import { type KeyOptions, type KeyRecord, type KeyStore, limitsOf, noSuchKey } from '../keys/key-record.js'
import { keyStatus, viewOf } from '../keys/key-view.js'
import { otherServers } from '../process/other-servers.js'
import { LIMIT_MAX, TIERS, type Tier } from '../quotas/tiers.js'
import { UsageFile } from '../quotas/usage-file.js'
import { readAddress } from '../redis/address.js'
import { RedisConnection } from '../redis/connection.js'
import { RedisKeys } from '../redis/keys.js'
import { RedisLeases } from '../redis/leases.js'
import { type Config, readConfig } from '../settings/config.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { choiceOf, required, wholeOf } from './values.js'

function expiryOf(values: Values): string | null {
  const day = values.expires
  if (day === undefined || day === 'never') return null
  const problem = expiryProblem(String(day), now().slice(0, 10))
  if (problem !== undefined) throw new OperatorError(`--expires ${problem}`)
  return String(day)
}

function nameOf(values: Values): string {
  const name = String(values.name ?? '')
  const problem = nameProblem(name)
  if (problem !== undefined) throw new OperatorError(`--name ${problem}`)
  return name
}

/** Reads --grace in milliseconds; 0 without the flag. */
function graceMsOf(values: Values): number {
  const given = values.grace
  const ms = given === undefined ? 0 : readGrace(String(given))
  if (ms === undefined) throw new OperatorError(`--grace is "${given}"; ${GRACE_RULE}`)
  return ms
}

function isUnlimited(values: Values): boolean {
  const limit = ['per-minute', 'per-day'].find(name => values[name] !== undefined)
  if (values.unlimited === true && limit !== undefined)
    throw new OperatorError(`--unlimited and --${limit} exclude each other: leave one of them out`)
  return values.unlimited === true
}

function optionsOf(values: Values): KeyOptions {
  const tiers = Object.keys(TIERS) as Tier[]
  required(values, 'tier', tiers.join(', '))
  return {
    tier: choiceOf(values, 'tier', tiers),
    name: nameOf(values),
    expiresAt: expiryOf(values),
    perMinute: wholeOf(values, 'per-minute', 0, LIMIT_MAX, null),
    perDay: wholeOf(values, 'per-day', 0, LIMIT_MAX, null),
    unlimited: isUnlimited(values),
  }
}

const now = () => isoSeconds(Date.now())

function printSecret(key: string, record: KeyRecord, asJson: boolean, print: Print): void {
  if (asJson) {
    const { id, ...rest } = viewOf(record, now())
    print(JSON.stringify({ id, key, ...rest }))
    return
  }
  print(
    `Key ${record.id} (${record.tier}${record.unlimited ? ', unlimited' : ''}), ${record.expires_at === null ? 'does not expire' : `expires ${record.expires_at}`}. It is shown only once:`,
  )
  print(key)
  if (record.previous !== undefined) print(`The old key works until ${record.previous.until}.`)
}

function printOne(record: KeyRecord, usedToday: number | null, asJson: boolean, print: Print): void {
  const view = {
    ...viewOf(record, now()),
    status: keyStatus(record, now().slice(0, 10)),
    // requests of unlimited keys are not counted
    used_today: record.unlimited ? null : usedToday,
  }
  if (asJson) print(JSON.stringify(view))
  else {
    const texts = record.unlimited ? { ...view, per_minute: 'unlimited', per_day: 'unlimited' } : view
    for (const [name, value] of Object.entries(texts)) print(`${name.padEnd(11)} ${value ?? '-'}`)
  }
}

function printAll(records: readonly KeyRecord[], asJson: boolean, print: Print): void {
  const today = now().slice(0, 10)
  if (asJson) {
    print(JSON.stringify(records.map(record => ({ ...viewOf(record, now()), status: keyStatus(record, today) }))))
    return
  }
  if (records.length === 0) print('There are no keys yet; "hsapi keys create --tier free" creates one.')
  for (const record of records) {
    const { perMinute, perDay } = limitsOf(record)
    const limits = record.unlimited ? 'unlimited' : `${perMinute}/min ${perDay}/day`
    print(
      `${record.id}  ${record.tier.padEnd(5)}  ${keyStatus(record, today).padEnd(7)}  ` +
        `expires ${(record.expires_at ?? 'never').padEnd(10)}  ${limits}  ${record.name}`,
    )
  }
}

/** Prints to standard error, because with --json standard output is one object. */
const printNotice = (sentence: string) => process.stderr.write(`hsapi: ${escapeControls(sentence)}\n`)

/** The change has already been made, so a failure to record it is only reported. */
async function audit(change: KeyChange, key: string | number): Promise<void> {
  const { dataDir } = readConfig(process.env)
  await writeAudit(dataDir, change, key, { from: 'command line' }, Date.now()).catch(error =>
    printNotice(`${resolve(dataDir, AUDIT_NAME)}: the change was made, but could not be logged: ${error.message}`),
  )
}

/** Reports where a key was written, and warns if the servers on this machine use another directory. */
async function printStore({ keys, redis, dataDir }: Config): Promise<void> {
  if (keys === 'redis') {
    const { shown } = readAddress(redis?.url ?? '', 'HSAPI_REDIS_URL')
    return void printNotice(`written to Redis, ${shown}, with the prefix ${redis?.prefix}`)
  }
  printNotice(`written to ${resolve(dataDir, 'keys.json')}`)
  const others = await otherServers(dataDir)
  if (others.length === 0) return
  const list = others.map(({ pid, dataDir: used }) => `process ${pid} uses ${used ?? 'another directory'}`)
  printNotice(
    `no running server uses ${resolve(dataDir)}; other servers on this machine do not see this change: ${list.join(', ')}. ` +
      'Use the settings of the server, especially HSAPI_DATA_DIR; with systemd see "Commands beside the unit" in docs/deploy.md',
  )
}

function openStores({ keys, redis, dataDir }: Config) {
  const file = new KeyFile(dataDir, { notify: printNotice })
  // the connection is opened when needed, so that keys in a file can be managed while Redis is down
  let opened: Promise<RedisConnection> | undefined
  const connect = () => {
    if (redis === undefined) throw new OperatorError('HSAPI_REDIS_URL is not set')
    opened ??= RedisConnection.openNow(redis)
    return opened
  }
  const inRedis = async () => new RedisKeys(await connect())
  const usage = async (id: string) =>
    redis === undefined
      ? (await new UsageFile(dataDir).load()).find(({ keyId }) => keyId === id)
      : await new RedisLeases(await connect()).look(id)
  return {
    keys: async (): Promise<KeyStore> => (keys === 'redis' ? await inRedis() : file),
    file,
    redis: inRedis,
    /** Requests that were counted today; null if Redis is unreachable. */
    usedToday: async (id: string): Promise<number | null> => {
      try {
        const found = await usage(id)
        return found?.day === utcDay(Date.now()) ? found.dayCount : 0
      } catch (error) {
        if (redis === undefined) throw error
        return null
      }
    },
    close: async (): Promise<void> => {
      await opened?.then(
        connection => connection.close(),
        () => {},
      )
    },
  }
}

type Stores = ReturnType<typeof openStores>

function command(
  flags: Command['flags'],
  words: string[],
  run: (stores: Stores, asJson: boolean, print: Print, values: Values, id: string) => Promise<void>,
  isChange = false,
): Command {
  return {
    help: KEYS_HELP,
    flags: { ...flags, json: flag },
    words,
    run: async (values, [id = ''], print) => {
      const config = readConfig(process.env)
      const stores = openStores(config)
      try {
        await run(stores, values.json === true, line => print(escapeControls(line)), values, id)
        if (isChange) await printStore(config)
      } finally {
        await stores.close()
      }
    },
  }
}

const tier = (name: Tier) => `${name} (${TIERS[name].perMinute} a minute, ${TIERS[name].perDay} a day)`

/** All key commands share one help text. */
export const KEYS_HELP = `Usage: hsapi keys create --tier free|basic|pro [options]
       hsapi keys list [--json]
       hsapi keys show ID [--json]
       hsapi keys revoke ID [--json]
       hsapi keys rotate ID [--grace TIME] [--json]
       hsapi keys move --to redis|file [--json]

Keys are stored as hashes, in HSAPI_DATA_DIR (${defaultDataDir(process.env)}) or, with HSAPI_KEYS=redis, in the Redis at HSAPI_REDIS_URL. A running
server applies a change within a second. The key itself is shown once, when it is created or rotated.

"show" also prints how many requests were counted today. "move" copies all keys to Redis, or from there to HSAPI_DATA_DIR, and
removes none. If both have a key, a revoked key stays revoked, otherwise the later secret wins. "move" can be repeated at any time.

Option of rotate:
  --grace TIME      the old key also works for this time: 30m, 24h or 7d, at most 90d. Without it, the old key stops
                    working at once. A key that is still in the grace time of an earlier rotation always stops at once

Options of create:
  --tier TIER       ${tier('free')}, ${tier('basic')}
                    or ${tier('pro')}
  --name NAME       a name to show in lists
  --expires DAY     the last valid day, YYYY-MM-DD (UTC), today or later, or never (default)
  --per-minute N    a limit for this key instead of its tier's
  --per-day N       a limit for this key instead of its tier's
  --unlimited       no limits, and requests are not counted; for benchmarks
  --json            print one JSON object`

export const KEY_COMMANDS: Record<string, Command> = {
  create: command(
    { tier: text, name: text, expires: text, 'per-minute': text, 'per-day': text, unlimited: flag },
    [],
    async ({ keys }, asJson, print, values) => {
      const { key, record } = await (await keys()).create(optionsOf(values), now())
      printSecret(key, record, asJson, print)
      await audit('created', record.id)
    },
    true,
  ),
  list: command({}, [], async ({ keys }, asJson, print) => printAll((await (await keys()).read()) ?? [], asJson, print)),
  show: command({}, ['ID'], async ({ keys, usedToday }, asJson, print, _values, id) => {
    const record = (await (await keys()).read())?.find(found => found.id === id)
    if (record === undefined) throw noSuchKey(id)
    printOne(record, await usedToday(id), asJson, print)
  }),
  revoke: command(
    {},
    ['ID'],
    async ({ keys }, asJson, print, _values, id) => {
      const record = await (await keys()).revoke(id, now())
      print(asJson ? JSON.stringify(viewOf(record, now())) : `Key ${id} is revoked.`)
      await audit('revoked', id)
    },
    true,
  ),
  rotate: command(
    { grace: text },
    ['ID'],
    async ({ keys }, asJson, print, values, id) => {
      const graceMs = graceMsOf(values)
      const { key, record } = await (await keys()).rotate(id, now(), graceMs)
      printSecret(key, record, asJson, print)
      await audit('rotated', id)
    },
    true,
  ),
  /** A newer record in the target stays, so the command can be repeated at any time. */
  move: command({ to: text }, [], async ({ file, redis }, asJson, print, values) => {
    required(values, 'to', 'redis or file')
    const to = choiceOf(values, 'to', ['redis', 'file'])
    const [from, target] = to === 'redis' ? [file, await redis()] : [await redis(), file]
    const records = (await from.read()) ?? []
    const changed = await target.put(records)
    if (changed > 0) await audit('copied', changed)
    if (asJson) print(JSON.stringify({ to, keys: records.length, changed }))
    else {
      print(
        `${records.length} ${records.length === 1 ? 'key' : 'keys'} copied, ${changed} of them new or changed. Nothing was removed.`,
      )
      print(
        `Start every server with HSAPI_KEYS=${to} now, then run this command once more to copy what has changed in the meantime.`,
      )
    }
  }),
}
