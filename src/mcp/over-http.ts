/**
 * The protocol's streamable HTTP without sessions: each POST is answered by a server of its own, with JSON and never a stream, so that
 * replicas need not know each other. The official package reads and answers the messages.
 */
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Catalog } from '../catalog/catalog.js'
import { ERRORS } from '../errors.js'
import type { Exchange, Reply } from '../http/exchange.js'
import { MCP_PATH, type ProtocolRoute } from '../http/routes.js'
import { AGENT_MESSAGES_MAX } from '../limits.js'
import type { Refusal } from '../questions/refusal.js'
import { makeServer } from './server.js'

/** The package wants an absolute address and does not look at it. */
const ADDRESS = `http://localhost${MCP_PATH}`
/** Every answer is JSON, so clients need not say that they accept it. */
const FIXED_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const READ_HEADERS: readonly string[] = ['mcp-protocol-version', 'mcp-method', 'mcp-name']
const INVALID_REQUEST = -32_600
const SERVER_ERROR = -32_000

export const MCP_ROUTE: ProtocolRoute = {
  kind: 'protocol',
  path: MCP_PATH,
  prepare: catalog => exchange => reply(catalog, exchange),
}

async function reply(catalog: Catalog, exchange: Exchange): Promise<Reply> {
  const { body } = exchange.sent
  // only revisions before 2025-06-18 have batches; the newest refuses them itself
  if (Array.isArray(body) && body.length > 0 && (await isLegacyRequest(requestOf(exchange), body)))
    return replyToBatch(catalog, exchange, body)
  return replyToMessage(catalog, exchange, body)
}

function requestOf({ sent, signal }: Exchange): Request {
  const headers = new Headers(FIXED_HEADERS)
  for (const [name, value] of sent.headers) if (READ_HEADERS.includes(name)) headers.set(name, value)
  return new Request(ADDRESS, { method: 'POST', headers, signal })
}

async function replyToMessage(catalog: Catalog, exchange: Exchange, message: unknown): Promise<Reply> {
  const faults: unknown[] = []
  const surroundings = {
    doList: (requests: number, work: () => boolean) => exchange.doList(requests, work),
    onFault: (error: unknown) => faults.push(error),
  }
  const makeOne = () => makeServer(catalog, surroundings)
  const request = requestOf(exchange)
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(makeOne(), request, message)
    : await createMcpHandler(makeOne, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, { parsedBody: message })
  if (faults.length > 0) throw faults[0]
  return { status: response.status, body: await response.text() }
}

async function answerLegacy(server: ReturnType<typeof makeServer>, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** One message after the other: what is over the quota is refused, the rest is answered. */
async function replyToBatch(catalog: Catalog, exchange: Exchange, messages: readonly unknown[]): Promise<Reply> {
  if (messages.length > AGENT_MESSAGES_MAX) {
    const message = `A batch may have ${AGENT_MESSAGES_MAX} messages at most.`
    return { status: 400, body: errorText(null, INVALID_REQUEST, message) }
  }
  const replies: string[] = []
  for (const [i, message] of messages.entries()) {
    const refusal = i === 0 ? undefined : await exchange.charge(1)
    const text = refusal === undefined ? (await replyToMessage(catalog, exchange, message)).body : refusalText(message, refusal)
    if (text !== '') replies.push(text)
  }
  return replies.length === 0 ? { status: 202, body: '' } : { status: 200, body: `[${replies.join()}]` }
}

/** '' for a notification, which has no answer. */
function refusalText(message: unknown, { name, message: sentence }: Refusal): string {
  const { id } = (message ?? {}) as { id?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') return ''
  return errorText(id, SERVER_ERROR, sentence, { code: ERRORS[name].code })
}

function errorText(id: string | number | null, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}
