import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { AUDIT_NAME, writeAudit } from '../../src/keys/audit.js'
import { KeyFile } from '../../src/keys/key-file.js'
import { isRecord } from '../../src/keys/key-record.js'
import { keyStatus, viewOf } from '../../src/keys/key-view.js'
import { LIMIT_MAX } from '../../src/quotas/tiers.js'
import { makeKey, temporaryDirectory } from '../support/service.js'

const OPTIONS = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'

t.test('the file holds a hash, never the key, and only its owner may read it', async t => {
  const directory = join(temporaryDirectory(t), 'made', 'when needed')
  const file = new KeyFile(directory)
  t.equal(await file.read(), undefined)
  const { key, record } = await file.create(OPTIONS, NOW)
  const text = readFileSync(file.path, 'utf8')
  t.notOk(text.includes(key))
  t.notOk(text.includes(key.slice(8, 30)))
  t.equal(statSync(file.path).mode & 0o777, 0o600)
  t.strictSame(await file.read(), [record])
  t.strictSame(readdirSync(directory).sort(), ['keys-copy.json', 'keys.json'], 'no lock or temporary file is left')
})

t.test('concurrent commands lose no keys', async t => {
  const directory = temporaryDirectory(t)
  await Promise.all(Array.from({ length: 20 }, () => new KeyFile(directory).create(OPTIONS, NOW)))
  t.equal((await new KeyFile(directory).read())?.length, 20)
})

t.test('a key can be rotated until it is revoked, and revoked once', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { key, record } = await file.create(OPTIONS, NOW)
  const rotated = await file.rotate(record.id, NOW)
  t.not(rotated.key, key)
  t.not(rotated.record.hash, record.hash)
  t.equal(rotated.record.id, record.id)
  t.equal((await file.revoke(record.id, NOW)).revoked_at, NOW)
  await t.rejects(file.revoke(record.id, NOW), /already revoked/)
  await t.rejects(file.rotate(record.id, NOW), /revoked/)
  await t.rejects(file.revoke('nobody', NOW), /there is no key nobody/)
})

t.test('reading a damaged file gives an error that names the file, not an empty list', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  for (const text of ['', '{', '[]', '{"version":2,"keys":[]}', '{"version":1,"keys":[{"id":1}]}', 'null', '7']) {
    writeFileSync(file.path, text)
    await t.rejects(file.read(), /keys\.json/, text)
  }
})

t.test(
  'if two secrets are created within a second, or after the clock was set back, other servers also use the last one',
  async t => {
    const [here, there] = [new KeyFile(temporaryDirectory(t)), new KeyFile(temporaryDirectory(t))]
    const made = makeKey('free', { rotated_at: '2026-05-04T12:00:00+00:00' })
    const { id } = made.record
    await here.put([made.record])
    for (const now of ['2026-05-04T12:00:00+00:00', '2026-05-04T12:00:00+00:00', '2026-05-03T00:00:00+00:00']) {
      const { record } = await here.rotate(id, now)
      t.equal(await there.put((await here.read()) ?? []), 1)
      t.equal((await there.read())?.[0]?.hash, record.hash)
    }
    await there.revoke(id, '2026-05-04T12:00:00+00:00')
    await here.rotate(id, '2026-05-04T13:00:00+00:00')
    t.equal(await there.put((await here.read()) ?? []), 0, 'a revoked key never comes back')
    t.equal(await here.put((await there.read()) ?? []), 1)
    t.type((await here.read())?.[0]?.revoked_at, 'string')
  },
)

t.test('a file of another name, such as the copy of keys in Redis, can be read only by its owner', async t => {
  const directory = temporaryDirectory(t)
  const file = new KeyFile(directory, { name: 'keys-of-redis.json' })
  await file.replace([makeKey('free').record])
  t.equal(statSync(file.path).mode & 0o777, 0o600)
  t.strictSame(readdirSync(directory), ['keys-of-redis.json'], 'it has no copy')
})

t.test('a file with any number of keys is read line by line', async t => {
  const { record } = makeKey('free')
  const file = new KeyFile(temporaryDirectory(t))
  for (const count of [0, 1, 999, 1000, 1001, 2000]) {
    await file.replace(Array(count).fill(record))
    const found = await file.readLines(() => 1)
    t.not(found, 'other layout', `${count} keys`)
    t.equal((await file.readStrictly())?.length, count)
  }
})

t.test('if a key is put twice at once, the newer of the two is kept', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record } = makeKey('free')
  const rotated = { ...record, rotated_at: NOW }
  t.equal(await file.put([record, rotated]), 2)
  t.strictSame(await file.read(), [rotated])
})

t.test('a record may have the largest limits, and no larger ones', async t => {
  for (const field of ['per_minute', 'per_day']) {
    t.ok(isRecord(makeKey('free', { [field]: LIMIT_MAX }).record), field)
    t.notOk(isRecord(makeKey('free', { [field]: LIMIT_MAX + 1 }).record), field)
    t.ok(isRecord(makeKey('free', { [field]: 0 }).record), field)
  }
})

t.test('a key is active on its last day; an old secret is shown only while it still works', async t => {
  const status = (expires_at: string | null) => keyStatus({ revoked_at: null, expires_at }, '2026-05-04')
  t.strictSame(['2026-05-04', '2026-05-03', '2026-05-05', null].map(status), ['active', 'expired', 'active', 'active'])
  const { record } = makeKey('free')
  record.previous = { hash: record.hash, checksum: record.checksum, until: NOW }
  t.equal(viewOf(record, '2026-05-04T11:59:59+00:00').old_key_until, NOW)
  t.notOk('old_key_until' in viewOf(record, NOW))
})

t.test('the log of key changes names the user who ran the command with sudo', async t => {
  const directory = temporaryDirectory(t)
  const { SUDO_USER: before } = process.env
  t.teardown(() => {
    if (before === undefined) delete process.env.SUDO_USER
    else process.env.SUDO_USER = before
  })
  process.env.SUDO_USER = 'mona'
  await writeAudit(directory, 'created', 'id', { from: 'command line' }, 0)
  delete process.env.SUDO_USER
  await writeAudit(directory, 'created', 'id', { from: 'command line' }, 0)
  const users = readFileSync(join(directory, AUDIT_NAME), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).user)
  t.match(users, [/.+ \(sudo by mona\)$/, /^[^()]+$/])
})
