/** The accepted values and the default of each kind of setting. */
import t from 'tap'
import { readConfig } from '../../src/settings/config.js'
import { readSettings, type Settings, TABLE } from '../../src/settings/table.js'

const MEGABYTE = 1024 * 1024

interface Range {
  least: number
  most: number
  /** The factor between the text and the value: seconds become milliseconds, megabytes become bytes. */
  unit: number
  /** The default. */
  usual: number | undefined
}

const NUMBERS: Readonly<Record<string, Range>> = {
  port: { least: 0, most: 65_535, unit: 1, usual: 8080 },
  adminPort: { least: 0, most: 65_535, unit: 1, usual: undefined },
  workers: { least: 1, most: 64, unit: 1, usual: 1 },
  drainMs: { least: 0, most: 3_600, unit: 1_000, usual: 2_000 },
  finishMs: { least: 0, most: 3_600, unit: 1_000, usual: 15_000 },
  unreadBytesMax: { least: 1, most: 65_536, unit: MEGABYTE, usual: 64 * MEGABYTE },
  redisWaitMs: { least: 10, most: 2_000, unit: 1, usual: 250 },
}

const WORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  engine: { auto: 'auto', uws: 'uws', node: 'node' },
  watch: { 0: false, 1: true },
  sharePort: { 0: false, 1: true },
  keys: { file: 'file', redis: 'redis' },
  firstKey: { on: true, off: false },
  rateLimitFields: { 0: false, 1: true },
  compress: { on: true, off: false },
  mcp: { off: false, on: true },
  log: { text: 'text', json: 'json', off: 'off' },
  accessLogFormat: { off: 'off', json: 'json' },
  accessLogAddress: { off: false, on: true },
  requestIds: { off: false, on: true },
  searches: { off: false, on: true },
}
/** The default of each setting. */
const USUAL: Readonly<Record<string, unknown>> = {
  engine: 'auto',
  watch: false,
  sharePort: false,
  keys: 'file',
  firstKey: true,
  rateLimitFields: false,
  compress: true,
  mcp: false,
  log: 'text',
  accessLogFormat: 'off',
  accessLogAddress: false,
  requestIds: false,
  searches: false,
}

const nameOf = (field: string) => TABLE[field as keyof Settings].name
const read = (field: string, value?: string) =>
  readSettings(value === undefined ? {} : { [nameOf(field)]: value })[field as keyof Settings]

t.test('a number setting accepts its limits, and refuses numbers beyond them and all other text', async t => {
  for (const [field, { least, most, unit, usual }] of Object.entries(NUMBERS)) {
    const name = nameOf(field)
    t.equal(read(field), usual, `${name} is not set`)
    for (const value of [least, most]) t.equal(read(field, String(value)), value * unit, `${name}=${value}`)
    const refusal = { message: new RegExp(`^${name} is ".*"; it must be a whole number from ${least} to ${most}$`) }
    for (const value of [least - 1, most + 1, '', ' ', '+12', '12.0', '12 ', '1e1', '0x12', 'twelve', '0000000012'])
      t.throws(() => read(field, String(value)), refusal, `${name}=${value}`)
  }
})

t.test('a setting that is one of several words accepts these, exactly as they are written', async t => {
  for (const [field, words] of Object.entries(WORDS)) {
    const name = nameOf(field)
    t.equal(read(field), USUAL[field], `${name} is not set`)
    for (const [word, value] of Object.entries(words)) {
      t.equal(read(field, word), value, `${name}=${word}`)
      for (const other of [` ${word}`, word.toUpperCase(), '', 'yes', 'true', '2'])
        if (!(other in words)) t.throws(() => read(field, other), { message: new RegExp(`^${name} is ".*"; it must be one of `) })
    }
  }
})

t.test('settings that do not work together are refused with their names', async t => {
  const admin = { HSAPI_ADMIN_PORT: '0' }
  const redis = { HSAPI_REDIS_URL: 'redis://127.0.0.1' }
  for (const [env, message] of [
    [{ HSAPI_KEYS: 'redis' }, /^HSAPI_KEYS is "redis", but HSAPI_REDIS_URL is not set$/],
    [{ HSAPI_SEARCHES: 'on' }, /^HSAPI_SEARCHES is on, .* set HSAPI_ADMIN_PORT as well$/],
    [{ HSAPI_SOCKET: '/tmp/s', HSAPI_WORKERS: '2' }, /^HSAPI_SOCKET is served by one thread/],
    [{ HSAPI_TLS_CERT: 'cert.pem' }, /^HSAPI_TLS_KEY is missing: HTTPS needs both$/],
    [{ HSAPI_TLS_KEY: 'key.pem' }, /^HSAPI_TLS_CERT is missing: HTTPS needs both$/],
    [{ HSAPI_EXPLORER: 'open', HSAPI_HOST: '0.0.0.0' }, /^HSAPI_EXPLORER is "open", but HSAPI_HOST \(0\.0\.0\.0\) is reachable/],
    [{ HSAPI_EXPLORER: 'open', HSAPI_SOCKET: '/tmp/s' }, /^HSAPI_EXPLORER is "open", but HSAPI_SOCKET is reachable/],
  ] as const)
    t.throws(() => readConfig(env), { message }, JSON.stringify(env))
  t.equal(readConfig({ HSAPI_KEYS: 'redis', ...redis }).keys, 'redis')
  t.strictSame(readConfig(redis).redis, { url: redis.HSAPI_REDIS_URL, prefix: 'hsapi:', waitMs: 250 })
  t.equal(readConfig({ HSAPI_SEARCHES: 'on', ...admin }).searches, true)
  t.strictSame(readConfig({ ...admin, HSAPI_ADMIN_TOKEN: 'secret' }).admin, { host: '127.0.0.1', port: 0, token: 'secret' })
  t.equal(readConfig({ HSAPI_ADMIN_TOKEN: 'secret' }).admin, undefined, 'without its port there is no admin port')
  const alone = readConfig({ HSAPI_SOCKET: '/tmp/s', HSAPI_WORKERS: '1', HSAPI_SOCKET_MODE: '660' })
  t.strictSame(alone.socket, { path: '/tmp/s', isAlone: true, mode: 0o660 })
  t.equal(alone.explorer, 'key', 'other machines may reach a socket through a proxy')
  const both = readConfig({ HSAPI_SOCKET: '/tmp/s', HSAPI_PORT: '80', HSAPI_WORKERS: '2' })
  t.strictSame([both.socket?.isAlone, both.explorer], [false, 'open'])
  t.equal(readConfig({ HSAPI_TRUST_PROXY: 'loopback' }).explorer, 'key')
  t.equal(readConfig({ HSAPI_HOST: '0.0.0.0' }).explorer, 'key')
  t.equal(readConfig({}).accessLog, undefined)
  t.strictSame(readConfig({ HSAPI_ACCESS_LOG: 'json' }).accessLog, { file: undefined, hasAddress: false })
})

t.test('a setting that is set but empty is refused, because a value was probably forgotten', async t => {
  for (const name of [
    'HSAPI_HOST',
    'HSAPI_DATA_DIR',
    'HSAPI_SNAPSHOT',
    'HSAPI_REDIS_PREFIX',
    'HSAPI_ACCESS_LOG_FILE',
    'HSAPI_ADMIN_HOST',
  ])
    for (const value of ['', ' '])
      t.throws(() => readSettings({ [name]: value }), { message: new RegExp(`^${name} is set but empty`) }, name)
  t.throws(() => readSettings({ HSAPI_ADMIN_TOKEN: ' ' }), { message: /^HSAPI_ADMIN_TOKEN is set but empty/ })
})

t.test('addresses, paths, networks and modes are read strictly', async t => {
  for (const [env, message] of [
    [{ HSAPI_SOCKET: `/${'é'.repeat(54)}` }, /^HSAPI_SOCKET must be a path of 1 to 107 bytes/],
    [{ HSAPI_SOCKET_MODE: '6600' }, /^HSAPI_SOCKET_MODE is "6600"; it must be three octal digits/],
    [{ HSAPI_SOCKET_MODE: '0668' }, /^HSAPI_SOCKET_MODE is "0668"/],
    [{ HSAPI_PUBLIC_URL: 'https://hs.example.com/hs' }, /^HSAPI_PUBLIC_URL is .* an address without a path/],
    [{ HSAPI_PUBLIC_URL: 'https://hs.example.com/?a' }, /^HSAPI_PUBLIC_URL is/],
    [{ HSAPI_PUBLIC_URL: 'ftp://hs.example.com' }, /^HSAPI_PUBLIC_URL is/],
    [
      { HSAPI_CORS_ORIGINS: 'https://a.example/' },
      /^HSAPI_CORS_ORIGINS has "https:\/\/a\.example\/"; it must be \* or a list of origins/,
    ],
    [{ HSAPI_CORS_ORIGINS: 'https://a.example,b.example' }, /^HSAPI_CORS_ORIGINS has "b\.example"/],
    [{ HSAPI_TRUST_PROXY: '::ffff:10.0.0.1' }, /^HSAPI_TRUST_PROXY has "::ffff:10\.0\.0\.1"/],
    [{ HSAPI_TRUST_PROXY: '10.0.0.0/33' }, /^HSAPI_TRUST_PROXY has "10\.0\.0\.0\/33"/],
    [{ HSAPI_TRUST_PROXY: 'constructor' }, /^HSAPI_TRUST_PROXY has "constructor"/],
    [{ HSAPI_COUNTRY: 'XX' }, /^HSAPI_COUNTRY is "XX"/],
    [
      { HSAPI_REDIS_URL: 'redis+cluster://127.0.0.1', HSAPI_REDIS_PREFIX: 'a{}' },
      /^HSAPI_REDIS_PREFIX contains \{\}: in a cluster/,
    ],
  ] as const)
    t.throws(() => readConfig(env), { message }, JSON.stringify(env))
  t.equal(readConfig({ HSAPI_COUNTRY: 'sa' }).country, 'SA')
  t.equal(readConfig({ HSAPI_SOCKET: `/${'é'.repeat(53)}` }).socket?.path.length, 54)
  t.equal(readConfig({ HSAPI_PUBLIC_URL: 'https://hs.example.com/' }).publicUrl, 'https://hs.example.com')
  t.strictSame(readConfig({ HSAPI_TRUST_PROXY: 'fc00::/7,10.0.0.0/32' }).trustedProxies, [
    { address: 'fc00::', bits: 7 },
    { address: '10.0.0.0', bits: 32 },
  ])
  t.equal(readConfig({ HSAPI_ACCESS_LOG: 'json' }).accessLog?.hasAddress, false)
})
