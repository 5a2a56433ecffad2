/** Reads HSAPI_REDIS_URL: one server, Sentinel, or Cluster. */
import { OperatorError } from '../errors.js'

export interface Node {
  host: string
  port: number
}

export interface Login {
  username?: string
  password?: string
}

export type RedisAddress =
  | { kind: 'single'; url: string; shown: string }
  | {
      kind: 'sentinel'
      sentinels: Node[]
      /** The name that the sentinels give to the primary. */
      primary: string
      database: number
      login: Login
      sentinelLogin: Login
      tls: boolean
      shown: string
    }
  | { kind: 'cluster'; nodes: Node[]; login: Login; tls: boolean; shown: string }

const FORMS =
  'redis://:password@127.0.0.1:6379/0, redis+sentinel://host1,host2,host3/mymaster or redis+cluster://host1,host2,host3, or rediss instead of redis for TLS'

// regexp-ignore: linear, since each part ends at a character that it cannot contain; a setting, not a request
const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?]*)@)?([^@/?]+)(\/[^?]*)?(?:\?(.*))?$/
const NODE = /^(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?$/
const SENTINEL_PATH = /^\/([\w.-]+)(?:\/([0-9]{1,5}))?$/
const SENTINEL_PARAMETERS = ['sentinel_user', 'sentinel_password']
const SENTINEL_PORT = 26_379
const REDIS_PORT = 6_379
const PORT_MAX = 65_535

/** Reads a list of servers; undefined if one of them is invalid. */
function nodesOf(list: string, defaultPort: number): Node[] | undefined {
  const nodes = list.split(',').map(entry => {
    const [found, host = '', port] = NODE.exec(entry) ?? []
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: found === undefined ? 0 : Number(port ?? defaultPort) }
  })
  return nodes.every(({ port }) => port > 0 && port <= PORT_MAX) ? nodes : undefined
}

function loginOf(user: string, password: string | undefined): Login {
  return { ...(user !== '' && { username: user }), ...(password !== undefined && { password }) }
}

function readLogin(text = ''): Login {
  const [user = '', ...password] = text.split(':')
  return loginOf(decodeURIComponent(user), password.length === 0 ? undefined : decodeURIComponent(password.join(':')))
}

/** Never contains a part of the address, because a password with an unencoded character may be anywhere in it. */
class AddressError extends Error {}

function readSeveral(value: string): RedisAddress {
  const [found, scheme = '', kind = '', user, hosts = '', path = '', query = ''] = SEVERAL.exec(value) ?? []
  if (found === undefined) {
    const hasUnencoded = value.split('@').length > 2
    throw new AddressError(hasUnencoded ? 'percent-encode special characters in user name and password' : '')
  }
  const isSentinel = kind === 'sentinel'
  const nodes = nodesOf(hosts, isSentinel ? SENTINEL_PORT : REDIS_PORT)
  if (nodes === undefined) throw new AddressError('a host or its port is invalid')
  const common = { login: readLogin(user), tls: scheme === 'rediss', shown: `${scheme}+${kind}://${hosts}${path}` }
  const parameters = new URLSearchParams(query)
  if (!isSentinel) {
    if (query !== '') throw new AddressError('a cluster has no parameters after "?"')
    if (!['', '/', '/0'].includes(path)) throw new AddressError('a cluster has only database 0')
    return { kind: 'cluster', nodes, ...common }
  }
  const [isPath, primary = '', database = '0'] = SENTINEL_PATH.exec(path) ?? []
  if (isPath === undefined)
    throw new AddressError('after the sentinels comes the name that they give to the primary, and optionally a database number')
  if ([...parameters.keys()].some(name => !SENTINEL_PARAMETERS.includes(name)))
    throw new AddressError(`the only parameters are ${SENTINEL_PARAMETERS.join(' and ')}`)
  const sentinelLogin = loginOf(parameters.get('sentinel_user') ?? '', parameters.get('sentinel_password') ?? undefined)
  return { kind: 'sentinel', sentinels: nodes, primary, database: Number(database), sentinelLogin, ...common }
}

function readSingle(value: string): RedisAddress | undefined {
  if (!URL.canParse(value)) return undefined
  const { protocol, host, pathname } = new URL(value)
  if (!/^rediss?:$/.test(protocol) || !/^\/?[0-9]{0,5}$/.test(pathname)) return undefined
  return { kind: 'single', url: value, shown: `${protocol}//${host}${pathname}` }
}

/** Throws an `OperatorError` that does not show the address, which may contain a password. */
export function readAddress(value: string, name: string): RedisAddress {
  try {
    return readSingle(value) ?? readSeveral(value)
  } catch (error) {
    const isEncoding = error instanceof URIError
    if (!isEncoding && !(error instanceof AddressError)) throw error
    const reason = isEncoding ? 'the percent-encoding of user name or password is invalid' : error.message
    throw new OperatorError(`${name} must be an address such as ${FORMS}${reason === '' ? '' : ` (${reason})`}`)
  }
}
