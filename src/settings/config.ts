/** The settings grouped for the program, and checks of settings that depend on each other. */
import { OperatorError } from '../errors.js'
import { isLoopbackAddress } from '../loopback.js'
import { readCertificate } from './certificate.js'
import type { Environment } from './setting.js'
import { readSettings, type Settings, type ThreadSettings } from './table.js'

/** Settings for every thread. A group is undefined if it is turned off. */
export interface ThreadConfig extends ThreadSettings {
  redis: { url: string; prefix: string; waitMs: number } | undefined
  tls: { cert: string; key: string } | undefined
  /** If `file` is undefined, the log goes to standard output. */
  accessLog: { file: string | undefined; hasAddress: boolean } | undefined
}

export interface Config extends Settings, ThreadConfig {
  admin: { host: string; port: number; token: string | undefined } | undefined
  /** `isAlone`: the server listens on the socket only, not on a port. */
  socket: { path: string; isAlone: boolean; mode: number | undefined } | undefined
  explorer: NonNullable<Settings['explorerMode']>
}

export function readConfig(env: Environment): Config {
  const settings = readSettings(env)
  const { adminPort: port, adminHost: host, adminToken: token, socketPath: path, socketMode: mode } = settings
  const socket = path === undefined ? undefined : { path, isAlone: env.HSAPI_PORT === undefined, mode }
  checkCertificate(settings)
  const config: Config = {
    ...settings,
    ...threadConfig(settings),
    admin: port === undefined ? undefined : { host, port, token },
    socket,
    explorer: explorerMode(settings, socket?.isAlone ?? false),
  }
  if (config.keys === 'redis' && config.redis === undefined)
    throw new OperatorError('HSAPI_KEYS is "redis", but HSAPI_REDIS_URL is not set')
  if (config.redis?.url.includes('+cluster:') && config.redis.prefix.includes('{}'))
    throw new OperatorError(
      'HSAPI_REDIS_PREFIX contains {}: in a cluster, names that belong together would be on different servers',
    )
  if (config.searches && config.admin === undefined)
    throw new OperatorError(
      'HSAPI_SEARCHES is on, but its counts can only be read through the admin port: set HSAPI_ADMIN_PORT as well',
    )
  if (socket?.isAlone && config.workers > 1)
    throw new OperatorError('HSAPI_SOCKET is served by one thread: set HSAPI_PORT as well, or HSAPI_WORKERS to 1')
  return config
}

export function threadConfig<S extends ThreadSettings>(settings: S): S & ThreadConfig {
  const { redisUrl: url, redisPrefix: prefix, redisWaitMs: waitMs, tlsCert: cert, tlsKey: key } = settings
  return {
    ...settings,
    redis: url === undefined ? undefined : { url, prefix, waitMs },
    tls: cert === undefined || key === undefined ? undefined : { cert, key },
    accessLog:
      settings.accessLogFormat === 'off' ? undefined : { file: settings.accessLogFile, hasAddress: settings.accessLogAddress },
  }
}

function checkCertificate({ tlsCert, tlsKey }: Settings): void {
  if (tlsCert === undefined && tlsKey === undefined) return
  if (tlsCert === undefined || tlsKey === undefined)
    throw new OperatorError(`${tlsCert === undefined ? 'HSAPI_TLS_CERT' : 'HSAPI_TLS_KEY'} is missing: HTTPS needs both`)
  readCertificate({ cert: tlsCert, key: tlsKey })
}

/** By default, the explorer is open only if no other machine can connect, directly or through a proxy. */
function explorerMode({ explorerMode: chosen, host, trustedProxies }: Settings, socketAlone: boolean): Config['explorer'] {
  const isLocal = isLoopbackAddress(host) && !socketAlone
  if (chosen === 'open' && !isLocal)
    throw new OperatorError(
      `HSAPI_EXPLORER is "open", but ${socketAlone ? 'HSAPI_SOCKET' : `HSAPI_HOST (${host})`} is reachable from other machines, and anyone could use it without a key; set it to key, public or off`,
    )
  return chosen ?? (isLocal && trustedProxies.length === 0 ? 'open' : 'key')
}
