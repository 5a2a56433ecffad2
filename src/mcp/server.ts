/** Registers the tools with the Model Context Protocol. */
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { Catalog } from '../catalog/catalog.js'
import { VERSION } from '../version.js'
import { INSTRUCTIONS, TOOLS } from './tools.js'

export function makeServer(catalog: Catalog): McpServer {
  const server = new McpServer({ name: 'hsapi', title: 'HS codes', version: VERSION }, { instructions: INSTRUCTIONS })
  for (const { name, title, description, properties, required, ask } of TOOLS) {
    const inputSchema = fromJsonSchema<Record<string, unknown>>({
      type: 'object',
      properties,
      required: [...required],
      additionalProperties: false,
    })
    const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema, annotations }, async (args, { mcpReq }) => {
      // lets an immediate cancellation arrive first
      await new Promise(done => setImmediate(done))
      mcpReq.signal.throwIfAborted()
      return ask(catalog, args as never)
    })
  }
  return server
}
