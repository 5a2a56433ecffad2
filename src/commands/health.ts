/** Health check of a running server. It is called often, so it must use little CPU time. */
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { TLSSocket } from 'node:tls'
import { OperatorError } from '../errors.js'
import { type Command, flag, text, type Values } from './command.js'
import { addressOf, wholeOf } from './values.js'

const PATH = '/api/v1/health'
const WAIT_MS = 2000
/** A real answer has a few hundred bytes. */
const ANSWER_CHARACTERS_MAX = 4096
const EXIT_UNHEALTHY = 1
const DAY_MS = 86_400_000
const DAYS_MAX = 3_650

/** Some systems cannot connect to a wildcard address such as 0.0.0.0. */
const CONNECTABLE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

interface Place {
  name: string
  url: URL
  socketPath?: string
}

/** Reads only the settings that form the address; other settings may be invalid. */
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

/** An `import` of node:http would evaluate all its exports. One of them loads fetch, which doubles the CPU time on Node 24. */
const require = createRequire(import.meta.url)

interface CertificateRule {
  /** A certificate in PEM; if undefined, the authorities of the system and of Node are trusted. */
  ca: Buffer | undefined
  daysMin: number
}

const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed; if it is your own, pass it with --ca',
  SELF_SIGNED_CERT_IN_CHAIN: 'this machine does not trust its authority; if it is your own, pass its certificate with --ca',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'this machine does not trust its authority, or the server sends an incomplete chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'this machine does not trust its authority, or the server sends an incomplete chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const reason = REASONS[error.code ?? '']
  return reason === undefined ? error.message : `certificate refused: ${reason} (${error.message})`
}

/** Reports how long the certificate remains valid, and whether that is long enough. */
function certificateState({ socket }: IncomingMessage, { daysMin }: CertificateRule): { isEnough: boolean; text: string } {
  const { valid_to: end } = (socket as TLSSocket).getPeerCertificate()
  const days = Math.floor((Date.parse(end) - Date.now()) / DAY_MS)
  const until = new Date(end).toISOString().slice(0, 10)
  return { isEnough: days >= daysMin, text: `certificate valid for ${days} days, until ${until}` }
}

/** Asks the server for its health; the text is the server's status or the error. */
function ask({ url, socketPath }: Place, rule: CertificateRule | undefined): Promise<{ isHealthy: boolean; text: string }> {
  const { get }: typeof import('node:https') = require(`node:${url.protocol.slice(0, -1)}`)
  return new Promise(resolve => {
    const options = {
      agent: false,
      headers: { connection: 'close' },
      // the certificate of the server on this machine is usually for another name than this address
      rejectUnauthorized: rule !== undefined,
      ...(rule?.ca !== undefined && { ca: rule.ca }),
      ...(socketPath !== undefined && { socketPath }),
    }
    const request = get(url, options, response => {
      // the certificate is no longer available after the connection is closed
      const certificate = rule && certificateState(response, rule)
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
        if (body.length > ANSWER_CHARACTERS_MAX) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => {
        const [, status] = /"status":"([a-z]{1,20})"/.exec(body) ?? []
        const isHealthy = response.statusCode === 200 && status === 'ok'
        const text = response.statusCode === 200 && status !== undefined ? status : `${response.statusCode}`
        resolve({
          isHealthy: isHealthy && certificate?.isEnough !== false,
          text: certificate === undefined ? text : `${text}, ${certificate.text}`,
        })
      })
      response.on('error', error => resolve({ isHealthy: false, text: error.message }))
    })
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${WAIT_MS} ms`)), WAIT_MS)
    request.on('close', () => clearTimeout(timer))
    request.on('error', error => resolve({ isHealthy: false, text: reasonOf(error) }))
  })
}

/** The certificate is checked only if --url is an https address and --insecure is not set. */
function ruleOf(values: Values): CertificateRule | undefined {
  const isChecked = String(values.url ?? '').startsWith('https:') && values.insecure !== true
  const given = ['ca', 'days', 'insecure'].find(name => values[name] !== undefined)
  if (given !== undefined && !String(values.url ?? '').startsWith('https:'))
    throw new OperatorError(`--${given} needs --url with an https address`)
  if (!isChecked) return undefined
  return { ca: values.ca === undefined ? undefined : readCa(String(values.ca)), daysMin: wholeOf(values, 'days', 0, DAYS_MAX, 0) }
}

function readCa(file: string): Buffer {
  try {
    return (require('node:fs') as typeof import('node:fs')).readFileSync(file)
  } catch (error) {
    throw new OperatorError(`--ca: ${(error as Error).message}`)
  }
}

const HELP = `Usage: hsapi health [--url URL] [--ca FILE] [--days N] [--insecure]

Requests /api/v1/health from the server of this environment (HSAPI_HOST, HSAPI_PORT, HSAPI_SOCKET, HSAPI_TLS_CERT), waits at
most 2 seconds, and prints one line. Exit code 0 if the server is ok, 1 if it is starting, failing or unreachable.

  --url URL   check the server at this address instead, such as http://127.0.0.1:8080. With https the certificate is also
              checked: its name, its chain, and how many days it is still valid
  --ca FILE   trust only this certificate or authority (PEM)
  --days N    exit code 1 if the certificate is valid for fewer than N days (0)
  --insecure  do not check the certificate`

export const healthCommand: Command = {
  help: HELP,
  flags: { url: text, insecure: flag, ca: text, days: text },
  run: async (values, _words, print) => {
    const place = placeOf(process.env, values.url as string | undefined)
    const { isHealthy, text } = await ask(place, ruleOf(values))
    print(`${place.name}: ${text}`)
    // exits without Node's cleanup, which would take time
    process.exit(isHealthy ? 0 : EXIT_UNHEALTHY)
  },
}
