import { makeServer } from '../mcp/server.js'
import { openCatalog, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import type { Command } from './command.js'

/** Writes to standard error, because standard output is reserved for the protocol. */
const say = (text: string) => process.stderr.write(`hsapi mcp: ${text}\n`)

const HELP = `Usage: hsapi mcp [--snapshot FILE]

Serves an AI agent over the Model Context Protocol, on standard input and output. It needs only the snapshot, neither a server
nor keys. A host such as Claude Desktop, Cursor or VS Code starts it; docs/agents.md shows the configuration. It ends when
standard input ends. Messages for people go to standard error. For agents on other machines, a server with HSAPI_MCP=on
serves the same tools at /mcp.

  ${SNAPSHOT_HELP}`

export const mcpCommand: Command = {
  help: HELP,
  flags: SNAPSHOT_FLAG,
  run: async values => {
    const catalog = await openCatalog(values)
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    // if standard input is a file, it ends without being closed
    const ended = new Promise<void>(done => process.stdin.once('end', done).once('close', done))
    serveStdio(() => makeServer(catalog), { onerror: error => say(error.message) })
    const { edition, version } = catalog.meta
    say(`${edition}, dataset ${version}; serving the Model Context Protocol on standard input and output`)
    await ended
  },
}
