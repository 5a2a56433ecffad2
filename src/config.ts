/** The environment, read once and believed only after checking. */
import { readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'
import { createSecureContext } from 'node:tls'
import { parsePlan, planText } from './chaos/expression.js'
import { defaultDataDir } from './data-home.js'
import { OperatorError } from './errors.js'
import { isLoopbackAddress } from './loopback.js'

/** Networks by the words for them. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const SWITCH = ['0', '1'] as const
const MEGABYTE = 1024 * 1024
const ENGINES = ['auto', 'uws', 'node'] as const
const LOG_FORMS = ['text', 'json', 'off'] as const
const KEY_STORES = ['file', 'redis'] as const
const EXPLORER_MODES = ['open', 'key', 'off'] as const
const PREFIX_DEFAULT = 'hsapi:'
const REDIS_WAIT_MS_DEFAULT = 250
/** A connection that is silent for longer is replaced. */
const REDIS_WAIT_MS_MAX = 2_000

export interface Config {
  host: string
  port: number
  dataDir: string
  /** As it was named; `snapshotInUse` tells which one it is otherwise. */
  snapshot: string | undefined
  /** Threads that answer, the first included. */
  workers: number
  /** `auto` is the faster one that loads here. */
  engine: (typeof ENGINES)[number]
  /** Where proxies in front of the server are: addresses, and how many of their first bits count. */
  trustedProxies: { address: string; bits: number }[]
  /** Whether the snapshot is loaded anew when another one takes its place. */
  watch: boolean
  /** Whether port and data directory are shared with another server. */
  sharePort: boolean
  /** How long a stopping server waits for connections that are idle. */
  drainMs: number
  /** Of answers that clients do not read, over all of them. */
  unreadBytesMax: number
  /** Where several replicas share quotas, and keys if `keys` says so. */
  redis: { url: string; prefix: string; waitMs: number } | undefined
  /** Where those who run the server are answered; undefined: nowhere. */
  admin: { host: string; port: number; token: string | undefined } | undefined
  /** Files of a certificate and its key, where HTTPS is answered directly. */
  tls: { cert: string; key: string } | undefined
  /** A Unix socket to listen on, and whether it is the only place. */
  socket: { path: string; isAlone: boolean } | undefined
  /** Whether the limits are told in the IETF draft's fields, too. */
  rateLimitFields: boolean
  /** Origins whose pages may read answers, `*` for all. */
  corsOrigins: string[]
  /** Where each answer is told; `file` undefined is standard output. */
  accessLog: { file: string | undefined } | undefined
  /** The pages for people: without a key, with the visitor's, or none. */
  explorer: (typeof EXPLORER_MODES)[number]
  /** How the server's own lines are written. */
  log: (typeof LOG_FORMS)[number]
  /** Whether a first start makes a key and shows it. */
  firstKey: boolean
  /** Where keys live. */
  keys: (typeof KEY_STORES)[number]
  /** What goes wrong on demand; undefined: nothing, nor can it be asked for while the server runs. */
  chaos: string | undefined
}

type Environment = Record<string, string | undefined>

function text(env: Environment, name: string, fallback: string): string {
  const value = env[name]
  if (value === undefined) return fallback
  if (value.trim() === '') throw new OperatorError(`${name} is set but empty; unset it to use ${fallback}`)
  return value
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = env[name]
  if (value === undefined) return fallback
  if (!/^[0-9]{1,9}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new OperatorError(`${name} is "${value}"; it must be a whole number from ${min} to ${max}`)
  }
  return Number(value)
}

function choice<Name extends string>(
  env: Environment,
  name: string,
  choices: readonly Name[],
  fallback: Name,
): Name {
  const value = env[name] ?? fallback
  if (!(choices as readonly string[]).includes(value))
    throw new OperatorError(`${name} is "${value}"; it must be one of ${choices.join(', ')}`)
  return value as Name
}

function network(entry: string): { address: string; bits: number } {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/([0-9]{1,3}))?$/i.exec(entry) ?? []
  // callers are known by their IPv4 addresses, also where IPv6 wraps them
  const isWrapped = isIPv6(address) && address.includes('.')
  const most = isIPv4(address) ? 32 : isIPv6(address) && !isWrapped ? 128 : -1
  if (Number(bits ?? 0) > most)
    throw new OperatorError(
      `HSAPI_TRUST_PROXY has "${entry}"; it must list IPv4 or IPv6 addresses or networks such as 10.0.0.0/8, or the words loopback and private`,
    )
  return { address, bits: Number(bits ?? most) }
}

function networks(value: string | undefined): { address: string; bits: number }[] {
  if (value === undefined) return []
  const entries = value.split(',').map(entry => entry.trim())
  return entries
    .flatMap(entry => (Object.hasOwn(NETWORKS, entry) ? NETWORKS[entry] : [entry]) ?? [])
    .map(network)
}

/** The address may hold a password, so that no message shows it. */
function redis(env: Environment): Config['redis'] {
  const url = env.HSAPI_REDIS_URL
  const prefix = text(env, 'HSAPI_REDIS_PREFIX', PREFIX_DEFAULT)
  const waitMs = integer(env, 'HSAPI_REDIS_WAIT_MS', REDIS_WAIT_MS_DEFAULT, 10, REDIS_WAIT_MS_MAX)
  if (url === undefined) return undefined
  const isSound = URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)
  if (!isSound || !/^\/?[0-9]{0,5}$/.test(new URL(url).pathname))
    throw new OperatorError(
      'HSAPI_REDIS_URL must be an address such as redis://:password@127.0.0.1:6379/0, or rediss:// for TLS',
    )
  return { url, prefix, waitMs }
}

function admin(env: Environment): Config['admin'] {
  const host = text(env, 'HSAPI_ADMIN_HOST', '127.0.0.1')
  const token = env.HSAPI_ADMIN_TOKEN
  if (token !== undefined && token.trim() === '')
    throw new OperatorError('HSAPI_ADMIN_TOKEN is set but empty; unset it, or give it a secret')
  if (env.HSAPI_ADMIN_PORT === undefined) return undefined
  return { host, port: integer(env, 'HSAPI_ADMIN_PORT', 0, 0, 65_535), token }
}

/** Checked here, since an engine that cannot use them says nothing of why. */
function tls(env: Environment): Config['tls'] {
  const { HSAPI_TLS_CERT: cert, HSAPI_TLS_KEY: key } = env
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new OperatorError(
      `${cert === undefined ? 'HSAPI_TLS_CERT' : 'HSAPI_TLS_KEY'} is missing: HTTPS needs both`,
    )
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new OperatorError(`${name}: ${(error as Error).message}`)
    }
  }
  const files = { cert: read('HSAPI_TLS_CERT', cert), key: read('HSAPI_TLS_KEY', key) }
  try {
    createSecureContext(files)
  } catch (error) {
    throw new OperatorError(`HSAPI_TLS_CERT and HSAPI_TLS_KEY cannot be used: ${(error as Error).message}`)
  }
  return { cert, key }
}

function snapshot(env: Environment): string | undefined {
  if (env.HSAPI_SNAPSHOT === undefined) return undefined
  return text(env, 'HSAPI_SNAPSHOT', 'the one in the data directory or the shipped one')
}

/** The kernel takes no longer name. */
const SOCKET_BYTES_MAX = 107

function socket(env: Environment): Config['socket'] {
  const path = env.HSAPI_SOCKET
  if (path === undefined) return undefined
  if (path.trim() === '' || Buffer.byteLength(path) > SOCKET_BYTES_MAX)
    throw new OperatorError(`HSAPI_SOCKET must be a path of 1 to ${SOCKET_BYTES_MAX} bytes`)
  return { path, isAlone: env.HSAPI_PORT === undefined }
}

function corsOrigins(value: string | undefined): string[] {
  if (value === undefined) return []
  return value.split(',').map(entry => {
    const origin = entry.trim()
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
      throw new OperatorError(
        `HSAPI_CORS_ORIGINS has "${origin}"; it must be * or a list of origins such as https://www.example.com`,
      )
    return origin
  })
}

function accessLog(env: Environment): Config['accessLog'] {
  const form = choice(env, 'HSAPI_ACCESS_LOG', ['off', 'json'], 'off')
  const file = env.HSAPI_ACCESS_LOG_FILE
  if (file !== undefined && file.trim() === '')
    throw new OperatorError('HSAPI_ACCESS_LOG_FILE is set but empty; unset it to use standard output')
  return form === 'off' ? undefined : { file }
}

/** Without a key only where nobody but this machine can ask, and where nothing points to a proxy that asks for others. */
function explorer(
  env: Environment,
  { host, trustedProxies, socket }: Omit<Config, 'explorer'>,
): Config['explorer'] {
  const isLocal = isLoopbackAddress(host) && !socket?.isAlone
  const chosen = choice(
    env,
    'HSAPI_EXPLORER',
    EXPLORER_MODES,
    isLocal && trustedProxies.length === 0 ? 'open' : 'key',
  )
  if (chosen === 'open' && !isLocal)
    throw new OperatorError(
      `HSAPI_EXPLORER is "open", but ${socket?.isAlone ? 'HSAPI_SOCKET' : `HSAPI_HOST (${host})`} is not of this machine alone, and anyone could use it without a key; set it to key or off`,
    )
  return chosen
}

function chaos(expression: string | undefined): string | undefined {
  if (expression === undefined) return undefined
  try {
    return planText(parsePlan(expression))
  } catch (error) {
    throw new OperatorError(`HSAPI_CHAOS: ${(error as Error).message}`)
  }
}

const KNOWN = [
  'HSAPI_HOST',
  'HSAPI_PORT',
  'HSAPI_DATA_DIR',
  'HSAPI_SNAPSHOT',
  'HSAPI_WORKERS',
  'HSAPI_ENGINE',
  'HSAPI_TRUST_PROXY',
  'HSAPI_WATCH',
  'HSAPI_SHARE_PORT',
  'HSAPI_DRAIN_SECONDS',
  'HSAPI_UNREAD_MB',
  'HSAPI_REDIS_URL',
  'HSAPI_REDIS_PREFIX',
  'HSAPI_REDIS_WAIT_MS',
  'HSAPI_KEYS',
  'HSAPI_FIRST_KEY',
  'HSAPI_ADMIN_PORT',
  'HSAPI_ADMIN_HOST',
  'HSAPI_ADMIN_TOKEN',
  'HSAPI_LOG',
  'HSAPI_ACCESS_LOG',
  'HSAPI_ACCESS_LOG_FILE',
  'HSAPI_CORS_ORIGINS',
  'HSAPI_TLS_CERT',
  'HSAPI_TLS_KEY',
  'HSAPI_SOCKET',
  'HSAPI_RATELIMIT_FIELDS',
  'HSAPI_EXPLORER',
  'HSAPI_CHAOS',
]

/** Variables that look like ours and are not: mistyped, or of another version. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env).filter(name => name.startsWith('HSAPI_') && !KNOWN.includes(name))
}

export function readConfig(env: Environment): Config {
  const settings: Omit<Config, 'explorer'> = {
    host: text(env, 'HSAPI_HOST', '127.0.0.1'),
    port: integer(env, 'HSAPI_PORT', 8080, 0, 65_535),
    dataDir: text(env, 'HSAPI_DATA_DIR', defaultDataDir(env)),
    snapshot: snapshot(env),
    workers: integer(env, 'HSAPI_WORKERS', 1, 1, 64),
    engine: choice(env, 'HSAPI_ENGINE', ENGINES, 'auto'),
    trustedProxies: networks(env.HSAPI_TRUST_PROXY),
    watch: choice(env, 'HSAPI_WATCH', SWITCH, '0') === '1',
    sharePort: choice(env, 'HSAPI_SHARE_PORT', SWITCH, '0') === '1',
    drainMs: 1000 * integer(env, 'HSAPI_DRAIN_SECONDS', 2, 0, 3600),
    unreadBytesMax: MEGABYTE * integer(env, 'HSAPI_UNREAD_MB', 64, 1, 65_536),
    redis: redis(env),
    admin: admin(env),
    rateLimitFields: choice(env, 'HSAPI_RATELIMIT_FIELDS', SWITCH, '0') === '1',
    tls: tls(env),
    socket: socket(env),
    corsOrigins: corsOrigins(env.HSAPI_CORS_ORIGINS),
    accessLog: accessLog(env),
    log: choice(env, 'HSAPI_LOG', LOG_FORMS, 'text'),
    keys: choice(env, 'HSAPI_KEYS', KEY_STORES, 'file'),
    firstKey: choice(env, 'HSAPI_FIRST_KEY', ['on', 'off'], 'on') === 'on',
    chaos: chaos(env.HSAPI_CHAOS),
  }
  const config = { ...settings, explorer: explorer(env, settings) }
  if (config.keys === 'redis' && config.redis === undefined)
    throw new OperatorError('HSAPI_KEYS is "redis", but HSAPI_REDIS_URL does not say where that is')
  if (config.socket?.isAlone && config.workers > 1)
    throw new OperatorError(
      'HSAPI_SOCKET is served by one thread: set HSAPI_PORT as well, or HSAPI_WORKERS to 1',
    )
  return config
}
