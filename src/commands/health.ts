/** Asks a running server whether it is well: for health checks, which come often and must cost little. */
import { createRequire } from 'node:module'
import { OperatorError } from '../errors.js'
import { type Command, text } from './command.js'
import { addressOf } from './values.js'

const PATH = '/api/v1/health'
const WAIT_MS = 2000
/** The answer has some hundred bytes; whoever sends more is no server of ours. */
const ANSWER_CHARACTERS_MAX = 4096
const EXIT_NOT_WELL = 1

/** Addresses that mean "all of them" cannot be asked on every system; the loopback of the same family can. */
const ASKABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

interface Place {
  /** How messages call it. */
  name: string
  url: URL
  socketPath?: string
}

/** Where this environment's server listens. The rest of the environment is its own affair, right or wrong. */
export function placeOf(env: Record<string, string | undefined>, given?: string): Place {
  if (given !== undefined) return { name: given, url: new URL(PATH, addressOf(given)) }
  const scheme = env.HSAPI_TLS_CERT === undefined ? 'http' : 'https'
  const { HSAPI_SOCKET: socketPath, HSAPI_PORT: port } = env
  if (socketPath !== undefined && port === undefined)
    return { name: socketPath, url: new URL(`${scheme}://localhost${PATH}`), socketPath }
  const host = env.HSAPI_HOST ?? '127.0.0.1'
  const askable = ASKABLE[host] ?? host
  const origin = `${scheme}://${askable.includes(':') ? `[${askable}]` : askable}:${port ?? '8080'}`
  if (!URL.canParse(origin)) throw new OperatorError(`HSAPI_HOST and HSAPI_PORT make no address that can be asked: ${origin}`)
  return { name: origin, url: new URL(PATH, origin) }
}

/** By `require`, since `import` would touch every export, and one of them loads the whole of fetch: twice the CPU on Node 24. */
const require = createRequire(import.meta.url)

/** What it says of itself, or what is wrong. */
function ask({ url, socketPath }: Place): Promise<string> {
  const { get }: typeof import('node:https') = require(`node:${url.protocol.slice(0, -1)}`)
  return new Promise(resolve => {
    const options = {
      agent: false,
      headers: { connection: 'close' },
      // whether it answers is asked, not who it is: its certificate bears another name than this address
      rejectUnauthorized: false,
      ...(socketPath !== undefined && { socketPath }),
    }
    const request = get(url, options, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
        if (body.length > ANSWER_CHARACTERS_MAX) request.destroy(new Error('an answer without end'))
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
  words: [],
  run: async (values, _words, print) => {
    const place = placeOf(process.env, values.url as string | undefined)
    const status = await ask(place)
    print(`${place.name}: ${status}`)
    // at once, instead of waiting for what Node would still tidy up
    process.exit(status === 'ok' ? 0 : EXIT_NOT_WELL)
  },
}
