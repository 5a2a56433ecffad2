/** Keys stored in Redis, used by real servers with separate data directories. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import { isoSeconds } from '../../src/clock.js'
import { hashKey } from '../../src/keys/key.js'
import { KeyFile } from '../../src/keys/key-file.js'
import type { KeyRecord, MadeKey } from '../../src/keys/key-record.js'
import { RedisConnection } from '../../src/redis/connection.js'
import { RedisKeys } from '../../src/redis/keys.js'
import { MAIN, prepared, run, type Served, startServe } from '../support/cli.js'
import { type RedisServer, startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { ask, ENGINES, makeKey, temporaryDirectory } from '../support/service.js'

const DEADLINE_MS = 5_000
const MANY = 3_000
const LOOKUP = '/api/v1/hs-codes/852321'
/** Options that make Redis keep everything in a crash. */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always']
const HIGH_LIMIT = ['--tier', 'pro', '--per-minute', '1000000', '--per-day', '1000000']

const base = await prepared(tap)
// these tests mostly wait
tap.jobs = 4
/** A new object for each test, because tap modifies it. */
const options = () => ({ skip: WITHOUT_REDIS, buffered: true })

type Env = Record<string, string>

/** The settings of a separate machine, which shares only Redis and the snapshot. */
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
    await new Promise(done => setTimeout(done, 50))
  }
}

const statusOf = async ({ url }: Served, key: string) => (await ask(url, LOOKUP, { 'x-api-key': key })).status

/** Waits until every thread of a server gives this status. Each request uses a new connection, which any thread may get. */
async function sees(server: Served, key: string, status: number): Promise<void> {
  await until(`${status} from ${server.url}`, async () => {
    for (let i = 0; i < 8; i++) if ((await statusOf(server, key)) !== status) return false
    return true
  })
}

const sorted = (some: KeyRecord[]) => [...some].sort((a, b) => (a.id < b.id ? -1 : 1))
const timesIn = (text: string, words: string) => text.split(words).length - 1
const copyOf = (env: { HSAPI_DATA_DIR: string }) => join(env.HSAPI_DATA_DIR, 'keys-of-redis.json')
const isCopied = (env: { HSAPI_DATA_DIR: string }, text: string) => () =>
  existsSync(copyOf(env)) && readFileSync(copyOf(env), 'utf8').includes(text)

const now = () => isoSeconds(Date.now())

/** The key functions of the commands, without a process for each. To a server, they look like another machine. */
async function openKeys(t: Test, redis: RedisServer) {
  const connection = await RedisConnection.openNow({ url: redis.url, prefix: 'hsapi:' })
  t.teardown(() => connection.close())
  const store = new RedisKeys(connection)
  const limits = { expiresAt: null, perMinute: 1_000_000, perDay: 1_000_000 }
  const asMade = ({ key, record }: MadeKey): Made => ({ key, id: record.id })
  return {
    store,
    create: async () => asMade(await store.create({ tier: 'pro', name: '', ...limits }, now())),
    rotate: async (id: string) => asMade(await store.rotate(id, now())),
    revoke: (id: string) => store.revoke(id, now()),
    all: async () => (await store.read()) ?? [],
  }
}

tap.test(
  'two servers that start at once on an empty Redis create one key; all changes reach every thread of both',
  options(),
  async t => {
    const redis = await startRedis(t)
    const one = machine(t, redis)
    const two = machine(t, redis, ENGINES.includes('uws') ? { HSAPI_WORKERS: '2' } : {})
    const servers = await Promise.all([startServe(t, one), startServe(t, two)])
    const shown = servers.flatMap(({ output }) => output().match(/only once: (\S+)/)?.[1] ?? [])
    t.equal(shown.length, 1, 'only one first key is printed')
    t.equal((await keys<Made[]>(one, 'list')).length, 1)
    for (const server of servers) await sees(server, shown[0] as string, 200)

    const elsewhere = machine(t, redis)
    const made = await keys(elsewhere, 'create', ...HIGH_LIMIT)
    for (const server of servers) await sees(server, made.key, 200)
    const rotated = await keys(two, 'rotate', made.id)
    for (const server of servers) {
      await sees(server, rotated.key, 200)
      await sees(server, made.key, 401)
    }
    const graced = await keys<Made & { old_key_until: string }>(elsewhere, 'rotate', made.id, '--grace', '24h')
    t.ok(Math.abs(Date.parse(graced.old_key_until) - Date.now() - 86_400_000) < 60_000)
    for (const server of servers) for (const key of [graced.key, rotated.key]) await sees(server, key, 200)
    for (const { output } of servers) t.match(output(), /hsapi: keys read again from Redis: \d+ added, \d+ changed, 0 removed/)

    const names = (await redis.cli('--scan')).split('\n')
    const values = await Promise.all(
      names
        .filter(name => name.includes('{keys}'))
        .map(async name => `${await redis.cli('HGETALL', name)}${await redis.cli('GET', name)}`),
    )
    const everything = `${names.join()} ${values.join()}`
    t.match(everything, made.id)
    for (const key of [made.key, rotated.key, graced.key, shown[0] as string])
      t.notOk(everything.includes(key.slice(8, 30)), 'no secret is in Redis')

    await keys(elsewhere, 'revoke', made.id)
    for (const server of servers) for (const key of [graced.key, rotated.key]) await sees(server, key, 401)
    t.notOk(existsSync(join(one.HSAPI_DATA_DIR, 'keys.json')))
  },
)

tap.test('a lost message delays a key by a second, but the key is not lost', options(), async t => {
  const redis = await startRedis(t)
  await redis.cli('ACL', 'SETUSER', 'deaf', 'on', '>pass', '~*', 'resetchannels', '+@all')
  const { create } = await openKeys(t, redis)
  await create()
  const env = machine(t, redis)
  const [server, deaf] = await Promise.all([
    startServe(t, env),
    startServe(t, machine(t, { url: redis.url.replace('//', '//deaf:pass@') })),
  ])
  const listeners = async () => Number((await redis.cli('PUBSUB', 'NUMSUB', 'hsapi:{keys}')).split('\n')[1])
  await until('one server listens', async () => (await listeners()) === 1)
  for (let times = 0; times < 2; times++) {
    await redis.cli('CLIENT', 'KILL', 'TYPE', 'pubsub')
    const { key } = await create()
    await Promise.all([sees(server, key, 200), sees(deaf, key, 200)])
    await until('the server listens again', async () => (await listeners()) === 1)
  }
})

tap.test(
  'without Redis keys stay valid, also after a restart; a server that never had keys answers 503 until Redis is back',
  options(),
  async t => {
    const redis = await startRedis(t, DURABLE)
    const env = machine(t, redis)
    const { create, rotate, revoke, all } = await openKeys(t, redis)
    const { id, key } = await create()
    const server = await startServe(t, env)
    await sees(server, key, 200)
    const rotated = await rotate(id)
    await sees(server, rotated.key, 200)
    // a second rotation, usually within the same second
    const again = await rotate(id)
    await sees(server, again.key, 200)
    const [record] = (await all()) as [KeyRecord]
    await until('the copy is written', isCopied(env, record.hash))
    t.equal(timesIn(readFileSync(copyOf(env), 'utf8'), id), 1, 'the copy has one line per key')
    await redis.kill()
    await sees(server, again.key, 200)
    await sees(server, key, 401)
    await server.end('SIGKILL')

    // a damaged copy is treated like a missing one
    const damaged = machine(t, redis)
    mkdirSync(damaged.HSAPI_DATA_DIR, { recursive: true })
    writeFileSync(copyOf(damaged), '{"version":1,')
    const [second, without] = await Promise.all([startServe(t, env), startServe(t, damaged)])
    t.match(second.output(), /using the local copy/)
    await sees(second, again.key, 200)
    await sees(second, rotated.key, 401)
    t.match(without.output(), /keys-of-redis\.json: this is not JSON/)
    t.match(without.output(), /requests with a key get 503 until Redis can be read/)
    const refused = await ask(without.url, LOOKUP, { 'x-api-key': again.key })
    t.equal(refused.status, 503)
    t.match(refused.body, { error: { code: 'db_unavailable' } })
    t.match(refused.headers.get('retry-after'), /^[1-9][0-9]*$/)
    t.equal((await ask(without.url, LOOKUP)).status, 503, 'a request without a key gets the same status')
    t.equal((await ask(without.url, '/api/v1/health')).status, 200)

    await redis.restart()
    await sees(without, again.key, 200)
    t.match(without.output(), /read again/)
    await revoke(id)
    for (const one of [second, without]) await sees(one, again.key, 401)
  },
)

tap.test('after a first start without Redis, requests get 503, and 401 once an empty Redis is reached', options(), async t => {
  const redis = await startRedis(t)
  const { create } = await openKeys(t, redis)
  await redis.kill()
  const env = machine(t, redis, ENGINES.includes('uws') ? { HSAPI_WORKERS: '2' } : {})
  const server = await startServe(t, env)
  const { key } = makeKey('free')
  // one after another, each on a new connection, which any thread may get
  for (let i = 0; i < 20; i++) t.equal(await statusOf(server, key), 503)
  await redis.restart()
  await sees(server, key, 401)
  t.match(server.output(), /there are no keys in Redis yet/)
  const made = await create()
  await sees(server, made.key, 200)
})

tap.test('the connection to a Redis that stops answering is replaced, and the keys are read again later', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { create } = await openKeys(t, redis)
  const { key } = await create()
  const server = await startServe(t, env)
  await sees(server, key, 200)
  redis.child.kill('SIGSTOP')
  const [list] = await Promise.all([
    run(['keys', 'list'], env),
    until('the server notices this', () => server.output().includes('the keys in Redis cannot be read')),
  ])
  t.equal(list.code, 2, 'the command gives up while Redis does not answer')
  t.match(list.stderr, /^hsapi: HSAPI_REDIS_URL: .*\n$/)
  await sees(server, key, 200)
  redis.child.kill('SIGCONT')
  await until('the keys are read again', () => server.output().includes('the keys in Redis can be read again'))
  const made = await create()
  await sees(server, made.key, 200)
})

tap.test('a Redis that lost its keys gets them back from its servers, and no key is refused', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { create, revoke, all } = await openKeys(t, redis)
  const { id, key } = await create()
  const gone = await create()
  await revoke(gone.id)
  const server = await startServe(t, env)
  await sees(server, key, 200)
  await redis.cli('FLUSHALL')
  await until('the loss is logged', () => server.output().includes('keys were missing or older in Redis'))
  await sees(server, key, 200)
  await until('both keys are back', async () => (await all()).length === 2)
  await sees(server, gone.key, 401)

  // Redis is emptied and gets other keys before the server notices
  await redis.cli('FLUSHALL')
  const rest = [await create(), await create(), await create()]
  const other = await startServe(t, machine(t, redis))
  for (const one of [server, other]) for (const made of [{ key }, ...rest]) await sees(one, made.key, 200)

  // a server that starts with an empty Redis restores the keys from its copy
  await server.end('SIGTERM')
  await other.end('SIGTERM')
  await redis.cli('FLUSHALL')
  const next = await startServe(t, env)
  t.notMatch(next.output(), /Created a Free key/)
  await sees(next, key, 200)
  await revoke(id)
  await sees(next, key, 401)
  t.equal(timesIn(next.output(), 'keys were missing or older in Redis'), 1)
})

tap.test('a Redis that lost the latest changes gets them back', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { create, revoke, all } = await openKeys(t, redis)
  const { id, key } = await create()
  const server = await startServe(t, env)
  await sees(server, key, 200)
  const before = await Promise.all(
    (await redis.cli('--scan', '--pattern', '*{keys}*'))
      .split('\n')
      .map(async name => [name, await redis.cli('COPY', name, `old-${name}`)]),
  )
  await revoke(id)
  const made = await create()
  await sees(server, made.key, 200)
  await sees(server, key, 401)
  // like a replica that takes over before the last changes reached it
  await redis.cli(
    'EVAL',
    "for _, n in ipairs(KEYS) do redis.call('RENAME', 'old-' .. n, n) end",
    ...[String(before.length), ...before.map(([name = '']) => name)],
  )
  await until('the revocation is restored', async () => (await all()).some(({ revoked_at }) => revoked_at !== null))
  await sees(server, made.key, 200)
  await sees(server, key, 401)
})

tap.test('concurrent changes do not overwrite each other', options(), async t => {
  const redis = await startRedis(t)
  const [one, two] = [await openKeys(t, redis), await openKeys(t, redis)]
  const firsts = await Promise.all(
    [one, two].map(({ store }) =>
      store.createFirst({ tier: 'free', name: '', expiresAt: null, perMinute: null, perDay: null }, now()),
    ),
  )
  const [first] = firsts.filter(made => made !== undefined)
  t.equal(firsts.filter(made => made !== undefined).length, 1, 'only one of the two calls creates the first key')
  const id = first?.record.id ?? ''
  const rotated = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? one : two).rotate(id)))
  const made = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? one : two).create()))
  const found = await one.all()
  t.equal(found.length, 1 + made.length)
  const last = found.find(record => record.id === id)?.hash
  t.equal(rotated.filter(({ key }) => hashKey(key) === last).length, 1, 'the final secret was returned by exactly one rotation')
  await t.rejects(one.revoke('nobody'), /there is no key nobody/)
})

tap.test('"keys move" copies in both directions, repeatedly, and newer changes win', options(), async t => {
  const redis = await startRedis(t)
  const inRedis = machine(t, redis)
  const inFile: Env & { HSAPI_DATA_DIR: string } = { ...inRedis, HSAPI_KEYS: 'file' }
  const { rotate, revoke, all } = await openKeys(t, redis)
  const made = [makeKey('pro'), makeKey('pro'), makeKey('pro')]
  const file = new KeyFile(inFile.HSAPI_DATA_DIR)
  await file.put(made.map(({ record }) => record))
  const [kept, revoked, rotated] = made.map(({ key, record }) => ({ key, id: record.id })) as [Made, Made, Made]
  t.match((await run(['keys', 'move', '--to', 'redis'], inFile)).stdout, /^3 keys copied, 3 of them new/)
  t.strictSame(await keys(inFile, 'move', '--to', 'redis'), { to: 'redis', keys: 3, changed: 0 })
  t.strictSame(sorted(await all()), sorted((await file.read()) ?? []))

  await revoke(revoked.id)
  const later = await rotate(rotated.id)
  t.strictSame(await keys(inFile, 'move', '--to', 'redis'), { to: 'redis', keys: 3, changed: 0 })
  t.strictSame(await keys(inRedis, 'move', '--to', 'file'), { to: 'file', keys: 3, changed: 2 })
  const last = await rotate(rotated.id)
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

/** Starts a command and kills it when the condition is true. */
async function killedWhen(args: string[], env: Env, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } })
  let isOver = false
  const ended = new Promise<void>(resolve =>
    child.on('close', () => {
      isOver = true
      resolve()
    }),
  )
  while (!isOver && !(await isSo())) await new Promise(done => setTimeout(done, 1))
  child.kill('SIGKILL')
  await ended
}

tap.test('a move that was killed midway is completed by the next move', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const records = Array.from({ length: MANY }, () => makeKey('free').record)
  await new KeyFile(env.HSAPI_DATA_DIR).put(records)
  const { store } = await openKeys(t, redis)
  await killedWhen(['keys', 'move', '--to', 'redis'], env, async () => (await store.count()) > 0)
  t.comment(`${await store.count()} of ${MANY} were there`)
  t.match(await keys(env, 'move', '--to', 'redis'), { keys: MANY })
  const found = (await store.read()) ?? []
  t.strictSame(sorted(found), sorted(records))

  const back = machine(t, redis)
  const file = join(back.HSAPI_DATA_DIR, 'keys.json')
  await killedWhen(['keys', 'move', '--to', 'file'], back, () => existsSync(`${file}.lock`))
  t.match(await keys(back, 'move', '--to', 'file'), { keys: MANY })
  t.strictSame(sorted((await new KeyFile(back.HSAPI_DATA_DIR).read()) ?? []), sorted(records))
})

tap.test('usage errors are one line without a password, and exit code 2', options(), async t => {
  const redis = await startRedis(t, ['--requirepass', 'right-one'])
  const file = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const at = (url: string) => ({ ...file, HSAPI_REDIS_URL: url, HSAPI_KEYS: 'redis' })
  const away = at('redis://:hush-hush@127.0.0.1:1/0')
  await Promise.all(
    (
      [
        [['keys', 'move'], at(redis.url), /--to is missing: redis or file/],
        [['keys', 'move', '--to', 'disk'], at(redis.url), /--to is "disk"; it must be redis or file/],
        [['keys', 'move', '--to', 'redis'], file, /HSAPI_REDIS_URL is not set/],
        [['serve'], { ...file, HSAPI_KEYS: 'redis' }, /HSAPI_KEYS is "redis", but HSAPI_REDIS_URL/],
        [['keys', 'list'], at('https://:hush-hush@x'), /HSAPI_REDIS_URL must be an address such as/],
        [['keys', 'list'], { ...file, HSAPI_KEYS: 'disk' }, /HSAPI_KEYS is "disk"/],
        [['keys', 'create', '--tier', 'free'], away, /HSAPI_REDIS_URL: cannot reach the server/],
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

tap.test('keys in the file can be changed while Redis is unreachable', { buffered: true }, async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t), HSAPI_REDIS_URL: 'redis://127.0.0.1:1' }
  const { id } = await keys(env, 'create', '--tier', 'free')
  await keys(env, 'revoke', id)
  t.match(await keys(env, 'show', id), { status: 'revoked', used_today: null })
})

tap.test('an invalid record is reported, and its key stays valid', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { create } = await openKeys(t, redis)
  const { id, key } = await create()
  const server = await startServe(t, env)
  await sees(server, key, 200)
  await redis.cli('HSET', 'hsapi:{keys}:records', id, '{"id":7}')
  const { code, stderr } = await run(['keys', 'list'], env)
  t.equal(code, 2)
  t.match(stderr, /holds a value that is not an hsapi key\n$/)
  await redis.cli('DEL', 'hsapi:{keys}:records')
  await redis.cli('SET', 'hsapi:{keys}:records', 'x')
  t.match((await run(['keys', 'list'], env)).stderr, /^hsapi: HSAPI_REDIS_URL: WRONGTYPE.*\n$/)
  await sees(server, key, 200)
})

tap.test('a copy that cannot be written is reported once, and keys stay valid', options(), async t => {
  const redis = await startRedis(t)
  const env = machine(t, redis)
  const { create } = await openKeys(t, redis)
  const { key } = await create()
  mkdirSync(env.HSAPI_DATA_DIR, { recursive: true })
  mkdirSync(copyOf(env))
  writeFileSync(join(copyOf(env), 'x'), '')
  const server = await startServe(t, env)
  await until('the failure is logged', () => server.output().includes('local copy of the keys in Redis cannot be written'))
  const made = await create()
  for (const one of [key, made.key]) await sees(server, one, 200)
  await server.end('SIGTERM')
  t.equal(timesIn(server.output(), 'local copy of the keys in Redis cannot be written'), 1)
  t.notMatch(server.output(), /cannot be read/)
})
