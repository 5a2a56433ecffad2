/** Checks an answer against the server's own OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OPENAPI } from '../../dist/src/contract/openapi.js'
import { ERRORS } from '../../dist/src/errors.js'

const LIMIT_HEADERS = ['limit-minute', 'remaining-minute', 'limit-day', 'remaining-day'].map(name => `x-ratelimit-${name}`)
const NOT_MODIFIED = 304
const WHOLE = /^\d+$/
const POSITIVE = /^[1-9]\d*$/

const ajv = new Ajv2020({ strict: false })
addFormats(ajv)
ajv.addSchema(OPENAPI, 'openapi')
const isRefusal = ajv.compile({ $ref: 'openapi#/components/schemas/ErrorResponse' })
const JSON_TYPE = 'application/json'

const shapeOf = schema => ajv.compile(schema.$ref === undefined ? schema : { $ref: `openapi${schema.$ref}` })

/** The success responses of every documented operation: path, content type and schema. */
const SUCCESSES = Object.entries(OPENAPI.paths).flatMap(([path, operations]) => {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`)
  return Object.values(operations).flatMap(({ responses }) =>
    Object.entries(responses?.[200]?.content ?? {}).map(([type, { schema }]) => ({ pattern, type, isShape: shapeOf(schema) })),
  )
})
/** HTML pages. */
const PAGE = /^\/(?:(?:code|browse)\/[^/]*|browse|check|classify|compare|invoice|docs)?$/
const HTML_TYPE = 'text/html; charset=utf-8'
/** MCP: one JSON-RPC message or a batch. */
const MESSAGE = { type: 'object', properties: { jsonrpc: { const: '2.0' } }, required: ['jsonrpc'] }
const isMessage = ajv.compile({ anyOf: [MESSAGE, { type: 'array', items: MESSAGE, minItems: 1 }] })
const isMessageError = ajv.compile({ ...MESSAGE, required: ['jsonrpc', 'error'] })
const AGENT_PATH = '/mcp'
const isForAgents = path => path === undefined || path === AGENT_PATH
const ACCEPTED = 202
SUCCESSES.push(
  { pattern: /^\/mcp$/, type: JSON_TYPE, isShape: isMessage },
  { pattern: /^\/explorer\.json$/, type: JSON_TYPE, isShape: shapeOf({ type: 'object', required: ['mode'] }) },
)
const STATUS_OF = new Map(Object.values(ERRORS).map(({ code, status }) => [code, status]))

const isPage = (path, { status, headers }) =>
  status === 200 && headers.get('content-type') === HTML_TYPE && (path === undefined || PAGE.test(path))

const isXml = ({ headers }) => headers.get('content-type').endsWith('xml')

function faultOfPage({ headers, body }) {
  if (!headers.get('content-security-policy')?.startsWith("default-src 'none'")) return 'a page without a content security policy'
  if (headers.has('content-encoding')) return undefined
  return String(body.subarray(0, 15)) === '<!doctype html>' ? undefined : 'a page that does not start with <!doctype html>'
}

// a mutated path may match any of these operations, so the answer must match the type and schema of one of them
const successesOf = path => SUCCESSES.filter(({ pattern }) => path === undefined || pattern.test(path))

function isType(path, { status, headers }) {
  const type = headers.get('content-type')
  return type === JSON_TYPE || (status === 200 && successesOf(path).some(known => known.type === type))
}

function faultOfHeaders(path, answer) {
  const { status, headers } = answer
  if (status === ACCEPTED && isForAgents(path)) return headers.get('content-length') === '0' ? undefined : '202 with a body'
  if (status !== NOT_MODIFIED && !isType(path, answer) && !isPage(path, answer))
    return `the content type ${headers.get('content-type')}`
  for (const name of LIMIT_HEADERS) if (!WHOLE.test(headers.get(name) ?? '')) return `${name} is ${headers.get(name)}`
  if ((status === 429 || status === 503) && !POSITIVE.test(headers.get('retry-after') ?? ''))
    return `${status} with Retry-After ${headers.get('retry-after')}`
  if (status === 405 && !headers.get('allow')) return '405 without Allow'
  if (status === NOT_MODIFIED) return headers.has('etag') ? undefined : '304 without a tag'
  if (!WHOLE.test(headers.get('content-length') ?? '')) return 'no content length'
  return undefined
}

function faultOfBody(path, status, body) {
  let json
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    return `a body that is not JSON (${error.message})`
  }
  if (status !== 200) {
    if (status < 500 && isForAgents(path) && isMessageError(json)) return undefined
    if (!isRefusal(json)) return `a refusal that does not match its schema: ${ajv.errorsText(isRefusal.errors)}`
    const { code } = json.error
    return STATUS_OF.get(code) === status ? undefined : `${code} with status ${status}`
  }
  const known = successesOf(path)
  if (known.length === 0) return '200 for a path that is not documented'
  if (known.some(({ isShape }) => isShape(json))) return undefined
  return `a success that does not match its schema: ${ajv.errorsText(known[0].isShape.errors)}`
}

/** @param {string | undefined} path without its query; undefined if the request is unknown */
export function faultOf(method, path, answer) {
  if (answer.status >= 500 && answer.status !== 503) return `status ${answer.status}`
  const fault = faultOfHeaders(path, answer)
  if (fault !== undefined) return fault
  if (answer.status === NOT_MODIFIED || answer.status === ACCEPTED) return undefined
  if (method === 'HEAD') return answer.body.length === 0 ? undefined : 'a body for HEAD'
  if (method === undefined && answer.body.length === 0) return undefined
  if (isPage(path, answer)) return faultOfPage(answer)
  return isXml(answer) ? undefined : faultOfBody(path, answer.status, answer.body)
}
