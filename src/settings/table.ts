/** Every setting of the server. Types, checks, `--help`, docs/settings.md and the list of known names come from this table. */
import { defaultDataDir } from '../data-home.js'
import { adminToken, chaosPlan, networks, origin, redisUrl, socketPath } from './readers.js'
import {
  choice,
  type Environment,
  flag,
  integer,
  list,
  notBlank,
  number,
  oneOf,
  optional,
  type Setting,
  text,
} from './setting.js'

const MEGABYTE = 1024 * 1024
const PORTS = [0, 65_535] as const
const OFF_BY_DEFAULT = ['0', '1'] as const

// biome-ignore format: one setting per paragraph, name and readers first
export const TABLE = {
  host: text('HSAPI_HOST', 'all', 'address to listen on', '127.0.0.1'),
  port: number('HSAPI_PORT', 'first', 'port to listen on; 0 takes a free one', 8080, PORTS),
  dataDir: text('HSAPI_DATA_DIR', 'first', 'directory of keys, counts and locks', env => defaultDataDir(env),
    'data in a checkout, else ~/.local/state/hsapi'),
  snapshot: optional('HSAPI_SNAPSHOT', 'first', 'the compiled dataset', notBlank('the one in the data directory or the shipped one'),
    'hs.snapshot in HSAPI_DATA_DIR if there is one, else the shipped one'),
  workers: number('HSAPI_WORKERS', 'first',
    'threads that answer, on one port, with one dataset and one set of counters; more than one needs uWebSockets.js', 1, [1, 64]),
  engine: choice('HSAPI_ENGINE', 'first',
    'HTTP engine: auto takes uWebSockets.js where it loads, else node:http; uws and node insist', ['auto', 'uws', 'node']),
  watch: flag('HSAPI_WATCH', 'first', '1: load the snapshot again when its file is replaced', OFF_BY_DEFAULT, '1'),
  sharePort: flag('HSAPI_SHARE_PORT', 'first',
    '1: share port and data directory with another server that has it set, to take over from it; needs uWebSockets.js',
    OFF_BY_DEFAULT, '1'),
  drainMs: number('HSAPI_DRAIN_SECONDS', 'all', 'how long a stopping server waits for idle connections, in seconds', 2, [0, 3600],
    1000),
  unreadBytesMax: number('HSAPI_UNREAD_MB', 'all',
    'megabytes buffered for slow readers, over all connections; beyond that, the slowest are closed', 64, [1, 65_536], MEGABYTE),
  redisUrl: optional('HSAPI_REDIS_URL', 'all',
    'Redis or Valkey through which several servers share quotas: redis://user:password@host:6379/0, rediss:// for TLS', redisUrl),
  redisPrefix: text('HSAPI_REDIS_PREFIX', 'all',
    'prefix of every name in Redis; services with different prefixes do not see each other', 'hsapi:'),
  // after two seconds the connection is replaced anyway
  redisWaitMs: number('HSAPI_REDIS_WAIT_MS', 'all',
    'how long a request waits for Redis before its server decides alone, in milliseconds', 250, [10, 2_000]),
  keys: choice('HSAPI_KEYS', 'first', 'where keys are stored: file is HSAPI_DATA_DIR, redis is HSAPI_REDIS_URL', ['file', 'redis']),
  firstKey: flag('HSAPI_FIRST_KEY', 'first',
    'off: create no key at a first start; with HSAPI_LOG=json none is created either, so that no key gets into a log',
    ['on', 'off'], 'on'),
  tlsCert: optional('HSAPI_TLS_CERT', 'all',
    'certificate file (PEM): HTTPS instead of HTTP, with HSAPI_TLS_KEY; read at start', file => file),
  tlsKey: optional('HSAPI_TLS_KEY', 'all', 'private key file of the certificate; read at start', file => file),
  socketPath: optional('HSAPI_SOCKET', 'first',
    'Unix socket to listen on, in place of the port unless HSAPI_PORT is set too; one thread answers there', socketPath),
  rateLimitFields: flag('HSAPI_RATELIMIT_FIELDS', 'all',
    '1: send RateLimit-Policy and RateLimit (IETF draft) beside the X-RateLimit headers', OFF_BY_DEFAULT, '1'),
  corsOrigins: list('HSAPI_CORS_ORIGINS', 'all',
    'origins whose web pages may read answers, comma-separated, or * for all; a key in a web page is public', origin),
  trustedProxies: list('HSAPI_TRUST_PROXY', 'first',
    'addresses and networks of proxies in front: 192.0.2.1,10.0.0.0/8,loopback,private; the explorer then asks for a key', networks),
  explorerMode: optional('HSAPI_EXPLORER', 'first', 'the web pages: open needs no key, key asks for one, off serves none',
    oneOf(['open', 'key', 'off']), 'open on a loopback address without a proxy, else key'),
  log: choice('HSAPI_LOG', 'first',
    'format of the server log: json writes one object with time and message per line, off writes nothing', ['text', 'json', 'off']),
  accessLogFormat: choice('HSAPI_ACCESS_LOG', 'all',
    'json: one line per answer; lines that cannot be written in time are dropped and counted', ['off', 'json']),
  accessLogFile: optional('HSAPI_ACCESS_LOG_FILE', 'all', 'file of the access log; reopened at SIGUSR2', notBlank('standard output'),
    'standard output'),
  chaos: optional('HSAPI_CHAOS', 'all',
    'faults on demand, for tests: latency=20..80ms@10%,status=503@1%,reset@0.1%,slow-body=1KB/s@1%;seed=7, ' +
    'after a path as in "/api/v1/search: status=429@5%"; off: none until PUT /chaos', chaosPlan),
  adminPort: optional('HSAPI_ADMIN_PORT', 'first',
    'port for /metrics, /live, /ready, POST /reload and /chaos; 0 takes a free one', integer(...PORTS)),
  adminHost: text('HSAPI_ADMIN_HOST', 'first', 'address of the admin port', '127.0.0.1'),
  adminToken: optional('HSAPI_ADMIN_TOKEN', 'first',
    'bearer token for POST /reload and PUT /chaos; required off the loopback address and for host names other than localhost',
    adminToken),
}

type Table = typeof TABLE

export type Settings = {
  [Field in keyof Table]: ReturnType<Table[Field]['read']> | ReturnType<Table[Field]['fallback']>
}

export type ThreadSettings = Pick<
  Settings,
  { [Field in keyof Table]: Table[Field]['threads'] extends 'all' ? Field : never }[keyof Table]
>

const FIELDS = Object.entries(TABLE) as [keyof Table, Setting<unknown>][]

export function readSettings(env: Environment): Settings {
  const values = FIELDS.map(([field, setting]) => {
    const value = env[setting.name]
    return [field, value === undefined ? setting.fallback(env) : setting.read(value, setting.name)]
  })
  return Object.fromEntries(values) as Settings
}

export function threadSettings(settings: Settings): ThreadSettings {
  const shared = FIELDS.filter(([, { threads }]) => threads === 'all')
  return Object.fromEntries(shared.map(([field]) => [field, settings[field]])) as ThreadSettings
}

/** Misspelt HSAPI_ variables, or those of another version. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set(FIELDS.map(([, { name }]) => name))
  return Object.keys(env).filter(name => name.startsWith('HSAPI_') && !known.has(name))
}
