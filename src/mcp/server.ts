/** Registers tools, resources and prompts with the Model Context Protocol. */
import { McpServer } from '@modelcontextprotocol/server'
import type { Catalog } from '../catalog/catalog.js'
import type { Refusal } from '../questions/refusal.js'
import { VERSION } from '../version.js'
import { type Answer, refused } from './answer.js'
import { type ArgumentSchema, refuseArguments } from './arguments.js'
import { OUTPUTS } from './output.js'
import { registerPrompts } from './prompts.js'
import { registerResources } from './resources.js'
import { listedSchema } from './schemas.js'
import { INSTRUCTIONS, TOOLS } from './tools.js'

/** Functions that decide how lists are counted and when their items are processed, and that report errors. */
export interface ServerHooks {
  /**
   * Counts a list as this many requests, then calls `work` once in each turn of the event loop until it returns false. Resolves
   * to a refusal if the list is refused.
   */
  doList(requests: number, work: () => boolean): Promise<Refusal | undefined>
  onFault(error: unknown): void
}

export const nextTurn = () => new Promise<void>(done => setImmediate(done))
const FAULT = 'An error occurred on the server and was logged.'

/** For a process with a single user: requests are not counted. */
const SINGLE_USER: ServerHooks = {
  doList: async (_requests, work) => {
    while (work()) await nextTurn()
    return undefined
  },
  onFault: error => {
    throw error
  },
}

type Arguments = Record<string, unknown>

const ARGUMENTS = TOOLS.map(
  ({ properties, required }): ArgumentSchema => ({ type: 'object', properties, required, additionalProperties: false }),
)
const INPUTS = ARGUMENTS.map(schema => listedSchema<Arguments>(schema))
const OUTPUT_SCHEMAS = TOOLS.map(({ name }) => listedSchema<Arguments>(OUTPUTS[name]))
const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

export function makeServer(catalog: Catalog, hooks: ServerHooks = SINGLE_USER): McpServer {
  const server = new McpServer({ name: 'hsapi', title: 'HS codes', version: VERSION }, { instructions: INSTRUCTIONS })
  let turn = Promise.resolve()
  TOOLS.forEach(({ name, title, description, ask }, i) => {
    const config = { title, description, inputSchema: INPUTS[i], outputSchema: OUTPUT_SCHEMAS[i], annotations: ANNOTATIONS }
    server.registerTool(name, config, async (args, { mcpReq }): Promise<Answer> => {
      // one call per turn of the event loop, so that an immediate cancellation arrives before the call starts
      turn = turn.then(nextTurn)
      await turn
      mcpReq.signal.throwIfAborted()
      try {
        const wrong = refuseArguments(ARGUMENTS[i], args)
        if (wrong !== undefined) return refused(wrong)
        const asked = ask(catalog, args as never)
        if ('content' in asked) return asked
        // a list of one item is answered in this turn of the event loop, like a single question
        if (asked.requests === 1) asked.work()
        const refusal = asked.requests === 1 ? undefined : await hooks.doList(asked.requests, asked.work)
        return refusal === undefined ? asked.answer() : refused(refusal)
      } catch (error) {
        hooks.onFault(error)
        return { content: [{ type: 'text', text: FAULT }], structuredContent: { error: { message: FAULT } }, isError: true }
      }
    })
  })
  registerResources(server, catalog)
  registerPrompts(server)
  return server
}
