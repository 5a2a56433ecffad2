import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DAY_MS, utcDay } from '../../src/clock.js'
import { UsageFile } from '../../src/quotas/usage-file.js'
import { prepared, run, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, makeKey, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const NAME_CHARS_MAX = 200
const PAGE_BYTES = 4096
const DISK_BYTES = 16 * PAGE_BYTES

/** Control characters that a terminal interprets, except line feeds. */
const ACTS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

t.test('names with control characters, and very long names, are refused with a sentence', async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const create = (name: string) => run(['keys', 'create', '--tier', 'free', '--name', name], env)
  for (const name of ['a\u001b[2Jb', 'a\nb', 'a\u007fb', 'a\u009bb', 'a\u202eb', 'a\u2028b']) {
    const { code, stderr } = await create(name)
    t.equal(code, 2)
    t.match(stderr, /^hsapi: --name .*control character.*\n$/)
    t.notOk(ACTS.test(stderr))
  }
  const tooLong = await create('x'.repeat(NAME_CHARS_MAX + 1))
  t.equal(tooLong.code, 2)
  t.match(tooLong.stderr, /^hsapi: --name has 201 characters; it may have 200 at most\n$/)
  t.strictSame(readdirSync(env.HSAPI_DATA_DIR), [])
  t.equal((await create('é'.repeat(NAME_CHARS_MAX))).code, 0)
  t.equal((await create('شركة الخليج للتجارة')).code, 0)
})

t.test('control characters in names from an existing file are escaped', async t => {
  const directory = temporaryDirectory(t)
  const env = { HSAPI_DATA_DIR: directory }
  const { record } = makeKey('free', { name: 'a\u001b[2J\nb\u009bc\u202ed', created_at: 'x\u0007' })
  writeFileSync(join(directory, 'keys.json'), JSON.stringify({ version: 1, keys: [record] }))
  for (const args of [
    ['list'],
    ['list', '--json'],
    ['show', record.id],
    ['show', record.id, '--json'],
    ['rotate', record.id, '--json'],
    ['revoke', record.id, '--json'],
  ]) {
    const { code, stdout } = await run(['keys', ...args], env)
    t.equal(code, 0)
    t.notOk(ACTS.test(stdout), args.join(' '))
    if (args.includes('--json')) t.match(JSON.parse(stdout), args[0] === 'list' ? [{ name: record.name }] : { name: record.name })
    else t.match(stdout, 'a\\u001b[2J\\u000ab\\u009bc\\u202ed')
  }
})

t.test('rotate --grace: the old and the new key are both accepted; a rotation without --grace ends the old key', async t => {
  const env = await prepared(t)
  const keys = async (...args: string[]) => JSON.parse((await run(['keys', ...args, '--json'], env)).stdout)
  const made = await keys('create', '--tier', 'free')
  const served = await startServe(t, env)
  const sees = (key: string, status: number) =>
    until(`${status}`, async () => (await ask(served.url, '/api/v1/dataset', { 'x-api-key': key })).status === status)
  const rotated = await keys('rotate', made.id, '--grace', '7d')
  await sees(rotated.key, 200)
  await sees(made.key, 200)
  t.match(served.output(), /hsapi: keys read again from .*keys\.json: 0 added, 1 changed, 0 removed/)
  const shown = await keys('show', made.id)
  t.equal(shown.old_key_until, rotated.old_key_until)
  t.notMatch(JSON.stringify(shown), /hash|previous/)
  const { stdout } = await run(['keys', 'rotate', made.id, '--grace', '30m'], env)
  t.match(stdout, /shown only once:\nhs_free_\S+\nThe old key works until \d{4}-\S+\+00:00\.\n$/)
  await sees(made.key, 401)
  await sees(rotated.key, 200)
  const last = await keys('rotate', made.id)
  t.notOk('old_key_until' in last)
  await sees(rotated.key, 401)
  await sees(last.key, 200)
  for (const grace of ['0h', '24', '91d', '1w', '-1h', ''])
    t.match(await run(['keys', 'rotate', made.id, `--grace=${grace}`], env), { code: 2, stderr: /^hsapi: --grace is / }, grace)
})

/** A very small file system, if this user may mount one. */
function smallDisk(t: Test): string | undefined {
  const directory = join(temporaryDirectory(t), 'disk')
  mkdirSync(directory)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', directory], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  t.teardown(() => execFileSync('umount', [directory]))
  return directory
}

t.test('on a full disk, create, rotate and revoke report it in one line, exit with 2 and change nothing', async t => {
  const directory = smallDisk(t)
  if (directory === undefined) return t.plan(0, 'only root can mount a small disk')
  const env = { HSAPI_DATA_DIR: directory }
  const { id } = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout)
  const before = readFileSync(join(directory, 'keys.json'), 'utf8')
  // first there is no space for a new file, then not even for the lock
  for (const pages of [1, 0]) {
    writeFileSync(join(directory, 'filler'), Buffer.alloc(DISK_BYTES - PAGE_BYTES * (pages + 3)))
    const files = readdirSync(directory)
    for (const args of [
      ['create', '--tier', 'free'],
      ['rotate', id],
      ['revoke', id],
    ]) {
      const { code, stdout, stderr } = await run(['keys', ...args], env)
      t.equal(code, 2, `${args[0]}: ${stdout}`)
      t.equal(stdout, '')
      t.match(stderr, /^hsapi: HSAPI_DATA_DIR.*ENOSPC.*\n$/)
      t.equal(stderr.split('\n').length, 2, 'the error is one line')
      t.equal(readFileSync(join(directory, 'keys.json'), 'utf8'), before)
      t.strictSame(readdirSync(directory), files, 'no temporary file is left behind')
    }
  }
})

const SAVED_MS = 5_000

/** Sends three requests and returns the figure that `show` prints, in both formats. */
async function usedToday(t: Test, env: Record<string, string>, signal: NodeJS.Signals) {
  const create = await run(['keys', 'create', '--tier', 'free', '--json'], env)
  const { id, key } = JSON.parse(create.stdout)
  const json = async () => JSON.parse((await run(['keys', 'show', id, '--json'], env)).stdout).used_today
  t.equal(await json(), 0)
  const server = await startServe(t, env)
  for (let i = 0; i < 3; i++) t.equal((await ask(server.url, '/api/v1/hs-codes/852321', { 'x-api-key': key })).status, 200)
  t.equal((await ask(server.url, '/api/v1/hs-codes/852321')).status, 401)
  if (signal === 'SIGKILL' || env.HSAPI_REDIS_URL !== undefined) {
    // counts are saved once a second, and a busy Redis receives them later
    const deadline = Date.now() + SAVED_MS
    while ((await json()) < 3 && Date.now() < deadline) await new Promise(done => setTimeout(done, 200))
  }
  await server.end(signal)
  t.match((await run(['keys', 'show', id], env)).stdout, /^used_today +3$/m)
  return await json()
}

t.test("show prints today's use of a key, after a clean stop and after a kill", async t => {
  const base = { ...(await prepared(t)), HSAPI_DRAIN_SECONDS: '0' }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const env = { ...base, HSAPI_DATA_DIR: temporaryDirectory(t) }
    t.equal(await usedToday(t, env, signal), 3, signal)
  }
})

t.test("yesterday's use is not shown as today's", async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const keys = async (...args: string[]) => JSON.parse((await run(['keys', ...args, '--json'], env)).stdout)
  const { id } = await keys('create', '--tier', 'free')
  const yesterdayMs = Date.now() - DAY_MS
  const usage = new UsageFile(env.HSAPI_DATA_DIR)
  await usage.exchange([{ keyId: id, day: utcDay(yesterdayMs), dayCount: 7, minuteStartMs: yesterdayMs, minuteCount: 7 }])
  await usage.close()
  t.equal((await keys('show', id)).used_today, 0)
})

t.test("show prints today's use of a key, from Redis", { skip: WITHOUT_REDIS }, async t => {
  const { url } = await startRedis(t)
  const base = { ...(await prepared(t)), HSAPI_DRAIN_SECONDS: '0', HSAPI_REDIS_URL: url }
  for (const HSAPI_KEYS of ['file', 'redis']) {
    const env = { ...base, HSAPI_DATA_DIR: temporaryDirectory(t), HSAPI_KEYS }
    t.equal(await usedToday(t, env, 'SIGTERM'), 3, HSAPI_KEYS)
  }
})

t.test('a command that changes a key prints where it was written; with --json, standard output stays one object', async t => {
  const env = await prepared(t)
  const path = join(env.HSAPI_DATA_DIR, 'keys.json')
  const made = await run(['keys', 'create', '--tier', 'free', '--json'], env)
  const { id } = JSON.parse(made.stdout)
  for (const { stderr } of [made, await run(['keys', 'rotate', id], env), await run(['keys', 'revoke', id, '--json'], env)])
    t.ok(stderr.startsWith(`hsapi: written to ${path}\n`), stderr)
  t.equal((await run(['keys', 'list'], env)).stderr, '', 'commands that only read do not print where keys are')
})

t.test(
  'if a command changes keys in another directory than that of a running server, a warning names the server',
  { skip: process.platform !== 'linux' },
  async t => {
    const env = await prepared(t)
    const served = await startServe(t, env)
    const elsewhere = { HSAPI_DATA_DIR: temporaryDirectory(t) }
    const { stdout, stderr } = await run(['keys', 'create', '--tier', 'free', '--json'], elsewhere)
    t.equal((await ask(served.url, '/api/v1/dataset', { 'x-api-key': JSON.parse(stdout).key })).status, 401)
    t.match(stderr, `process ${served.child.pid} uses ${env.HSAPI_DATA_DIR}`)
    const right = await run(['keys', 'create', '--tier', 'free'], env)
    t.equal(right.stderr, `hsapi: written to ${join(env.HSAPI_DATA_DIR, 'keys.json')}\n`)
    await served.end('SIGTERM')
  },
)

t.test('for a store in Redis, the address is printed without its password', { skip: WITHOUT_REDIS }, async t => {
  const { url } = await startRedis(t)
  const { port } = new URL(url)
  const env = { ...(await prepared(t)), HSAPI_KEYS: 'redis', HSAPI_REDIS_URL: url }
  const { stderr } = await run(['keys', 'create', '--tier', 'free', '--json'], env)
  t.match(stderr, new RegExp(`^hsapi: written to Redis, redis://127\\.0\\.0\\.1:${port}.*, with the prefix hsapi:\n$`))
})

t.test('a key cannot expire in the past; an unknown key is reported; use of an unlimited key is not counted', async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const keys = (...args: string[]) => run(['keys', ...args], env)
  t.match(await keys('create', '--tier', 'free', '--expires', '2020-01-01'), {
    code: 2,
    stderr: /^hsapi: --expires is 2020-01-01, which has passed/,
  })
  const made = JSON.parse((await keys('create', '--tier', 'pro', '--unlimited', '--json')).stdout)
  t.equal(JSON.parse((await keys('show', made.id, '--json')).stdout).used_today, null)
  t.match(await keys('show', 'nobody'), { code: 2, stdout: '', stderr: /there is no key nobody/ })
})
