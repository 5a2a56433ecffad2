/** Every setting of the server. Types, checks, `--help`, docs/settings.md and the list of known names come from this table. */
import { defaultDataDir } from '../data-home.js'
import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { adminToken, chaosPlan, countryCode, networks, origin, publicUrl, redisUrl, socketMode, socketPath } from './readers.js'
import {
  all,
  choice,
  type Environment,
  first,
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
  host: all('HSAPI_HOST', 'address to listen on', text('127.0.0.1')),
  port: first('HSAPI_PORT', 'port to listen on; 0 chooses a free one', number(8080, PORTS)),
  dataDir: first('HSAPI_DATA_DIR', 'directory of keys, counts and locks',
    text(env => defaultDataDir(env), 'data in a checkout, else ~/.local/state/hsapi')),
  snapshot: first('HSAPI_SNAPSHOT', 'the compiled dataset',
    optional(notBlank('the one in the data directory or the shipped one'),
      'hs.snapshot in HSAPI_DATA_DIR if there is one, else the shipped one')),
  decisions: first('HSAPI_DECISIONS', "a company's own decisions on codes (CSV), read with the snapshot: at start and at a reload", optional(file => file)),
  country: all('HSAPI_COUNTRY',
    `country whose rates are used if a request names none: ${COUNTRY_CODES.join(', ')}`,
    optional(countryCode, 'the common tariff')),
  workers: first('HSAPI_WORKERS',
    'threads that answer requests; they share the port, the dataset and the counters; more than one needs uWebSockets.js',
    number(1, [1, 64])),
  engine: first('HSAPI_ENGINE', 'HTTP engine: auto uses uWebSockets.js if it loads, else node:http; uws and node use only that one',
    choice('auto', 'uws', 'node')),
  watch: first('HSAPI_WATCH', '1: load snapshot and decisions again when one of the files changes', flag(OFF_BY_DEFAULT, '1')),
  sharePort: first('HSAPI_SHARE_PORT',
    '1: share port and data directory with another server that also has this set, to take over from it; needs uWebSockets.js',
    flag(OFF_BY_DEFAULT, '1')),
  drainMs: all('HSAPI_DRAIN_SECONDS', 'how long a stopping server waits for idle connections, in seconds',
    number(2, [0, 3600], 1000)),
  finishMs: all('HSAPI_FINISH_SECONDS',
    'how long a stopping server waits for unfinished requests, in seconds; then it cuts them off and exits with 1',
    number(15, [0, 3600], 1000)),
  unreadBytesMax: all('HSAPI_UNREAD_MB',
    'megabytes buffered for slow clients, on all connections together; beyond that, the slowest connections are closed',
    number(64, [1, 65_536], MEGABYTE)),
  redisUrl: all('HSAPI_REDIS_URL',
    'Redis or Valkey through which several servers share quotas: redis://user:password@host:6379/0, ' +
    'redis+sentinel://user:password@host1,host2,host3/mymaster or redis+cluster://user:password@host1,host2,host3; rediss for TLS',
    optional(redisUrl)),
  redisPrefix: all('HSAPI_REDIS_PREFIX', 'prefix of every name in Redis; services with different prefixes do not see each other',
    text('hsapi:')),
  // at most two seconds, because after that the connection is replaced
  redisWaitMs: all('HSAPI_REDIS_WAIT_MS', 'how long a request waits for Redis, in milliseconds; after that, its server decides by local quotas',
    number(250, [10, 2_000])),
  keys: first('HSAPI_KEYS', 'where keys are stored: file means in HSAPI_DATA_DIR, redis in the Redis at HSAPI_REDIS_URL', choice('file', 'redis')),
  firstKey: first('HSAPI_FIRST_KEY',
    'off: create no key at the first start; with HSAPI_LOG=json none is created either, so that no key is written to a log',
    flag(['on', 'off'], 'on')),
  tlsCert: all('HSAPI_TLS_CERT', 'certificate file (PEM): HTTPS instead of HTTP, with HSAPI_TLS_KEY; read at start and at a reload',
    optional(file => file)),
  tlsKey: all('HSAPI_TLS_KEY', 'private key file of the certificate; read at start and at a reload', optional(file => file)),
  socketPath: first('HSAPI_SOCKET',
    'Unix socket to listen on, in place of the port unless HSAPI_PORT is set too; only one thread answers on it',
    optional(socketPath)),
  socketMode: first('HSAPI_SOCKET_MODE', 'access rights of HSAPI_SOCKET, octal such as 660; clients need write access',
    optional(socketMode, '700 on uWebSockets.js, by the umask on node:http')),
  rateLimitFields: all('HSAPI_RATELIMIT_FIELDS',
    '1: send RateLimit-Policy and RateLimit (IETF draft) in addition to the X-RateLimit headers', flag(OFF_BY_DEFAULT, '1')),
  corsOrigins: all('HSAPI_CORS_ORIGINS',
    'origins whose web pages may read answers, comma-separated, or * for all; a key in a web page is public', list(origin)),
  trustedProxies: all('HSAPI_TRUST_PROXY',
    'addresses and networks of proxies in front of the server: 192.0.2.1,10.0.0.0/8,loopback,private; the explorer then asks for a key, ' +
    'unless it is public; client addresses are read from X-Forwarded-For',
    list(networks)),
  explorerMode: first('HSAPI_EXPLORER', 'the web pages: open needs no key, key asks for one, public lets everyone use them without a key, off serves none',
    optional(oneOf(['open', 'key', 'public', 'off']), 'open on a loopback address without a proxy, else key')),
  publicUrl: first('HSAPI_PUBLIC_URL',
    'address of a public explorer, such as https://hs.example.com, for /sitemap.xml and the addresses that pages give to search engines; ' +
    "the key of the pages is then accepted only for this host, IP addresses and localhost",
    optional(publicUrl)),
  compress: all('HSAPI_COMPRESS', 'on: send lists over 1 KB with gzip to clients that accept it, after they were requested twice',
    flag(['on', 'off'], 'on')),
  mcp: all('HSAPI_MCP', 'on: serve AI agents at /mcp with the Model Context Protocol over HTTP, with the same keys and quotas',
    flag(['off', 'on'], 'on')),
  log: first('HSAPI_LOG', 'format of the server log: json writes one object with time, level and message per line, off writes nothing',
    choice('text', 'json', 'off')),
  accessLogFormat: all('HSAPI_ACCESS_LOG',
    'json: write one line per response; lines that cannot be written in time are dropped and counted', choice('off', 'json')),
  accessLogFile: all('HSAPI_ACCESS_LOG_FILE', 'file of the access log; reopened at SIGUSR2',
    optional(notBlank('standard output'), 'standard output')),
  accessLogAddress: all('HSAPI_ACCESS_LOG_ADDRESS', "on: write the client's address to the access log",
    flag(['off', 'on'], 'on')),
  requestIds: all('HSAPI_REQUEST_ID',
    "on: responses have X-Request-Id: the client's, if it has up to 64 letters, digits, dots, dashes and underscores and is not a " +
    'key, else a new one; also in the access log', flag(['off', 'on'], 'on')),
  searches: all('HSAPI_SEARCHES',
    'on: count in memory what users search for, and which texts find nothing, for /searches on the admin port and "hsapi searches"',
    flag(['off', 'on'], 'on')),
  chaos: all('HSAPI_CHAOS',
    'faults on demand, for tests: latency=20..80ms@10%,status=503@1%,reset@0.1%,slow-body=1KB/s@1%;seed=7, ' +
    'or for one path, as in "/api/v1/search: status=429@5%"; off: no faults until PUT /chaos',
    optional(chaosPlan)),
  adminPort: first('HSAPI_ADMIN_PORT', 'port for the page of keys and usage, /keys, /usage, /metrics, /live, /ready, /searches, POST /reload and /chaos; 0 chooses a free one',
    optional(integer(...PORTS))),
  adminHost: first('HSAPI_ADMIN_HOST', 'address of the admin port', text('127.0.0.1')),
  adminToken: first('HSAPI_ADMIN_TOKEN',
    'bearer token for /keys, /usage, /searches, POST /reload and PUT /chaos; required on addresses other than loopback and for host names other than localhost',
    optional(adminToken)),
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

/** HSAPI_ variables that are misspelt or belong to another version. */
export function unknownVariables(env: Environment): string[] {
  const known = new Set(FIELDS.map(([, { name }]) => name))
  return Object.keys(env).filter(name => name.startsWith('HSAPI_') && !known.has(name))
}
