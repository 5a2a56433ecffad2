import { isoSeconds } from '../clock.js'
import { OperatorError } from '../errors.js'
import { KeyFile, type KeyOptions, type KeyRecord } from '../gate/key-file.js'
import { TIERS } from '../gate/tiers.js'

type Print = (text: string) => void

/** What may be shown of a key: all but its hash and checksum. */
function publicView(record: KeyRecord): Record<string, unknown> {
  const { hash: _hash, checksum: _checksum, ...rest } = record
  return {
    ...rest,
    per_minute: record.per_minute ?? TIERS[record.tier].perMinute,
    per_day: record.per_day ?? TIERS[record.tier].perDay,
  }
}

function status(record: KeyRecord, today: string): string {
  if (record.revoked_at !== null) return 'revoked'
  return record.expires_at !== null && record.expires_at < today ? 'expired' : 'active'
}

const now = () => isoSeconds(Date.now())

function printSecret(key: string, record: KeyRecord, asJson: boolean, print: Print): void {
  if (asJson) {
    const { id, ...rest } = publicView(record)
    print(JSON.stringify({ id, key, ...rest }))
    return
  }
  print(
    `Key ${record.id} (${record.tier}), expires ${record.expires_at ?? 'never'}. It is shown only this once:`,
  )
  print(key)
}

export async function createKey(
  dir: string,
  options: KeyOptions,
  asJson: boolean,
  print: Print,
): Promise<void> {
  const { key, record } = await new KeyFile(dir).create(options, now())
  printSecret(key, record, asJson, print)
}

export async function rotateKey(dir: string, id: string, asJson: boolean, print: Print): Promise<void> {
  const { key, record } = await new KeyFile(dir).rotate(id, now())
  printSecret(key, record, asJson, print)
}

export async function revokeKey(dir: string, id: string, asJson: boolean, print: Print): Promise<void> {
  const record = await new KeyFile(dir).revoke(id, now())
  print(asJson ? JSON.stringify(publicView(record)) : `Key ${id} is revoked.`)
}

export async function showKey(dir: string, id: string, asJson: boolean, print: Print): Promise<void> {
  const record = ((await new KeyFile(dir).read()) ?? []).find(found => found.id === id)
  if (record === undefined) throw new OperatorError(`there is no key ${id}; "hsapi keys list" shows all`)
  const view = { ...publicView(record), status: status(record, now().slice(0, 10)) }
  if (asJson) print(JSON.stringify(view))
  else for (const [name, value] of Object.entries(view)) print(`${name.padEnd(11)} ${value ?? '-'}`)
}

export async function listKeys(dir: string, asJson: boolean, print: Print): Promise<void> {
  const records = (await new KeyFile(dir).read()) ?? []
  const today = now().slice(0, 10)
  if (asJson) {
    print(JSON.stringify(records.map(record => ({ ...publicView(record), status: status(record, today) }))))
    return
  }
  if (records.length === 0) print('There are no keys yet; "hsapi keys create --tier free" makes one.')
  for (const record of records) {
    const { per_minute, per_day } = publicView(record)
    print(
      `${record.id}  ${record.tier.padEnd(5)}  ${status(record, today).padEnd(7)}  ` +
        `expires ${(record.expires_at ?? 'never').padEnd(10)}  ${per_minute}/min ${per_day}/day  ${record.name}`,
    )
  }
}
