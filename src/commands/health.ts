/** Health check of a running server; called often, so it must be cheap. */
import { createRequire } from 'node:module'
import { OperatorError } from '../errors.js'
import { type Command, text } from './command.js'
import { addressOf } from './values.js'

const PATH = '/api/v1/health'
const WAIT_MS = 2000
/** A real answer has a few hundred bytes. */
const ANSWER_CHARACTERS_MAX = 4096
const EXIT_UNHEALTHY = 1

/** Wildcard addresses cannot be connected to on every system. */
const CONNECTABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

interface Place {
  name: string
  url: URL
  socketPath?: string
}

/** Reads only the settings that give the address; others may be invalid. */
export function placeOf(env: Record<string, string | undefined>, given?: string): Place {
  if (given !== undefined) return { name: given, url: new URL(PATH, addressOf(given)) }
  const scheme = env.HSAPI_TLS_CERT === undefined ? 'http' : 'https'
  const { HSAPI_SOCKET: socketPath, HSAPI_PORT: port } = env
  if (socketPath !== undefined && port === undefined)
    return { name: socketPath, url: new URL(`${scheme}://localhost${PATH}`), socketPath }
  const host = env.HSAPI_HOST ?? '127.0.0.1'
  const connectable = CONNECTABLE[host] ?? host
  const origin = `${scheme}://${connectable.includes(':') ? `[${connectable}]` : connectable}:${port ?? '8080'}`
  if (!URL.canParse(origin)) throw new OperatorError(`HSAPI_HOST and HSAPI_PORT do not form a valid address: ${origin}`)
  return { name: origin, url: new URL(PATH, origin) }
}

/** `import` would evaluate every export, one of which loads fetch: twice the CPU on Node 24. */
const require = createRequire(import.meta.url)

/** The reported status, or what went wrong. */
function ask({ url, socketPath }: Place): Promise<string> {
  const { get }: typeof import('node:https') = require(`node:${url.protocol.slice(0, -1)}`)
  return new Promise(resolve => {
    const options = {
      agent: false,
      headers: { connection: 'close' },
      // the certificate is for another name than this address
      rejectUnauthorized: false,
      ...(socketPath !== undefined && { socketPath }),
    }
    const request = get(url, options, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
        if (body.length > ANSWER_CHARACTERS_MAX) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => {
        const [, status] = /"status":"([a-z]{1,20})"/.exec(body) ?? []
        resolve(response.statusCode === 200 && status !== undefined ? status : `${response.statusCode}`)
      })
      response.on('error', error => resolve(error.message))
    })
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${WAIT_MS} ms`)), WAIT_MS)
    request.on('close', () => clearTimeout(timer))
    request.on('error', error => resolve(error.message))
  })
}

export const healthCommand: Command = {
  flags: { url: text },
  run: async (values, _words, print) => {
    const place = placeOf(process.env, values.url as string | undefined)
    const status = await ask(place)
    print(`${place.name}: ${status}`)
    // skips Node's cleanup
    process.exit(status === 'ok' ? 0 : EXIT_UNHEALTHY)
  },
}
