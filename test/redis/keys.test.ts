/** Keys that live in Redis, seen by real servers of their own data directories. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import { KeyFile } from '../../src/gate/key-file.js'
import type { KeyRecord } from '../../src/gate/key-record.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisKeys } from '../../src/redis/keys.js'
import { MAIN, prepared, run, type Served, startServe } from '../support/cli.js'
import { type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, ENGINES, makeKey, temporaryDirectory } from '../support/service.js'

const DEADLINE_MS = 5_000
const MANY = 3_000
const LOOKUP = '/api/v1/hs-codes/852321'
/** What a crash of Redis must not cost. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always']
const AMPLE = ['--tier', 'pro', '--per-minute', '1000000', '--per-day', '1000000']

const base = await prepared(tap)
// they wait more than they work
tap.jobs = 4
const OPTIONS = { skip: WITHOUT_REDIS, buffered: true }

type Env = Record<string, string>

/** A machine of its own: everything but Redis and the snapshot. */
function machine(t: Test, redis: { url: string }, more: Env = {}): Env & { HSAPI_DATA_DIR: string } {
  const own = { HSAPI_DATA_DIR: join(temporaryDirectory(t), 'data'), HSAPI_SNAPSHOT: base.HSAPI_SNAPSHOT }
  return { ...own, HSAPI_REDIS_URL: redis.url, HSAPI_KEYS: 'redis', HSAPI_DRAIN_SECONDS: '0', ...more }
}

interface Made {
  id: string
  key: string
}

async function keys<Answer = Made>(env: Env, ...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await run(['keys', ...args, '--json'], env)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Answer
}

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`)
    await new Promise(done => setTimeout(done, 20))
  }
}

const statusOf = async ({ url }: Served, key: string) => (await ask(url, LOOKUP, { 'x-api-key': key })).status

/** Every one of a server's threads says so: each request is a connection of its own, which any of them may get. */
async function sees(server: Served, key: string, status: number): Promise<void> {
  await until(`${status} from ${server.url}`, async () => {
    for (let i = 0; i < 8; i++) if ((await statusOf(server, key)) !== status) return false
    return true
  })
}

const timesIn = (text: string, words: string) => text.split(words).length - 1
const copyOf = (env: { HSAPI_DATA_DIR: string }) => join(env.HSAPI_DATA_DIR, 'keys-of-redis.json')
const isCopied = (env: { HSAPI_DATA_DIR: string }, text: string) => () =>
  existsSync(copyOf(env)) && readFileSync(copyOf(env), 'utf8').includes(text)

async function openKeys(t: Test, redis: RedisServer): Promise<RedisKeys> {
  const connection = await RedisConnection.openNow({ url: redis.url, prefix: 'hsapi:' })
  t.teardown(() => connection.close())
  return new RedisKeys(connection)
}

tap.test(
  'two servers that start at once on an empty Redis make one key; all changes reach every thread of both',
  OPTIONS,
  async t => {
    const redis = await startRedis(t)
    const one = machine(t, redis)
    const two = machine(t, redis, ENGINES.includes('uws') ? { HSAPI_WORKERS: '2' } : {})
    const servers = await Promise.all([startServe(t, one), startServe(t, two)])
    const shown = servers.flatMap(({ output }) => output().match(/only this once: (\S+)/)?.[1] ?? [])
    t.equal(shown.length, 1, 'one first key')
    t.equal((await keys<Made[]>(one, 'list')).length, 1)
    for (const server of servers) await sees(server, shown[0] as string, 200)

    const elsewhere = machine(t, redis)
    const made = await keys(elsewhere, 'create', ...AMPLE)
    for (const server of servers) await sees(server, made.key, 200)
    const rotated = await keys(two, 'rotate', made.id)
    for (const server of servers) {
      await sees(server, rotated.key, 200)
      await sees(server, made.key, 401)
    }

    const names = (await redis.cli('--scan')).split('\n')
    const values = await Promise.all(
      names
        .filter(name => name.includes('{keys}'))
        .map(async name => `${await redis.cli('HGETALL', name)}${await redis.cli('GET', name)}`),
    )
    const everything = `${names.join()} ${values.join()}`
    t.match(everything, made.id)
    for (const key of [made.key, rotated.key, shown[0] as string])
      t.notOk(everything.includes(key.slice(8, 30)), 'no secret is in Redis')

    await keys(elsewhere, 'revoke', made.id)
    for (const server of servers) await sees(server, rotated.key, 401)
    t.notOk(existsSync(join(one.HSAPI_DATA_DIR, 'keys.json')))
  },
)

tap.test('a message that is lost costs a second, not a key', OPTIONS, async t => {
  const redis = await startRedis(t)
  await redis.cli('ACL', 'SETUSER', 'deaf', 'on', '>pass', '~*', 'resetchannels', '+@all')
  const env = machine(t, redis)
  await keys(env, 'create', ...AMPLE)
  const [server, deaf] = await Promise.all([
    startServe(t, env),
    startServe(t, machine(t, { url: redis.url.replace('//', '//deaf:pass@') })),
  ])
  const listeners = async () => Number((await redis.cli('PUBSUB', 'NUMSUB', 'hsapi:{keys}')).split('\n')[1])
  await until('one listens', async () => (await listeners()) === 1)
  for (let times = 0; times < 2; times++) {
    await redis.cli('CLIENT', 'KILL', 'TYPE', 'pubsub')
    const { key } = await keys(env, 'create', ...AMPLE)
    await Promise.all([sees(server, key, 200), sees(deaf, key, 200)])
    await until('it listens again', async () => (await listeners()) === 1)
  }
})

tap.test(
  'without Redis keys go on, also after a restart; a server that never saw them answers 503 until it is back',
  OPTIONS,
  async t => {
    const redis = await startRedis(t, DURABLE)
    const env = machine(t, redis)
    const { id, key } = await keys(env, 'create', ...AMPLE)
    const server = await startServe(t, env)
    await sees(server, key, 200)
    const rotated = await keys(env, 'rotate', id)
    await sees(server, rotated.key, 200)
    // within the same second as often as not
    const again = await keys(env, 'rotate', id)
    await sees(server, again.key, 200)
    const [record] = (await (await openKeys(t, redis)).read()) as [KeyRecord]
    await until('the copy is written', isCopied(env, record.hash))
    t.equal(timesIn(readFileSync(copyOf(env), 'utf8'), id), 1, 'one line a key')
    await redis.kill()
    await sees(server, again.key, 200)
    await sees(server, key, 401)
    await server.end('SIGKILL')

    const [second, without] = await Promise.all([startServe(t, env), startServe(t, machine(t, redis))])
    t.match(second.output(), /those of the last time are in force/)
    await sees(second, again.key, 200)
    await sees(second, rotated.key, 401)
    t.match(without.output(), /keyed requests get 503 until then/)
    const refused = await ask(without.url, LOOKUP, { 'x-api-key': again.key })
    t.equal(refused.status, 503)
    t.match(refused.body, { error: { code: 'db_unavailable' } })
    t.match(refused.headers.get('retry-after'), /^[1-9][0-9]*$/)
    t.equal((await ask(without.url, LOOKUP)).status, 503, 'also without a key')
    t.equal((await ask(without.url, '/api/v1/health')).status, 200)

    await redis.restart()
    await sees(without, again.key, 200)
    t.match(without.output(), /read again/)
    await keys(env, 'revoke', id)
    for (const one of [second, without]) await sees(one, again.key, 401)
  },
)

tap.test('a first start without Redis, which then is empty, ends in 401', OPTIONS, async t => {
  const redis = await startRedis(t)
  await redis.kill()
  const env = machine(t, redis)
  const server = await startServe(t, env)
  const { key } = makeKey('free')
  t.equal(await statusOf(server, key), 503)
  await redis.restart()
  await sees(server, key, 401)
  t.match(server.output(), /there are no keys in Redis yet/)
  const made = await keys(env, 'create', ...AMPLE)
  await sees(server, made.key, 200)
})

tap.test('a Redis that stops answering is left and found again', OPTIONS, async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { key } = await keys(env, 'create', ...AMPLE)
  const server = await startServe(t, env)
  await sees(server, key, 200)
  redis.child.kill('SIGSTOP')
  const [list] = await Promise.all([
    run(['keys', 'list'], env),
    until('it is noticed', () => server.output().includes('the keys in Redis cannot be read')),
  ])
  t.equal(list.code, 2, 'a command gives up')
  t.match(list.stderr, /^hsapi: HSAPI_REDIS_URL: .*\n$/)
  await sees(server, key, 200)
  redis.child.kill('SIGCONT')
  await until('it is read again', () => server.output().includes('the keys in Redis are read again'))
  const made = await keys(env, 'create', ...AMPLE)
  await sees(server, made.key, 200)
})

tap.test(
  'a Redis that lost its keys gets them back from whoever knows them, and nobody is shut out',
  OPTIONS,
  async t => {
    const redis = await startRedis(t)
    const env = machine(t, redis)
    const { id, key } = await keys(env, 'create', ...AMPLE)
    const gone = await keys(env, 'create', ...AMPLE)
    await keys(env, 'revoke', gone.id)
    const server = await startServe(t, env)
    await sees(server, key, 200)
    await redis.cli('FLUSHALL')
    await until('it is said', () => server.output().includes('the keys are gone from Redis'))
    await sees(server, key, 200)
    await until('they are back', async () => (await keys<Made[]>(env, 'list')).length === 2)
    await sees(server, gone.key, 401)

    // emptied and filled by another before anyone looked
    await redis.cli('FLUSHALL')
    const [other, ...rest] = await Promise.all([
      startServe(t, machine(t, redis)),
      keys(machine(t, redis), 'create', ...AMPLE),
      keys(machine(t, redis), 'create', ...AMPLE),
    ])
    for (const one of [server, other]) for (const made of [{ key }, ...rest]) await sees(one, made.key, 200)

    // a start finds an empty Redis and knows better
    await server.end('SIGTERM')
    await other.end('SIGTERM')
    await redis.cli('FLUSHALL')
    const next = await startServe(t, env)
    t.notMatch(next.output(), /A free key was made/)
    await sees(next, key, 200)
    await keys(env, 'revoke', id)
    await sees(next, key, 401)
    t.equal(timesIn(next.output(), 'the keys are gone from Redis'), 1)
  },
)

tap.test('a Redis that forgot the last changes is told them again', OPTIONS, async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { id, key } = await keys(env, 'create', ...AMPLE)
  const server = await startServe(t, env)
  await sees(server, key, 200)
  const before = await Promise.all(
    (await redis.cli('--scan', '--pattern', '*{keys}*'))
      .split('\n')
      .map(async name => [name, await redis.cli('COPY', name, `old-${name}`)]),
  )
  await keys(env, 'revoke', id)
  const made = await keys(env, 'create', ...AMPLE)
  await sees(server, made.key, 200)
  await sees(server, key, 401)
  // as a replica that takes over before the last changes reached it
  await redis.cli(
    'EVAL',
    "for _, n in ipairs(KEYS) do redis.call('RENAME', 'old-' .. n, n) end",
    ...[String(before.length), ...before.map(([name = '']) => name)],
  )
  await until('the revocation is there again', async () =>
    (await keys<{ revoked_at: string | null }[]>(env, 'list')).some(({ revoked_at }) => revoked_at !== null),
  )
  await sees(server, made.key, 200)
  await sees(server, key, 401)
})

tap.test('move copies both ways, again and again, and later news win', OPTIONS, async t => {
  const redis = await startRedis(t)
  const inRedis = machine(t, redis)
  const inFile: Env & { HSAPI_DATA_DIR: string } = { ...inRedis, HSAPI_KEYS: 'file' }
  const [kept, revoked, rotated] = [
    await keys(inFile, 'create', ...AMPLE),
    await keys(inFile, 'create', ...AMPLE),
    await keys(inFile, 'create', ...AMPLE),
  ]
  t.match((await run(['keys', 'move', '--to', 'redis'], inFile)).stdout, /^3 keys were copied, 3 of them new/)
  t.strictSame(await keys(inFile, 'move', '--to', 'redis'), { to: 'redis', keys: 3, changed: 0 })
  const ids = async (env: Env) => (await keys<Made[]>(env, 'list')).map(({ id }) => id).sort()
  t.strictSame(await ids(inRedis), await ids(inFile))

  await keys(inRedis, 'revoke', revoked.id)
  const later = await keys(inRedis, 'rotate', rotated.id)
  t.strictSame(await keys(inFile, 'move', '--to', 'redis'), { to: 'redis', keys: 3, changed: 0 })
  // two within a second, with a copy in between
  t.strictSame(await keys(inRedis, 'move', '--to', 'file'), { to: 'file', keys: 3, changed: 2 })
  const last = await keys(inRedis, 'rotate', rotated.id)
  t.strictSame(await keys(inRedis, 'move', '--to', 'file'), { to: 'file', keys: 3, changed: 1 })
  t.match(await keys(inFile, 'show', revoked.id), { status: 'revoked' })

  const server = await startServe(t, inFile)
  for (const [key, status] of [
    [kept.key, 200],
    [revoked.key, 401],
    [rotated.key, 401],
    [later.key, 401],
    [last.key, 200],
  ] as const)
    await sees(server, key, status)
})

/** Starts a command and ends it once something is so. */
async function killedWhen(args: string[], env: Env, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } })
  let isOver = false
  const ended = new Promise<void>(resolve =>
    child.on('close', () => {
      isOver = true
      resolve()
    }),
  )
  while (!isOver && !(await isSo())) await new Promise(done => setImmediate(done))
  child.kill('SIGKILL')
  await ended
}

tap.test('a move that is killed half-way is finished by the next one', OPTIONS, async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const records = Array.from({ length: MANY }, () => makeKey('free').record)
  await new KeyFile(env.HSAPI_DATA_DIR).put(records)
  const store = await openKeys(t, redis)
  await killedWhen(['keys', 'move', '--to', 'redis'], env, async () => (await store.count()) > 0)
  t.comment(`${await store.count()} of ${MANY} were there`)
  t.match(await keys(env, 'move', '--to', 'redis'), { keys: MANY })
  const found = (await store.read()) ?? []
  const sorted = (some: KeyRecord[]) => [...some].sort((a, b) => (a.id < b.id ? -1 : 1))
  t.strictSame(sorted(found), sorted(records))

  const back = machine(t, redis)
  const file = join(back.HSAPI_DATA_DIR, 'keys.json')
  await killedWhen(['keys', 'move', '--to', 'file'], back, () => existsSync(`${file}.lock`))
  t.match(await keys(back, 'move', '--to', 'file'), { keys: MANY })
  t.strictSame(sorted((await new KeyFile(back.HSAPI_DATA_DIR).read()) ?? []), sorted(records))
})

tap.test('mistakes end in one line without a password, and exit code 2', OPTIONS, async t => {
  const redis = await startRedis(t, ['--requirepass', 'right-one'])
  const file = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const at = (url: string) => ({ ...file, HSAPI_REDIS_URL: url, HSAPI_KEYS: 'redis' })
  const away = at('redis://:hush-hush@127.0.0.1:1/0')
  await Promise.all(
    (
      [
        [['keys', 'move'], at(redis.url), /--to is missing: redis or file/],
        [['keys', 'move', '--to', 'disk'], at(redis.url), /--to is "disk"; it must be redis or file/],
        [['keys', 'move', '--to', 'redis'], file, /HSAPI_REDIS_URL does not say where Redis is/],
        [['keys', 'list'], { ...file, HSAPI_KEYS: 'redis' }, /HSAPI_KEYS is "redis", but HSAPI_REDIS_URL/],
        [['serve'], { ...file, HSAPI_KEYS: 'redis' }, /HSAPI_KEYS is "redis", but HSAPI_REDIS_URL/],
        [['keys', 'list'], at('https://:hush-hush@x'), /HSAPI_REDIS_URL must be an address such as/],
        [['keys', 'list'], { ...file, HSAPI_KEYS: 'disk' }, /HSAPI_KEYS is "disk"/],
        [['keys', 'create', '--tier', 'free'], away, /HSAPI_REDIS_URL: cannot reach the server there/],
        [['keys', 'move', '--to', 'redis'], away, /HSAPI_REDIS_URL: cannot reach the server there/],
        [['keys', 'list'], at(redis.url.replace('//', '//:hush-hush@')), /WRONGPASS/],
        [['keys', 'list'], at(redis.url), /NOAUTH/],
      ] as [string[], Env, RegExp][]
    ).map(async ([args, env, message]) => {
      const { code, stdout, stderr } = await run(args, env)
      t.equal(code, 2, args.join(' '))
      t.match(stderr, message)
      t.equal(stderr.trimEnd().split('\n').length, 1, stderr)
      t.notMatch(stderr + stdout, /hush/)
    }),
  )
})

tap.test('keys in the file are seen to while Redis is away', { buffered: true }, async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t), HSAPI_REDIS_URL: 'redis://127.0.0.1:1' }
  const { id } = await keys(env, 'create', '--tier', 'free')
  await keys(env, 'revoke', id)
  t.match(await keys(env, 'show', id), { status: 'revoked', used_today: null })
})

tap.test('what is no key of ours is told, and the keys in force stay', OPTIONS, async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { id, key } = await keys(env, 'create', ...AMPLE)
  const server = await startServe(t, env)
  await sees(server, key, 200)
  await redis.cli('HSET', 'hsapi:{keys}:records', id, '{"id":7}')
  const { code, stderr } = await run(['keys', 'list'], env)
  t.equal(code, 2)
  t.match(stderr, /holds something that is not a key of ours\n$/)
  await redis.cli('DEL', 'hsapi:{keys}:records')
  await redis.cli('SET', 'hsapi:{keys}:records', 'x')
  t.match((await run(['keys', 'list'], env)).stderr, /^hsapi: HSAPI_REDIS_URL: WRONGTYPE.*\n$/)
  await sees(server, key, 200)
})

tap.test('a copy that cannot be written is told once, and keys go on', OPTIONS, async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { key } = await keys(env, 'create', ...AMPLE)
  mkdirSync(env.HSAPI_DATA_DIR, { recursive: true })
  mkdirSync(copyOf(env))
  writeFileSync(join(copyOf(env), 'x'), '')
  const server = await startServe(t, env)
  await until('it is told', () => server.output().includes('cannot be copied'))
  const made = await keys(env, 'create', ...AMPLE)
  for (const one of [key, made.key]) await sees(server, one, 200)
  await server.end('SIGTERM')
  t.equal(timesIn(server.output(), 'cannot be copied'), 1)
  t.notMatch(server.output(), /cannot be read/)
})
