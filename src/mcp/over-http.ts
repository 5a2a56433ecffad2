/**
 * The protocol's streamable HTTP without sessions: a new server answers each POST, with JSON and never a stream, so that
 * replicas share no state. The official package reads and answers the messages.
 */
import {
  createMcpHandler,
  INVALID_REQUEST,
  isLegacyRequest,
  LATEST_PROTOCOL_VERSION,
  preloadSchemas,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Catalog } from '../catalog/catalog.js'
import type { Exchange, Reply } from '../http/exchange.js'
import { MCP_PATH, type ProtocolRoute } from '../http/routes.js'
import { VERSION } from '../version.js'
import { makeServer, nextTurn } from './server.js'

/** The package needs an absolute address but does not use it. */
const ADDRESS = `http://localhost${MCP_PATH}`
/** Every answer is JSON, so clients need not send an Accept header. */
const FIXED_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const READ_HEADERS: readonly string[] = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export const MCP_ROUTE: ProtocolRoute = {
  kind: 'protocol',
  path: MCP_PATH,
  prepare: catalog => {
    // an error is ignored, because the first client will get the same error
    warmUp(catalog).catch(() => {})
    return exchange => reply(catalog, exchange)
  },
}

/** Runs the slowest parts of the first answer while the module loads, before the server listens. */
preloadSchemas()
requestWith([])

const FIRST_MESSAGE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'hsapi', version: VERSION } },
}

/**
 * Answers a test message, one step in each turn of the event loop, so that the first client does not wait longer than others.
 */
async function warmUp(catalog: Catalog): Promise<void> {
  await nextTurn()
  const server = makeServer(catalog)
  await nextTurn()
  const request = requestWith([])
  await isLegacyRequest(request, FIRST_MESSAGE)
  await nextTurn()
  await answerLegacy(server, request, FIRST_MESSAGE)
}

async function reply(catalog: Catalog, exchange: Exchange): Promise<Reply> {
  const { body } = exchange.sent
  return Array.isArray(body) ? NO_BATCHES : replyToMessage(catalog, exchange, body)
}

/** The protocol has had no batches since its revision of 2025-06-18. */
const NO_BATCHES: Reply = {
  status: 400,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: INVALID_REQUEST, message: 'Batches are not supported: send each message in a request of its own.' },
  }),
}

function requestWith(sent: Exchange['sent']['headers'], signal?: AbortSignal): Request {
  const headers = new Headers(FIXED_HEADERS)
  for (const [name, value] of sent) if (READ_HEADERS.includes(name)) headers.set(name, value)
  return new Request(ADDRESS, { method: 'POST', headers, ...(signal && { signal }) })
}

async function replyToMessage(catalog: Catalog, exchange: Exchange, message: unknown): Promise<Reply> {
  const faults: unknown[] = []
  const hooks = {
    doList: (requests: number, work: () => boolean) => exchange.doList(requests, work),
    onFault: (error: unknown) => faults.push(error),
  }
  const newServer = () => makeServer(catalog, hooks)
  const request = requestWith(exchange.sent.headers, exchange.signal)
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(newServer(), request, message)
    : await createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, { parsedBody: message })
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
